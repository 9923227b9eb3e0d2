/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { inOpenBrowsers } from '../browser/driver.js';
import { contestantOf } from '../contestants.js';
import { atLeast, atMost, figureOf } from '../figures.js';
import { exchange } from '../messages-run.js';
import { quantile, runInTurns } from '../rounds.js';

/* Compares a channel with postMessage, called once for each message. postMessage has no bound, so its senders stop
 * after a number of messages. A channel's senders wait when the channel is full. */

/**
 * @typedef {import('../messages-run.js').MessageRun} MessageRun
 * @typedef {import('../messages-run.js').Exchanged} Exchanged
 * @typedef {import('../figures.js').Bound} Bound
 * @typedef {import('./scenarios.js').Options} Options
 * @typedef {object} Place
 * @property {string} title
 * @property {'main' | 'page'} loop
 * @property {number} mostPosted the number of messages that make a backlog of some tenths of a second
 * @property {(run: MessageRun) => Promise<Exchanged>} run
 */

const OTHER = 'postMessage';
const TIMES = 4000;
const PERCENTILES = /** @type {const} */ ([
    ['median', 0.5],
    ['99th percentile', 0.99],
]);

const [TO_LOOP, FROM_LOOP, BETWEEN] = /** @type {const} */ (['to loop', 'from loop', 'between']);
const WAYS = [TO_LOOP, FROM_LOOP, BETWEEN];
const SIZES = [16, 1024];

/**
 * Rivals between two workers, with messages of 16 B: the contestant of ours that each is compared with, and
 * the bound of the ratio. The ring has bytes, not messages: its program joins them, and takes them apart again.
 * @type {{ key: string, ours: string, least?: number }[]}
 */
const RIVALS = [
    { key: 'ring', ours: 'channelJoined', least: 1 },
    { key: 'ring', ours: 'channelBatches' },
    { key: 'multithreadingChannel', ours: 'channel', least: 5 },
];

const FLOOD = { way: TO_LOOP, size: 1024, isFlood: true };
const FLOOD_SECONDS = 2;
const FLOOD_EVERY_MS = 0.02;
const MOST_AGE_MS = 300;
const LEAST_FRAMES = 55;

const IDLE_SECONDS = 2;
const MOST_IDLE_PERCENT = 0.5;

/** @param {number} most @returns {Bound} */
const valueAtMost = (most) => ({ of: 'value', most });

/** @param {Place} place @param {Pick<MessageRun, 'way' | 'size' | 'senders'>} run */
function describe({ title, loop }, { way, size, senders = 1 }) {
    const workers = senders === 1 ? 'worker' : `${senders} workers`;
    const ends = {
        'to loop': `${workers} → ${loop}`,
        'from loop': `${loop} → worker`,
        between: `${workers} → worker`,
    };
    return `${title}, ${ends[way]}, ${size} B`;
}

/** @param {Place} place @param {Pick<MessageRun, 'way' | 'size'>} run */
function leastRatio({ loop }, { way, size }) {
    if (loop === 'page' && way !== BETWEEN) {
        return 3;
    }
    return way === TO_LOOP && size > 16 ? 1.2 : 2;
}

/** @param {Place} place @param {Options} options */
async function rates(place, { full, rounds, seconds }) {
    const settings = WAYS.flatMap((way) =>
        SIZES.flatMap((size) =>
            (full && way !== FROM_LOOP ? [1, 4] : [1]).map((senders) => {
                const least = leastRatio(place, { way, size });
                const hasRivals = way === BETWEEN && size === 16 && senders === 1;
                const pairs = [
                    { key: OTHER, ours: 'channel', least },
                    { key: OTHER, ours: 'channelBatches', least },
                    ...(size > 16 ? [{ key: OTHER, ours: 'channelInPlace', least }] : []),
                    ...(hasRivals ? RIVALS : []),
                ];
                return { way, size, senders, pairs };
            }),
        ),
    );
    const variants = settings.flatMap((setting) =>
        [...new Set(setting.pairs.flatMap(({ key, ours }) => [ours, key]))].map((key) => ({ setting, key })),
    );
    const measured = await runInTurns(rounds, variants, ({ key, setting: { way, size, senders } }) =>
        place.run({ way, size, senders, key, seconds, ...(key === OTHER && { most: place.mostPosted }) }),
    );
    const titles = Object.fromEntries(
        await Promise.all(variants.map(async ({ key }) => [key, (await contestantOf(key)).title])),
    );
    return settings.flatMap((setting) => {
        const of = (/** @type {string} */ key) =>
            (measured.find((one) => one.setting === setting && one.key === key)?.runs ?? []).map(
                ({ rate }) => rate,
            );
        return setting.pairs.map(({ key, ours, least }) => {
            const beside = { name: titles[key], rounds: of(key) };
            const what = `${describe(place, setting)}: messages ${titles[ours]}`;
            return figureOf(what, '/s', of(ours), beside, least ? atLeast(least) : undefined);
        });
    });
}

/**
 * In each round, makes one run of holdfast's and one of the rival's.
 * @param {Place} place @param {number} rounds @param {Omit<MessageRun, 'key'>} run
 */
async function inTurns(place, rounds, run, [own, other] = ['channel', OTHER]) {
    const measured = await runInTurns(rounds, [{ key: own }, { key: other }], ({ key }) =>
        place.run({ ...run, key }),
    );
    const [ours = [], theirs = []] = measured.map(({ runs }) => runs);
    const { title: name } = await contestantOf(other);
    return {
        ours,
        theirs,
        /** @param {string} what @param {string} unit @param {(run: Exchanged) => number} of @param {Bound} [bound] */
        figure: (what, unit, of, bound) =>
            figureOf(what, unit, ours.map(of), { name, rounds: theirs.map(of) }, bound),
    };
}

/** Questions and answers: by messages, and by calls that block. */
const QUESTIONS = [
    { way: FROM_LOOP, what: 'loop asks worker', keys: ['channel', OTHER], most: [1.15, 1] },
    { way: TO_LOOP, what: 'worker calls loop, and blocks', keys: ['calls', 'postAndWait'], most: [1.3] },
    { way: BETWEEN, what: 'worker asks worker', keys: ['channel', OTHER], most: [1.15, 1] },
];

/** @param {Place} place @param {Options} options */
async function latencies(place, { full, rounds }) {
    const figures = [];
    for (const { way, what, keys, most } of QUESTIONS.slice(0, full ? 3 : 2)) {
        const run = { way, size: 16, seconds: 0, questions: TIMES };
        const { figure } = await inTurns(place, rounds, run, /** @type {[string, string]} */ (keys));
        for (const [index, [name, part]] of PERCENTILES.entries()) {
            const bound = most[index] === undefined ? undefined : atMost(most[index]);
            figures.push(
                figure(
                    `${place.title}, ${what.replace('loop', place.loop)}, 16 B: ${name}`,
                    'µs',
                    ({ waits }) => quantile(waits, part) * 1000,
                    bound,
                ),
            );
        }
    }
    return figures;
}

/** @param {Place} place @param {Options} options */
async function floods(place, { full, rounds, seconds }) {
    const flood = { ...FLOOD, seconds: full ? FLOOD_SECONDS : seconds };
    const { ours, theirs, figure } = await inTurns(place, full ? Math.min(rounds, 3) : 1, {
        ...flood,
        everyMs: FLOOD_EVERY_MS,
    });
    const what = `${place.title}, a worker sends 1 kB every 20 µs`;
    const figures = [
        figure(`${what}: age of the last message`, 'ms', ({ lastAge }) => lastAge, valueAtMost(MOST_AGE_MS)),
    ];
    if (place.loop === 'page') {
        const { frames: drained } = await place.run({ ...flood, key: 'channel' });
        const whole = `${place.title}, a worker fills the channel without a pause: frames`;
        figures.push(
            figure(`${what}: frames`, '/s', ({ frames }) => frames),
            figureOf(whole, '/s', [drained], undefined, { of: 'value', least: LEAST_FRAMES }),
        );
    } else {
        figures.push(figure(`${what}: growth of the process`, 'MB', ({ megabytes }) => megabytes));
    }
    const series = [
        { contestant: 'holdfast', runs: ours },
        { contestant: OTHER, runs: theirs },
    ].map(({ contestant, runs }) => ({ panel: place.title, contestant, points: runs[0]?.ages ?? [] }));
    return { figures, series };
}

/** @param {Place} place @param {Options} options */
async function idle(place, { rounds }) {
    const run = { way: FROM_LOOP, size: 16, seconds: IDLE_SECONDS, questions: 1 };
    const { figure } = await inTurns(place, Math.min(rounds, 2), run);
    const what = `${place.title}, main and a worker wait for messages: processor time`;
    return [figure(what, '% of a core', (one) => one.idle * 100, valueAtMost(MOST_IDLE_PERCENT))];
}

/** @param {Place} place @param {Options} options */
async function measure(place, options) {
    const { figures, series } = await floods(place, options);
    return {
        figures: [
            ...(await rates(place, options)),
            ...(await latencies(place, options)),
            ...figures,
            ...(place.loop === 'main' ? await idle(place, options) : []),
        ],
        series,
    };
}

/** @type {import('./scenarios.js').Scenario} */
export const channel = {
    name: 'channel',
    inOtherProcesses: true,
    title: 'messages between threads by a channel: how many, how late, and what a flood does',
    async run(options) {
        const node = {
            title: 'Node.js',
            loop: /** @type {const} */ ('main'),
            mostPosted: 100_000,
            run: exchange,
        };
        const inNode = await measure(node, options);
        const { figures, series } = await inOpenBrowsers(options, ({ title, version, run }) =>
            measure({ title: `${title} ${version}`, loop: 'page', mostPosted: 20_000, run }, options),
        );
        return { figures: [...inNode.figures, ...figures], series: [...inNode.series, ...series] };
    },
};
