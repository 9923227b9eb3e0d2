/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    GATE_BESIDE_MS,
    GATE_POLLED_RESERVATION_MS,
    GATE_RESERVATION_MS,
    STEP_KIND_ASYNC,
    STEP_KIND_POLLING,
    STEP_NEXT_SHIFT,
    STEP_NEXT_WAIT_BESIDE,
    STEP_NEXT_WAIT_LINE,
    STEP_NEXT_WAIT_TURN,
    STEP_POLLS_SHIFT,
    STEP_TOKEN_IN_LINE,
    STEP_TOKEN_RANK_SHIFT,
    STEP_WATCHED_SHIFT,
    THREAD_MASK,
} from '../../js-glue/memory/layout.js';
import { Gate } from '../../js-glue/waiting/gate.js';
import { idleState, isToStep, MOST_REFUSALS, react } from '../../js-glue/waiting/decide.js';
import { PATIENT_STEPS } from '../../js-glue/thread/times.js';
import { walk } from '../support/waiting-walk.js';
import { seedFor } from '../support/seed.js';

/** @typedef {import('../../js-glue/waiting/decide.js').WaitState} WaitState */
/** @typedef {import('../../js-glue/waiting/decide.js').WaitEvent} WaitEvent */
/** @typedef {import('../../js-glue/waiting/decide.js').WaitAction} WaitAction */

const DANGLING_THREAD = 77;
const RESERVATION_MS = 3;
const NOW = 1234;
const ASK = 2;
const FIRST = /** @type {any} */ ({ ask: ASK, waits: true });
const REASON = new Error('enough');

/**
 * @param {Partial<WaitState>} [parts]
 * @returns {WaitState}
 */
function stateWith(parts = {}) {
    return Object.freeze({ ...idleState(false), ...parts });
}

/**
 * @param {'done' | import('../../js-glue/waiting/decide.js').Word} next
 * @param {{ expected?: number, seen?: number, watched?: number, isSenior?: boolean, reservation?: number, now?: number }} [more]
 * @returns {WaitEvent}
 */
function stepped(next, more = {}) {
    const none = { expected: 0, seen: 0, watched: 0, isSenior: false, reservation: RESERVATION_MS };
    return { type: 'stepped', next, ...none, now: NOW, ...more };
}

/**
 * @param {WaitState} state
 * @param {WaitEvent} event
 * @param {Partial<WaitState>} change
 * @param {WaitAction[]} actions
 */
function assertReaction(state, event, change, actions) {
    assert.deepEqual(react(state, event), { state: { ...state, ...change }, actions });
}

/** What is no longer there once nobody waits. */
const AT_REST = {
    ...{ looks: false, watched: 0, senior: 0, leftSince: 0, refused: 0, inVain: 0, next: 'done', seen: 0 },
};

/**
 * @param {WaitState} state
 * @param {WaitEvent} event
 * @param {Partial<WaitState>} change
 * @param {WaitAction[]} actions
 */
function assertRest(state, event, change, actions) {
    assertReaction(state, event, /** @type {Partial<WaitState>} */ ({ ...AT_REST, ...change }), actions);
}

/**
 * Of a step in vain, which counts.
 *
 * @param {WaitState} state
 * @param {WaitEvent} event
 * @param {Partial<WaitState>} change
 * @param {WaitAction[]} actions
 */
function assertInVain(state, event, change, actions) {
    assertReaction(state, event, { inVain: (state.inVain + 1) % PATIENT_STEPS, ...change }, actions);
}

/** @returns {WaitEvent} */
const requested = ({ isHeldUp = false, isFirst = true, waits = true } = {}) => ({
    ...{ type: 'requested', isFirst, waits, isHeldUp, now: NOW },
});

/** @param {object} [more] @returns {WaitEvent} */
const checked = (more) => ({
    ...{ type: 'checked', first: FIRST, isHeldUp: false, end: undefined, watched: 0, now: NOW },
    ...more,
});

/** @param {'none' | 'same' | 'other'} left @param {object} [more] @returns {WaitEvent} */
const ended = (left, more) => ({
    ...{ type: 'ended', request: FIRST, reason: REASON, isMet: false, isFirst: true, left },
    ...more,
});

/** @param {number} [watched] @returns {WaitAction} */
const check = (watched = 0) => ({ type: 'check', watched });

/** @type {WaitAction} */
const REJECT = { type: 'reject', request: FIRST, reason: REASON };

const PHASES = /** @type {const} */ (['idle', 'asked', 'waiting', 'changed', 'resting']);

/** One that has waited for a while, by all that there is. */
const WAITING = stateWith({
    ...{ phase: 'waiting', turn: true, line: true, watched: DANGLING_THREAD },
    ...{ refused: 1, inVain: 3, since: NOW, next: 'line', seen: 9 },
});

test('waiting: the first request defers its first step to the end of the job', () => {
    assertReaction(stateWith(), requested(), { phase: 'asked', since: NOW }, [{ type: 'defer' }]);
    assertReaction(stateWith({ phase: 'asked' }), { type: 'jobEnded' }, {}, [check()]);
});

test('waiting: a request that its own thread holds up waits to hear of the end of that', () => {
    assertReaction(stateWith(), requested({ isHeldUp: true }), { since: NOW }, []);
    assertReaction(stateWith(), { type: 'released', waits: true, isHeldUp: true }, {}, []);
    const ended = stateWith({ since: NOW });
    assertReaction(ended, { type: 'released', waits: false, isHeldUp: false }, { since: 0 }, []);
    assertReaction(ended, { type: 'released', waits: true, isHeldUp: false }, {}, [{ type: 'goOn' }]);
});

test('waiting: a section that had lost the lock starts those again that wait, with their time', () => {
    const held = stateWith({ since: 5 });
    const again = requested({ isFirst: false });
    assertReaction(held, again, { phase: 'asked' }, [{ type: 'defer' }]);
    assertReaction(stateWith(), requested({ isFirst: false, waits: false }), {}, []);
});

for (const phase of PHASES.slice(1)) {
    test(`waiting: one more request while ${phase} changes nothing`, () => {
        assertReaction(stateWith({ phase }), requested({ isFirst: false }), {}, []);
    });
}

for (const phase of /** @type {const} */ (['idle', 'waiting', 'resting'])) {
    test(`waiting: a job that ended steps no queue that is ${phase}`, () => {
        assertReaction(stateWith({ phase }), { type: 'jobEnded' }, {}, []);
    });
}

/* ---- Before a step ---- */

test('waiting: a step asks for what the first request asks, from when it has waited', () => {
    const step = { type: /** @type {const} */ ('step'), ask: ASK, watched: 0, since: NOW, now: NOW };
    const asked = stateWith({ phase: 'asked', since: NOW });
    assertReaction(asked, checked(), {}, [{ ...step, comesLate: false, inLine: false }]);
    const inLine = stateWith({ ...asked, line: true });
    assertReaction(inLine, checked({ watched: DANGLING_THREAD }), {}, [
        { ...step, comesLate: false, inLine: true, watched: DANGLING_THREAD },
    ]);
});

test('waiting: each so many steps it comes late, and always where it looks by timer', () => {
    const late = (/** @type {WaitState} */ state) =>
        /** @type {any} */ (react(state, checked()).actions[0]).comesLate;
    const steps = Array.from({ length: PATIENT_STEPS }, (_, inVain) => late(stateWith({ inVain })));
    assert.deepEqual(
        steps,
        steps.map((_, inVain) => inVain === PATIENT_STEPS - 1),
    );
    const inVain = steps.map(
        (_, before) => react(stateWith({ inVain: before }), stepped('turn')).state.inVain,
    );
    assert.deepEqual(
        inVain,
        steps.map((_, before) => (before + 1) % PATIENT_STEPS),
    );
    assert.equal(late({ ...idleState(true), phase: 'asked' }), true);
});

for (const [what, facts] of /** @type {const} */ ([
    ['nobody waits any more', { first: undefined }],
    ['a section of the thread holds it up', { isHeldUp: true }],
])) {
    test(`waiting: where ${what}, no step is made, and the place is given back`, () => {
        const actions = /** @type {WaitAction[]} */ ([{ type: 'stopWatch' }, { type: 'withdraw' }]);
        assertRest(WAITING, checked(facts), { phase: 'idle' }, actions);
        assertRest(stateWith({ phase: 'asked' }), checked(facts), { phase: 'idle' }, []);
    });
}

for (const phase of PHASES) {
    test(`waiting: a first request found aborted at a step while ${phase} ends, and the next one is stepped for`, () => {
        const after = phase === 'waiting' || phase === 'changed' ? 'changed' : 'asked';
        const state = stateWith({ phase, looks: true });
        const change = /** @type {const} */ ({ phase: after, looks: false });
        assertReaction(state, checked({ end: { reason: REASON } }), change, [
            { type: 'stopLook' },
            { type: 'end', request: FIRST, reason: REASON },
            { type: 'goOn' },
        ]);
    });
}

/* ---- Ends ---- */

test('waiting: a request whose time is up ends once', () => {
    const due = { type: /** @type {const} */ ('due'), reason: REASON };
    const ended = /** @type {any} */ ({ ...FIRST, waits: false });
    assertReaction(WAITING, { ...due, request: FIRST }, {}, [
        { type: 'end', request: FIRST, reason: REASON },
    ]);
    assertReaction(WAITING, { ...due, request: ended }, {}, []);
});

test('waiting: one that was met at the last moment runs, and others are rejected', () => {
    assertReaction(WAITING, ended('same'), {}, [REJECT]);
    assertReaction(WAITING, ended('same', { isMet: true }), {}, [{ type: 'run', request: FIRST }]);
});

test('waiting: when the first gives up and the next asks for something else, it steps as the job ends, once', () => {
    const waiting = stateWith({ phase: 'waiting', line: true });
    assertReaction(waiting, ended('other'), { phase: 'changed' }, [REJECT, { type: 'defer' }]);
    const changed = stateWith({ ...waiting, phase: 'changed' });
    assertReaction(changed, ended('other'), {}, [REJECT]);
    assertReaction(changed, { type: 'jobEnded' }, {}, [check()]);
    assertReaction(changed, { type: 'wentOn', isOver: true }, {}, [{ type: 'rest' }]);
    assertReaction(changed, { type: 'rested' }, {}, [check()]);
});

for (const [isFirst, left] of /** @type {const} */ ([
    [true, 'same'],
    [false, 'same'],
    [false, 'other'],
])) {
    test(`waiting: one that was ${isFirst ? '' : 'not '}first gives up, ${left} is left: nothing changes`, () => {
        for (const phase of PHASES) {
            assertReaction(stateWith({ phase }), ended(left, { isFirst }), {}, [REJECT]);
        }
    });
}

for (const phase of /** @type {const} */ (['waiting', 'changed'])) {
    test(`waiting: the last request that gives up while ${phase} withdraws and stops the timer`, () => {
        const state = stateWith({ ...WAITING, phase });
        assertRest(state, ended('none'), { phase: 'idle', since: 0 }, [
            ...[REJECT, /** @type {const} */ ({ type: 'stopWatch' })],
            { type: 'withdraw' },
        ]);
    });
}

for (const phase of /** @type {const} */ (['asked', 'resting'])) {
    test(`waiting: the last request that gives up while ${phase} has nothing to withdraw`, () => {
        assertRest(stateWith({ phase, since: NOW }), ended('none'), { phase: 'idle', since: 0 }, [REJECT]);
    });
}

test('waiting: what is freed is not touched again, and no timer is left', () => {
    const state = WAITING;
    assertRest(state, { type: 'freed' }, { phase: 'freed', since: 0 }, [
        { type: 'stopWatch' },
        { type: 'rejectAll' },
    ]);
    const freed = stateWith({ phase: 'freed', line: true });
    for (const event of /** @type {WaitEvent[]} */ ([
        requested(),
        ended('none'),
        checked(),
        stepped('line'),
        { type: 'woken', word: 'line' },
        { type: 'wentOn', isOver: false },
        { type: 'due', request: FIRST, reason: REASON },
    ])) {
        assertReaction(freed, event, {}, []);
    }
});

test('waiting: an action that could not be done ends the first request, or is told where nobody waits', () => {
    const failed = { type: /** @type {const} */ ('failed'), reason: REASON };
    const change = /** @type {const} */ ({ phase: 'changed', watched: 0, refused: 0 });
    assertReaction(WAITING, { ...failed, first: FIRST, word: 'turn' }, { ...change, turn: false }, [
        { type: 'stopWatch' },
        { type: 'end', request: FIRST, reason: REASON },
        { type: 'goOn' },
    ]);
    assertReaction(stateWith(), { ...failed, first: undefined }, {}, [{ type: 'throw', reason: REASON }]);
    assertRest(WAITING, { ...failed, first: undefined }, { phase: 'idle', since: 0 }, [
        { type: 'stopWatch' },
        { type: 'throw', reason: REASON },
        { type: 'withdraw' },
    ]);
});

/* ---- Words that are never as they were seen ---- */

test('waiting: a word that has changed steps again, but not for ever in one job', () => {
    let state = stateWith({ phase: 'waiting', turn: true });
    for (let refused = 1; refused < MOST_REFUSALS; refused += 1) {
        assertReaction(state, { type: 'refused', word: 'turn' }, { turn: false, refused }, [check()]);
        state = stateWith({ phase: 'waiting', turn: true, refused });
    }
    const looks = /** @type {const} */ ({ turn: false, refused: MOST_REFUSALS, looks: true });
    assertReaction(state, { type: 'refused', word: 'turn' }, looks, [{ type: 'look' }]);
    const napping = stateWith({ phase: 'waiting', refused: MOST_REFUSALS, looks: true });
    assertReaction(napping, { type: 'looked' }, { refused: 0 }, [check()]);
    const inLine = stateWith({ ...napping, line: true });
    assertReaction(inLine, { type: 'woken', word: 'line' }, { refused: 0, line: false }, [check()]);
    assertInVain(inLine, stepped('line'), { looks: false, next: 'line' }, [{ type: 'stopLook' }]);
});

test('waiting: a word that has changed too often is looked at soon, while what is in the way is watched on', () => {
    const state = stateWith({ ...WAITING, refused: MOST_REFUSALS - 1 });
    const looks = { turn: false, refused: MOST_REFUSALS, looks: true };
    assertReaction(state, { type: 'refused', word: 'turn' }, looks, [{ type: 'look' }]);
    const looking = stateWith({ ...WAITING, looks: true });
    const event = stepped('line', { watched: DANGLING_THREAD, seen: WAITING.seen });
    assertInVain(looking, event, { looks: false }, [{ type: 'stopLook' }]);
    assertRest(looking, { type: 'freed' }, { phase: 'freed', since: 0 }, [
        ...[/** @type {const} */ ({ type: 'stopWatch' }), /** @type {const} */ ({ type: 'stopLook' })],
        { type: 'rejectAll' },
    ]);
});

/* ---- Steps and what they come to ---- */

test('waiting: a lock that is taken meets the first request, and the time of the next one begins', () => {
    const asked = stateWith({ phase: 'asked', since: 5, inVain: 3 });
    assertRest(asked, stepped('done'), { phase: 'idle', since: NOW }, [{ type: 'meet' }]);
});

test('waiting: a lock that is taken ends the watch, and leaves pending entries as they are', () => {
    assertRest(WAITING, stepped('done'), { phase: 'idle', since: NOW }, [
        { type: 'stopWatch' },
        { type: 'meet' },
    ]);
});

for (const word of /** @type {const} */ (['turn', 'line'])) {
    test(`waiting: a step in vain arms an entry on ${word} with the value that it saw`, () => {
        assertInVain(
            stateWith({ phase: 'asked' }),
            stepped(word, { expected: 9, seen: 8 }),
            { phase: 'waiting', [word]: true, next: word, seen: 8 },
            [{ type: 'arm', word, expected: 9 }],
        );
    });

    test(`waiting: an entry on ${word} that is pending is used again, not armed twice`, () => {
        const state = stateWith({ phase: 'asked', [word]: true });
        assertInVain(state, stepped(word, { expected: 9 }), { phase: 'waiting', next: word }, []);
    });

    test(`waiting: an entry on ${word} that comes back steps, and stands there no more`, () => {
        const state = stateWith({ phase: 'waiting', [word]: true });
        assertReaction(state, { type: 'woken', word }, { [word]: false }, [check()]);
    });

    for (const phase of /** @type {const} */ (['idle', 'asked', 'resting'])) {
        test(`waiting: an entry on ${word} that comes back while ${phase} is forgotten`, () => {
            const state = stateWith({ phase, [word]: true });
            assertReaction(state, { type: 'woken', word }, { [word]: false }, []);
        });
    }
}

test('waiting: an entry in the line is announced by one more step, one on the turn is not', () => {
    const state = stateWith({ phase: 'waiting', turn: true, line: true });
    assertReaction(state, { type: 'armed', word: 'line' }, {}, [check()]);
    assertReaction(state, { type: 'armed', word: 'turn' }, {}, []);
});

test('waiting: a call that is in the way is watched by one timer, started once', () => {
    const asked = stateWith({ phase: 'asked', line: true });
    const watching = /** @type {Partial<WaitState>} */ ({
        ...{ phase: 'waiting', watched: DANGLING_THREAD, next: 'line' },
    });
    const event = stepped('line', { watched: DANGLING_THREAD });
    assertInVain(asked, event, watching, [{ type: 'watch', milliseconds: RESERVATION_MS }]);
    assertInVain({ ...asked, ...watching }, event, {}, []);
    assertInVain({ ...asked, ...watching }, stepped('line', { watched: 78 }), { watched: 78 }, [
        { type: 'stopWatch' },
        { type: 'watch', milliseconds: RESERVATION_MS },
    ]);
    assertInVain({ ...asked, ...watching }, stepped('line'), { watched: 0 }, [{ type: 'stopWatch' }]);
});

test('waiting: a call that outlasted its time is named in the next step, if it is still the one that is watched', () => {
    const change = /** @type {const} */ ({ watched: 0, refused: 0 });
    assertReaction(WAITING, { type: 'outlasted', isOn: true }, change, [check(DANGLING_THREAD)]);
    assertReaction(WAITING, { type: 'outlasted', isOn: false }, {}, []);
});

const SENIOR = 79;

/** @param {number} now */
const leavesToSenior = (now, watched = SENIOR) =>
    stepped('line', { watched, isSenior: true, reservation: GATE_POLLED_RESERVATION_MS, now });

test('waiting: the time that a place is left to a senior runs on while others have it', () => {
    const asked = stateWith({ phase: 'asked', line: true });
    const first = react(asked, leavesToSenior(NOW));
    assert.deepEqual(first.actions, [{ type: 'watch', milliseconds: GATE_POLLED_RESERVATION_MS }]);
    const { state } = react(first.state, stepped('line', { now: NOW + 1 }));
    assert.deepEqual([state.watched, state.senior, state.leftSince], [0, SENIOR, NOW]);
    const second = react(state, leavesToSenior(NOW + 3));
    assert.deepEqual([second.state.watched, second.state.leftSince], [SENIOR, NOW]);
    const another = react(second.state, leavesToSenior(NOW + 4, SENIOR + 1));
    assert.deepEqual([another.state.senior, another.state.leftSince], [SENIOR + 1, NOW + 4]);
});

test('waiting: a step names the senior once the place has been left to it for the whole time', () => {
    const waiting = stateWith({ phase: 'waiting', line: true, senior: SENIOR, leftSince: NOW });
    const namedAt = (/** @type {number} */ now, watched = 0) => {
        const [step] = react(waiting, checked({ now, watched })).actions;
        return step?.type === 'step' ? step.watched : NaN;
    };
    assert.equal(namedAt(NOW + GATE_POLLED_RESERVATION_MS - 1), 0);
    assert.equal(namedAt(NOW + GATE_POLLED_RESERVATION_MS), SENIOR);
    assert.equal(namedAt(NOW + GATE_POLLED_RESERVATION_MS, DANGLING_THREAD), DANGLING_THREAD);
    assertRest(waiting, stepped('done'), { phase: 'idle', since: NOW }, [{ type: 'meet' }]);
});

test('waiting: the end of a section steps at once, or after a rest', () => {
    assertReaction(stateWith(), { type: 'wentOn', isOver: false }, {}, [check()]);
    assertReaction(stateWith(), { type: 'wentOn', isOver: true }, { phase: 'resting' }, [{ type: 'rest' }]);
    assertReaction(stateWith({ phase: 'resting' }), { type: 'rested' }, {}, [check()]);
});

for (const phase of /** @type {const} */ (['waiting', 'resting'])) {
    test(`waiting: a section whose end is heard of only while ${phase} changes nothing`, () => {
        assertReaction(stateWith({ phase }), { type: 'wentOn', isOver: false }, {}, []);
        assertReaction(stateWith({ phase }), { type: 'wentOn', isOver: true }, {}, []);
    });
}

for (const phase of /** @type {const} */ (['idle', 'asked', 'waiting'])) {
    test(`waiting: a rest that ends while ${phase} changes nothing`, () => {
        assertReaction(stateWith({ phase }), { type: 'rested' }, {}, []);
    });
}

/* ---- Looks ---- */

test('waiting: a look steps if the word has changed that its entry is on, or nothing can be waited for', () => {
    const waiting = stateWith({ phase: 'waiting', next: 'turn', seen: 9 });
    assert.equal(isToStep(waiting, 8, true, 'turn'), true);
    assert.equal(isToStep(waiting, 9, true, 'turn'), false);
    assert.equal(isToStep(waiting, 8, true, 'line'), false);
    assert.equal(isToStep(waiting, 9, false, 'turn'), true);
    assert.equal(isToStep(stateWith({ next: 'turn', seen: 9 }), 8, false, 'turn'), false);
    assert.equal(isToStep(waiting, 9, true), false);
    assert.equal(isToStep(waiting, 8, true), true);
    assert.equal(isToStep(stateWith({ phase: 'waiting', next: 'line', seen: 9 }), 9, true), true);
    assertReaction(stateWith({ phase: 'asked' }), { type: 'looked' }, {}, []);
});

test('waiting: without waitAsync a step in vain begins to look, goes on with it, and arms nothing', () => {
    const asked = { ...idleState(true), phase: /** @type {const} */ ('asked') };
    const looks = /** @type {Partial<WaitState>} */ ({ phase: 'waiting', looks: true, next: 'line' });
    assertInVain(asked, stepped('line'), looks, [{ type: 'look' }]);
    assertInVain({ ...asked, ...looks }, stepped('line'), {}, []);
});

test('waiting: without waitAsync a place is watched no longer than a reservation, since it does not look meanwhile', () => {
    const event = stepped('line', { watched: DANGLING_THREAD, reservation: GATE_BESIDE_MS });
    const looking = stateWith({ phase: 'waiting', polls: true, looks: true });
    assert.deepEqual(react(looking, event).actions, [
        { type: 'stopLook' },
        { type: 'watch', milliseconds: GATE_POLLED_RESERVATION_MS },
    ]);
    const { actions } = react(stateWith({ phase: 'waiting', line: true }), event);
    assert.deepEqual(actions, [{ type: 'watch', milliseconds: GATE_BESIDE_MS }]);
});

for (const polls of [false, true]) {
    test(`waiting: a random walk keeps the invariants (${polls ? 'by timer' : 'by waitAsync'})`, (t) => {
        walk(seedFor(t), polls, 200_000);
    });
}

/* ---- The gate's numbers ---- */

const GATE_ADDRESS = 1024;
const SELF = 5;
const AMOUNT = 3;
const CAPACITY = 9;

/**
 * A gate whose module does nothing but note how it is called, and return this.
 * @param {bigint} [outcome]
 */
function notedGate(outcome = 0n) {
    /** @type {[name: string, ...parameters: number[]][]} */
    const calls = [];
    const noted = (/** @type {string} */ name) => {
        return (/** @type {number[]} */ ...parameters) => {
            calls.push([name, ...parameters]);
            return outcome;
        };
    };
    const exports = { gate_step: noted('gate_step'), gate_withdraw: noted('gate_withdraw') };
    const attachment = /** @type {any} */ ({
        memory: { buffer: new ArrayBuffer(2 * GATE_ADDRESS) },
        exports,
        self: SELF,
    });
    return {
        gate: new Gate(attachment, GATE_ADDRESS, { at: 0, capacityOf: () => CAPACITY, late: '' }),
        calls,
    };
}

test('waiting: a step and a withdrawal tell the module how the thread waits, for what, where, and whom it watched', () => {
    const { gate, calls } = notedGate();
    gate.step(AMOUNT, false, true, DANGLING_THREAD, 0);
    gate.step(1, true, false, 0, 0);
    gate.withdraw();
    const watching = STEP_TOKEN_IN_LINE | DANGLING_THREAD;
    assert.deepEqual(calls, [
        ['gate_step', GATE_ADDRESS, SELF, STEP_KIND_ASYNC, watching, AMOUNT, CAPACITY],
        ['gate_step', GATE_ADDRESS, SELF, STEP_KIND_POLLING, 0, 1, CAPACITY],
        ['gate_withdraw', GATE_ADDRESS, SELF, STEP_KIND_ASYNC, 0, CAPACITY],
    ]);
});

test('waiting: a step tells the module how long the thread has waited, roughly', () => {
    const { gate, calls } = notedGate();
    const waits = [0, 3.9, 4, 15, 16, 63, 64, 1e9];
    waits.forEach((waited) => gate.step(1, false, false, 0, waited));
    const ranks = calls.map(([, , , , token = 0]) => token >>> STEP_TOKEN_RANK_SHIFT);
    assert.deepEqual(ranks, [0, 0, 1, 1, 2, 2, 3, 3]);
});

test('waiting: the outcome of a step says what to wait for, and which call to watch for how long', () => {
    /**
     * @param {number} next
     * @param {number} polls
     */
    const outcome = (next, polls) =>
        BigInt.asIntN(
            64,
            0xffff_fff7n |
                (BigInt(next) << BigInt(STEP_NEXT_SHIFT)) |
                (BigInt(polls) << BigInt(STEP_POLLS_SHIFT)) |
                (BigInt(THREAD_MASK) << BigInt(STEP_WATCHED_SHIFT)),
        );
    const stepOf = (/** @type {bigint} */ of) => notedGate(of).gate.step(AMOUNT, false, false, 0, 0);
    const rest = { expected: -9, watched: THREAD_MASK, isSenior: false };
    assert.deepEqual(stepOf(outcome(STEP_NEXT_WAIT_TURN, 0)), {
        ...{ ...rest, next: 'turn', reservation: GATE_RESERVATION_MS },
    });
    assert.deepEqual(stepOf(outcome(STEP_NEXT_WAIT_LINE, 1)), {
        ...{ ...rest, next: 'line', reservation: GATE_POLLED_RESERVATION_MS },
    });
    assert.deepEqual(stepOf(outcome(STEP_NEXT_WAIT_BESIDE, 0)), {
        ...{ ...rest, next: 'line', reservation: GATE_BESIDE_MS },
    });
    assert.deepEqual(stepOf(outcome(STEP_NEXT_WAIT_BESIDE, 1)), {
        ...{ ...rest, next: 'line', isSenior: true, reservation: GATE_POLLED_RESERVATION_MS },
    });
});
