/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Kinds of programs: each draws together the objects and steps that should coincide. */

/**
 * @typedef {import('./draw.js').Draw} Draw
 * @typedef {import('./program.js').Step} Step
 * @typedef {import('./program.js').ThreadSpec} ThreadSpec
 * @typedef {Omit<import('./program.js').Program, 'objects'>} Made
 *
 * @typedef {object} Genre
 * @property {string} name
 * @property {number} weight
 * @property {string} [needs] a switch
 * @property {(draw: Draw, inBrowser: boolean) => Made} make
 */

const PLACED = ['Mutex', 'RwLock', 'BinarySemaphore', 'CountingSemaphore'];
const LOCKS = ['OneKey', ...PLACED];
const LOOP_MS = 350;
/** Long enough for threads that block and re-lock at once: a busy machine may not let a waiter run. */
const HAMMER_MS = 500;
const HAMMER_BOUND_MS = 300;
const CONTEST_MS = 480;
/** Longer than any test of fairness allows, on a machine that is busy with other things. */
const LOOP_BOUND_MS = 140;
const CROWD = 6000;

/** @param {Draw} draw @param {boolean} blocks @returns {Step} */
function anyStep(draw, blocks) {
    if (draw.chance(0.25)) {
        return draw.between();
    }
    const spec = draw.pick(draw.objects);
    if (LOCKS.includes(spec.kind)) {
        return blocks && draw.chance(0.4) ? draw.block(spec) : lockRequest(draw, spec);
    }
    if (spec.kind === 'Once') {
        return draw.once(spec, blocks);
    }
    if (spec.kind !== 'Barrier' && draw.chance(0.3)) {
        return draw.call(spec);
    }
    return blocks && draw.chance(0.3) ? draw.waitBlock(spec) : draw.wait(spec);
}

/** @param {Draw} draw @param {import('./objects.js').ObjectSpec} spec */
function lockRequest(draw, spec) {
    // Locks are nested in the order in which they were made, so there is no deadlock cycle.
    const later = draw.objects
        .slice(draw.objects.indexOf(spec) + 1)
        .filter(({ kind }) => LOCKS.includes(kind));
    const inner =
        later.length > 0 && draw.chance(0.25)
            ? [{ ...draw.request(draw.pick(later)), awaited: true }]
            : undefined;
    return draw.request(spec, inner);
}

/** @param {Draw} draw @param {number} count @param {boolean} blocks @returns {ThreadSpec} */
function anyThread(draw, count, blocks) {
    draw.signals = {};
    const steps = Array.from({ length: count }, () => anyStep(draw, blocks));
    return { signals: draw.signals, steps };
}

/** @type {Genre['make']} A mixture of all objects and calls. */
function mixed(draw, inBrowser) {
    const count = 1 + draw.random.below(4);
    for (let locks = 1 + draw.random.below(2); locks > 0; locks -= 1) {
        draw.lock();
    }
    for (let others = draw.random.below(3); others > 0; others -= 1) {
        draw.other(count);
    }
    const firstIsHost = inBrowser && draw.chance(0.5);
    const threads = Array.from({ length: count }, (_, index) =>
        anyThread(draw, 1 + draw.random.below(7), !(firstIsHost && index === 0) && draw.chance(0.7)),
    );
    return { threads, firstIsHost };
}

/** @type {Genre['make']} Many requests of one thread for one object that is held for a while. */
function queued(draw, inBrowser) {
    const isLock = draw.chance(0.6);
    const spec = isLock ? draw.lock() : draw.other(2);
    const firstIsHost = inBrowser && draw.chance(0.5);
    draw.signals = {};
    const ask = () =>
        isLock ? lockRequest(draw, spec) : spec.kind === 'Once' ? draw.once(spec, false) : draw.wait(spec);
    const holds =
        isLock && draw.chance(0.8) ? { limits: {}, body: { ends: 'sleeps', sleep: draw.pick([8, 20]) } } : {};
    const held = { ...ask(), ...holds, awaited: false };
    const steps = [
        held,
        ...Array.from({ length: 3 + draw.random.below(6) }, () =>
            draw.chance(0.2) ? draw.between() : { ...ask(), awaited: false },
        ),
    ];
    const first = { signals: draw.signals, steps };
    return {
        threads: draw.chance(0.5) ? [first] : [first, anyThread(draw, 3, draw.chance(0.5))],
        firstIsHost,
    };
}

/** @param {string} object @param {unknown} ask @param {any} body @param {any} [more] @returns {Step} */
const request = (object, ask, body, more = {}) => ({
    do: 'request',
    object,
    ask,
    style: 'section',
    limits: {},
    body,
    awaited: true,
    ...more,
});

/** @param {number} milliseconds @param {Step[]} steps @param {any} [pause] @returns {Step} */
const loop = (milliseconds, steps, pause) => ({ do: 'loop', milliseconds, steps, pause });

/** Asks for the whole capacity. @param {import('./objects.js').ObjectSpec} spec */
const allOf = ({ kind, options }) =>
    kind === 'RwLock' ? 'exclusive' : kind === 'CountingSemaphore' ? options.max : 1;

/** Asks for a part of the capacity, as rivals do. @param {import('./objects.js').ObjectSpec} spec */
const someOf = ({ kind }) => (kind === 'RwLock' ? 'shared' : 1);

/** @type {Genre['make']} Threads that block and re-lock at once, and others that wait. */
function hammered(draw, inBrowser) {
    const spec = draw.lock();
    const work = draw.pick([0.05, 0.2, 0.5]);
    const hammer = { do: 'block', object: spec.name, ask: allOf(spec), style: 'lock', work };
    const rivals = Array.from({ length: 1 + draw.random.below(2) }, () => ({
        steps: [loop(HAMMER_MS, [hammer])],
    }));
    const waits = request(spec.name, draw.ask(spec), { work: 0.1 }, { bound: HAMMER_BOUND_MS });
    const blocks = { ...hammer, ask: draw.ask(spec), bound: HAMMER_BOUND_MS };
    const firstIsHost = inBrowser && draw.chance(0.5);
    const waiter = {
        steps: [
            loop(
                HAMMER_MS / 2,
                [firstIsHost || draw.chance(0.5) ? waits : blocks],
                draw.pick(['turn', 1, 3]),
            ),
        ],
    };
    return { threads: [waiter, ...rivals], firstIsHost };
}

/** @type {Genre['make']} Event loops that hold for a time asleep, again and again, and one with longer jobs. */
function loops(draw, inBrowser) {
    const kind = draw.pick(['Mutex', 'RwLock', 'CountingSemaphore']);
    const spec = draw.add(kind, kind === 'CountingSemaphore' ? { max: 2 + draw.random.below(3) } : undefined);
    const sleep = 1 + draw.random.below(2);
    const rival = request(spec.name, someOf(spec), { ends: 'sleeps', sleep });
    const rivals = Array.from({ length: 3 + draw.random.below(2) }, () => ({
        steps: [loop(CONTEST_MS, [rival])],
    }));
    const limits = { awaited: false, bound: LOOP_BOUND_MS };
    const mine = request(spec.name, allOf(spec), { work: draw.pick([0.1, 1]) }, limits);
    const busy = { do: 'busy', work: draw.pick([3, 4]) };
    const jobs = { do: 'times', count: 12, steps: [busy, { do: 'pause', how: 1 }] };
    const steps = Array.from({ length: CONTEST_MS / 60 }, () => [mine, jobs]).flat();
    return { threads: [{ steps }, ...rivals], firstIsHost: inBrowser && draw.chance(0.3) };
}

/**
 * @type {Genre['make']} A thread releases an object for which it has a request, and takes the object again in
 *     the same job.
 */
function ownRequest(draw) {
    const spec = draw.lock(draw.pick(['Mutex', 'RwLock', 'BinarySemaphore']));
    const all = allOf(spec);
    const how = draw.pick(['acquire', 'try']);
    const letsJobsPass = draw.chance(0.5);
    const again = { do: 'retake', object: spec.name, ask: all, how, letsJobsPass };
    // The thread's event loop has no turn between a release and a call that retakes a mutex, or blocks, in the same
    // job.
    const hasTurns = letsJobsPass || (how === 'try' && spec.kind !== 'Mutex');
    const mine = request(spec.name, all, {}, { awaited: false, ...(hasTurns && { bound: LOOP_BOUND_MS }) });
    const work = 0.1;
    const waits = draw.chance(0.5)
        ? request(spec.name, all, { work }, { bound: LOOP_BOUND_MS })
        : { do: 'block', object: spec.name, ask: all, style: 'lock', work, bound: LOOP_BOUND_MS };
    return {
        threads: [
            { steps: [{ ...again, milliseconds: LOOP_MS, request: mine }] },
            { steps: [{ do: 'pause', how: 15 }, loop(LOOP_MS / 2, [waits], 1)] },
        ],
    };
}

/** @type {Genre['make']} A thread dies while it waits for a held object, and other threads continue. */
function deaths(draw) {
    const kind = draw.on['deadHeirs'] ? draw.pick(PLACED) : 'Mutex';
    const spec = draw.lock(kind);
    const isShared = kind === 'RwLock' || kind === 'CountingSemaphore';
    if (kind === 'CountingSemaphore') {
        spec.options = { max: 2 + draw.random.below(4) };
    }
    const stake = kind === 'RwLock' ? 'shared' : kind === 'Mutex' ? 'exclusive' : 1;
    const step = draw.chance(0.5)
        ? request(spec.name, allOf(spec), {}, { awaited: false })
        : { do: 'block', object: spec.name, ask: allOf(spec), style: 'lock', work: 0 };
    const fits = () =>
        kind === 'CountingSemaphore' ? 1 + draw.random.below(spec.options.max - 1) : someOf(spec);
    const survivor = () => {
        draw.signals = {};
        const steps = Array.from({ length: 1 + draw.random.below(3) }, () =>
            draw.chance(0.5)
                ? { ...draw.request(spec), ask: fits(), limits: {} }
                : { ...draw.block(spec), ask: fits() },
        );
        return { signals: draw.signals, steps };
    };
    return {
        threads: Array.from({ length: 1 + draw.random.below(2) }, survivor),
        victims: [{ object: spec.name, stake, lasts: isShared, after: draw.pick([0, 2, 10, 30]), step }],
    };
}

/** @type {Genre['make']} An automatic event is set and reset while a waiter is busy or dies. */
function resets(draw) {
    const spec = draw.add('AutoEvent', { autoReset: true });
    spec.ownSet = true;
    const waits = { do: 'waitAsync', object: spec.name, limits: { timeout: 60 }, awaited: false };
    const setter = {
        steps: [
            { do: 'pause', how: draw.pick([3, 10]) },
            { do: 'setAndReset', object: spec.name },
        ],
    };
    if (draw.chance(0.5)) {
        const dies = draw.chance(0.5)
            ? { ...waits, limits: {} }
            : { do: 'waitBlock', object: spec.name, timeout: 1e6 };
        return { threads: [setter], victims: [{ object: spec.name, after: 5, step: dies }] };
    }
    return { threads: [setter, { steps: [waits, { do: 'pause', how: 'turn' }, { do: 'busy', work: 40 }] }] };
}

/** @type {Genre['make']} Thousands of requests that wait at one time. */
function crowds(draw, inBrowser) {
    const signals = { signal0: { after: /** @type {const} */ ('never') } };
    const meets = draw.pick(['set', 'countDown', 'notify', 'abort', 'timeout']);
    const spec =
        meets === 'notify'
            ? draw.add('Condition', undefined, draw.lock('Mutex').space)
            : meets === 'countDown'
              ? draw.add('Latch', { count: 1 })
              : draw.add('Event', { autoReset: false });
    spec.ownSet = true;
    const step = {
        do: 'crowd',
        object: spec.name,
        count: CROWD,
        meets,
        ...(meets === 'notify' && { mutex: draw.objects[0]?.name }),
        ...(meets === 'abort' && { signal: 'signal0' }),
        ...(meets === 'timeout' && { timeout: 60 }),
    };
    return {
        threads: [{ signals: meets === 'abort' ? signals : {}, steps: [step] }],
        firstIsHost: inBrowser && draw.chance(0.5),
    };
}

/** @type {Genre['make']} Locks that are freed with requests, guards and sections of theirs. */
function reuses(draw) {
    const pendings = [
        ...(draw.on['freedWithRequests'] ? ['request'] : []),
        ...(draw.on['freedWhileHeld'] ? ['guard', 'section'] : ['mutex']),
    ];
    const steps = Array.from({ length: 1 + draw.random.below(3) }, () => {
        const pending = draw.pick(pendings);
        const kind = pending === 'mutex' ? 'Mutex' : draw.pick(PLACED);
        const max = 1 + draw.random.below(3);
        return {
            do: 'reuse',
            kind,
            asBytes: draw.chance(0.5),
            pending: pending === 'mutex' ? draw.pick(['guard', 'section']) : pending,
            ...(kind === 'CountingSemaphore' && { options: { max }, ask: max }),
        };
    });
    return { threads: [{ steps }] };
}

/** @type {Genre['make']} Overwrites words while requests wait. */
function strays(draw) {
    const spec = draw.chance(0.5)
        ? draw.lock(draw.pick(PLACED)) // a key has no words of its own
        : draw.pick([
              () => draw.add('AutoEvent', { autoReset: true }),
              () => draw.add('Latch', { count: 3 }),
          ])();
    spec.spoilt = true;
    const isLock = LOCKS.includes(spec.kind);
    const ask = () => {
        const step = isLock ? draw.request(spec) : draw.wait(spec);
        return { ...step, limits: { timeout: draw.pick([10, 40, 90]) }, awaited: false, may: ['any'] };
    };
    const stray = () => ({
        do: 'stray',
        object: spec.name,
        word: draw.random.below(4),
        value: draw.pick([1, -1, 0x7fffffff, draw.random.below(2 ** 32) | 0]),
    });
    const steps = [ask(), stray(), ask(), { do: 'pause', how: 2 }, stray(), ask()];
    return { threads: [{ signals: draw.signals, steps }] };
}

/** @type {Genre[]} */
export const GENRES = [
    { name: 'mixed', weight: 40, make: mixed },
    { name: 'queued', weight: 30, make: queued },
    { name: 'hammered', weight: 3, make: hammered },
    { name: 'deaths', weight: 4, make: deaths },
    { name: 'reuses', weight: 6, make: reuses },
    { name: 'loops', weight: 5, needs: 'loopContests', make: loops },
    { name: 'ownRequest', weight: 3, needs: 'ownRequests', make: ownRequest },
    { name: 'resets', weight: 4, needs: 'resets', make: resets },
    { name: 'crowds', weight: 2, needs: 'crowds', make: crowds },
    { name: 'strays', weight: 6, needs: 'strayWords', make: strays },
];
