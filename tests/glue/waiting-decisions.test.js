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
    STEP_NEXT_WAIT_QUEUE,
    STEP_NEXT_WAIT_TURN,
    STEP_POLLS_SHIFT,
    STEP_TOKEN_IN_LINE,
    STEP_TOKEN_RANK_SHIFT,
    STEP_WATCHED_SHIFT,
    THREAD_MASK,
} from '../../js-glue/memory/layout.js';
import { Gate } from '../../js-glue/waiting/gate.js';
import { idleState, MOST_REFUSALS, react } from '../../js-glue/waiting/decide.js';
import { walk } from '../support/waiting-walk.js';
import { seedFor } from '../support/seed.js';

/** @typedef {import('../../js-glue/waiting/decide.js').WaitState} WaitState */
/** @typedef {import('../../js-glue/waiting/decide.js').WaitEvent} WaitEvent */

const DANGLING_THREAD = 77;
const RESERVATION_MS = 3;

/**
 * @param {Partial<WaitState>} [parts]
 * @returns {WaitState}
 */
function stateWith(parts = {}) {
    return Object.freeze({ ...idleState(false), ...parts });
}

/**
 * @param {'done' | import('../../js-glue/waiting/decide.js').Word} next
 * @param {{ expected?: number, watched?: number }} [more]
 * @returns {WaitEvent}
 */
function stepped(next, { expected = 0, watched = 0 } = {}) {
    return { type: 'stepped', next, expected, watched, reservation: RESERVATION_MS };
}

/**
 * @param {WaitState} state
 * @param {WaitEvent} event
 * @param {Partial<WaitState>} change
 * @param {import('../../js-glue/waiting/decide.js').WaitAction[]} actions
 */
function assertReaction(state, event, change, actions) {
    assert.deepEqual(react(state, event), { state: { ...state, ...change }, actions });
}

/** @param {boolean} [isHeldUp] @returns {WaitEvent} */
const requested = (isHeldUp = false) => ({ type: 'requested', isHeldUp });

/** @type {import('../../js-glue/waiting/decide.js').WaitAction} */
const STEP = { type: 'step', watched: 0, inLine: false };

test('waiting: the first request defers its first step to the end of the job', () => {
    assertReaction(stateWith(), requested(), { phase: 'asked' }, [{ type: 'defer' }]);
    assertReaction(stateWith({ phase: 'asked' }), { type: 'jobEnded' }, {}, [STEP]);
});

test('waiting: a request that its own thread holds up waits to hear of the end of that', () => {
    assertReaction(stateWith(), requested(true), {}, []);
    assertReaction(stateWith(), { type: 'served', waits: true, isHeldUp: true }, {}, []);
    assertReaction(stateWith(), { type: 'served', waits: false, isHeldUp: false }, {}, []);
    const goOn = /** @type {const} */ ({ type: 'goOn' });
    assertReaction(stateWith(), { type: 'served', waits: true, isHeldUp: false }, {}, [goOn]);
});

for (const phase of /** @type {const} */ (['asked', 'waiting', 'changed', 'resting'])) {
    test(`waiting: one more request while ${phase} changes nothing`, () => {
        assertReaction(stateWith({ phase }), requested(), {}, []);
    });
}

for (const phase of /** @type {const} */ (['idle', 'waiting', 'resting'])) {
    test(`waiting: a job that ended steps no queue that is ${phase}`, () => {
        assertReaction(stateWith({ phase }), { type: 'jobEnded' }, {}, []);
    });
}

/* ---- Giving up ---- */

test('waiting: when the first gives up and the next asks for something else, it steps as the job ends, once', () => {
    const gaveUp = /** @type {const} */ ({ type: 'gaveUp', wasFirst: true, left: 'other' });
    const waiting = stateWith({ phase: 'waiting', line: true, watched: DANGLING_THREAD });
    assertReaction(waiting, gaveUp, { phase: 'changed' }, [{ type: 'defer' }]);
    const changed = stateWith({ ...waiting, phase: 'changed' });
    assertReaction(changed, gaveUp, {}, []);
    assertReaction(changed, { type: 'jobEnded' }, {}, [{ ...STEP, inLine: true }]);
    assertReaction(changed, { type: 'sectionEnded', rest: true }, {}, [{ type: 'rest' }]);
    assertReaction(changed, { type: 'rested' }, {}, [{ ...STEP, inLine: true }]);
});

for (const [wasFirst, left] of /** @type {const} */ ([
    [true, 'same'],
    [false, 'same'],
    [false, 'other'],
])) {
    test(`waiting: one that was ${wasFirst ? '' : 'not '}first gives up, ${left} is left: nothing changes`, () => {
        for (const phase of /** @type {const} */ (['idle', 'asked', 'waiting', 'changed', 'resting'])) {
            assertReaction(stateWith({ phase }), { type: 'gaveUp', wasFirst, left }, {}, []);
        }
    });
}

for (const phase of /** @type {const} */ (['waiting', 'changed'])) {
    test(`waiting: the last request that gives up while ${phase} withdraws and stops the timer`, () => {
        const state = stateWith({ phase, line: true, turn: true, watched: DANGLING_THREAD });
        const actions = [
            { type: /** @type {const} */ ('stopTimer') },
            { type: /** @type {const} */ ('withdraw') },
        ];
        const change = { phase: /** @type {const} */ ('idle'), watched: 0 };
        assertReaction(state, { type: 'gaveUp', wasFirst: true, left: 'none' }, change, actions);
        assertReaction(state, { type: 'emptied' }, change, actions);
    });
}

test('waiting: what is freed is not touched again, and no timer is left', () => {
    const state = stateWith({ phase: 'waiting', line: true, turn: true, watched: DANGLING_THREAD });
    const actions = [{ type: /** @type {const} */ ('stopTimer') }];
    assertReaction(state, { type: 'freed' }, { phase: 'idle', watched: 0 }, actions);
    assertReaction(stateWith({ phase: 'asked' }), { type: 'freed' }, { phase: 'idle' }, []);
    assertReaction(stateWith(), { type: 'sectionEnded', rest: false }, {}, [STEP]);
    assertReaction(stateWith(), { type: 'emptied' }, {}, []);
});

for (const phase of /** @type {const} */ (['idle', 'asked', 'waiting', 'changed', 'resting'])) {
    test(`waiting: a first request found aborted at a step while ${phase} ends, and the next one is stepped for`, () => {
        const after = phase === 'waiting' || phase === 'changed' ? 'changed' : 'asked';
        const reason = new Error('enough');
        const actions = [
            { type: /** @type {const} */ ('giveUp'), reason },
            { type: /** @type {const} */ ('goOn') },
        ];
        assertReaction(stateWith({ phase }), { type: 'aborted', reason }, { phase: after }, actions);
    });
}

test('waiting: an entry that could not be armed is none, and the watch of its request ends', () => {
    const state = stateWith({ phase: 'waiting', turn: true, watched: DANGLING_THREAD });
    const reason = new Error('out of memory');
    assertReaction(
        state,
        { type: 'aborted', reason, word: 'turn' },
        { phase: 'changed', turn: false, watched: 0 },
        [{ type: 'stopTimer' }, { type: 'giveUp', reason }, { type: 'goOn' }],
    );
});

/* ---- Words that are never as they were seen ---- */

test('waiting: a word that has changed steps again, but not for ever in one job', () => {
    let state = stateWith({ phase: 'waiting', turn: true });
    for (let refused = 1; refused < MOST_REFUSALS; refused += 1) {
        assertReaction(state, { type: 'refused', word: 'turn' }, { turn: false, refused }, [STEP]);
        state = stateWith({ phase: 'waiting', turn: true, refused });
    }
    assertReaction(state, { type: 'refused', word: 'turn' }, { turn: false, refused: MOST_REFUSALS }, [
        { type: 'startTimer', milliseconds: 1, then: 'polled' },
    ]);
    const naps = stateWith({ phase: 'waiting', refused: MOST_REFUSALS });
    assertReaction(naps, { type: 'polled' }, { refused: 0 }, [{ type: 'stopTimer' }, STEP]);
    const inLine = stateWith({ ...naps, line: true });
    assertReaction(inLine, { type: 'woken', word: 'line' }, { refused: 0, line: false }, [
        { type: 'stopTimer' },
        STEP,
    ]);
    assertReaction(naps, { type: 'emptied' }, { refused: 0, phase: 'idle' }, [
        { type: 'stopTimer' },
        { type: 'withdraw' },
    ]);
});

test('waiting: a word that has changed too often waits for the end of the reservation that is watched', () => {
    const state = stateWith({
        ...{ phase: 'waiting', turn: true, refused: MOST_REFUSALS - 1, watched: DANGLING_THREAD },
    });
    assertReaction(state, { type: 'refused', word: 'turn' }, { turn: false, refused: MOST_REFUSALS }, []);
    const naps = stateWith({ ...state, turn: false, refused: MOST_REFUSALS });
    assertReaction(naps, { type: 'outlasted' }, { watched: 0, refused: 0 }, [
        { ...STEP, watched: DANGLING_THREAD },
    ]);
});

/* ---- Steps and what they come to ---- */

test('waiting: a lock that is taken runs the first request, and there is nothing to stop', () => {
    assertReaction(stateWith({ phase: 'asked' }), stepped('done'), { phase: 'idle' }, [{ type: 'run' }]);
});

test('waiting: a lock that is taken ends the watch', () => {
    const state = stateWith({ phase: 'waiting', watched: DANGLING_THREAD });
    assertReaction(state, stepped('done'), { phase: 'idle', watched: 0 }, [
        { type: 'stopTimer' },
        { type: 'run' },
    ]);
});

test('waiting: a lock that is taken leaves pending entries as they are', () => {
    const state = stateWith({ phase: 'waiting', turn: true, line: true });
    assertReaction(state, stepped('done'), { phase: 'idle' }, [{ type: 'run' }]);
});

for (const word of /** @type {const} */ (['turn', 'line'])) {
    test(`waiting: a step in vain arms an entry on ${word} with the value that it saw`, () => {
        assertReaction(
            stateWith({ phase: 'asked' }),
            stepped(word, { expected: 9 }),
            { phase: 'waiting', [word]: true },
            [{ type: 'arm', word, expected: 9 }],
        );
    });

    test(`waiting: an entry on ${word} that is pending is used again, not armed twice`, () => {
        const state = stateWith({ phase: 'asked', [word]: true });
        assertReaction(state, stepped(word, { expected: 9 }), { phase: 'waiting' }, []);
    });

    test(`waiting: an entry on ${word} that comes back steps, and stands there no more`, () => {
        const state = stateWith({ phase: 'waiting', [word]: true });
        assertReaction(state, { type: 'woken', word }, { [word]: false }, [
            { type: 'step', watched: 0, inLine: false },
        ]);
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
    assertReaction(state, { type: 'armed', word: 'line' }, {}, [{ type: 'step', watched: 0, inLine: true }]);
    assertReaction(state, { type: 'armed', word: 'turn' }, {}, []);
});

test('waiting: a turn that comes while an entry stands in the line steps with that entry', () => {
    const state = stateWith({ phase: 'waiting', turn: true, line: true });
    assertReaction(state, { type: 'woken', word: 'turn' }, { turn: false }, [
        { type: 'step', watched: 0, inLine: true },
    ]);
});

test('waiting: a reservation is watched by one timer, started once', () => {
    const asked = stateWith({ phase: 'asked', line: true });
    const watching = { phase: /** @type {const} */ ('waiting'), watched: DANGLING_THREAD };
    assertReaction(asked, stepped('line', { watched: DANGLING_THREAD }), watching, [
        { type: 'startTimer', milliseconds: RESERVATION_MS, then: 'outlasted' },
    ]);
    assertReaction({ ...asked, ...watching }, stepped('line', { watched: DANGLING_THREAD }), {}, []);
});

test('waiting: a reservation for another thread starts the watch anew', () => {
    const state = stateWith({ phase: 'waiting', line: true, watched: DANGLING_THREAD });
    assertReaction(state, stepped('line', { watched: 78 }), { watched: 78 }, [
        { type: 'stopTimer' },
        { type: 'startTimer', milliseconds: RESERVATION_MS, then: 'outlasted' },
    ]);
});

test('waiting: a reservation that was taken up ends the watch', () => {
    const state = stateWith({ phase: 'waiting', line: true, watched: DANGLING_THREAD });
    assertReaction(state, stepped('line'), { watched: 0 }, [{ type: 'stopTimer' }]);
});

test('waiting: a reservation that outlasted its time is named in the next step', () => {
    const state = stateWith({ phase: 'waiting', line: true, watched: DANGLING_THREAD });
    assertReaction(state, { type: 'outlasted' }, { watched: 0 }, [
        { type: 'step', watched: DANGLING_THREAD, inLine: true },
    ]);
});

for (const phase of /** @type {const} */ (['asked', 'resting'])) {
    test(`waiting: the last request that gives up while ${phase} has nothing to withdraw`, () => {
        assertReaction(stateWith({ phase }), { type: 'emptied' }, { phase: 'idle' }, []);
    });
}

test('waiting: the end of a section steps at once, or after a rest', () => {
    assertReaction(stateWith(), { type: 'sectionEnded', rest: false }, {}, [
        { type: 'step', watched: 0, inLine: false },
    ]);
    assertReaction(stateWith(), { type: 'sectionEnded', rest: true }, { phase: 'resting' }, [
        { type: 'rest' },
    ]);
    assertReaction(stateWith({ phase: 'resting' }), { type: 'rested' }, {}, [
        { type: 'step', watched: 0, inLine: false },
    ]);
});

for (const phase of /** @type {const} */ (['waiting', 'resting'])) {
    test(`waiting: a section whose end is heard of only while ${phase} changes nothing`, () => {
        assertReaction(stateWith({ phase }), { type: 'sectionEnded', rest: false }, {}, []);
        assertReaction(stateWith({ phase }), { type: 'sectionEnded', rest: true }, {}, []);
    });
}

for (const phase of /** @type {const} */ (['idle', 'asked', 'waiting'])) {
    test(`waiting: a rest that ends while ${phase} changes nothing`, () => {
        assertReaction(stateWith({ phase }), { type: 'rested' }, {}, []);
    });
}

test('waiting: without waitAsync a step in vain sets the timer, and arms nothing', () => {
    const { state, actions } = react({ ...idleState(true), phase: 'asked' }, stepped('line'));
    assert.deepEqual(state, { ...idleState(true), phase: 'waiting' });
    assert.deepEqual(actions.at(-1), { type: 'startTimer', milliseconds: 1, then: 'polled' });
    assert.ok(actions.every(({ type }) => type !== 'arm'));
});

test('waiting: without waitAsync a reservation is watched for its own time', () => {
    const state = stateWith({ phase: 'waiting', polls: true });
    assertReaction(state, stepped('line', { watched: DANGLING_THREAD }), { watched: DANGLING_THREAD }, [
        { type: 'stopTimer' },
        { type: 'startTimer', milliseconds: RESERVATION_MS, then: 'outlasted' },
    ]);
});

test('waiting: without waitAsync a place is watched no longer than a reservation, since it does not look meanwhile', () => {
    const state = stateWith({ phase: 'waiting', polls: true });
    const event = { ...stepped('line', { watched: DANGLING_THREAD }), reservation: GATE_BESIDE_MS };
    const polled = { type: 'startTimer', milliseconds: GATE_POLLED_RESERVATION_MS, then: 'outlasted' };
    assert.deepEqual(react(state, event).actions.at(-1), polled);
    const { actions } = react(stateWith({ phase: 'waiting', line: true }), event);
    assert.deepEqual(actions, [{ ...polled, milliseconds: GATE_BESIDE_MS }]);
});

test('waiting: without waitAsync each look steps, and giving up stops the timer', () => {
    const state = stateWith({ phase: 'waiting', polls: true });
    assertReaction(state, { type: 'polled' }, {}, [{ type: 'step', watched: 0, inLine: false }]);
    assertReaction(state, { type: 'emptied' }, { phase: 'idle' }, [
        { type: 'stopTimer' },
        { type: 'withdraw' },
    ]);
    assertReaction(stateWith({ polls: true }), { type: 'polled' }, {}, []);
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
    const attachment = /** @type {any} */ ({ exports, self: SELF });
    return { gate: new Gate(attachment, GATE_ADDRESS, CAPACITY, ''), calls };
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
    const watched = THREAD_MASK;
    assert.deepEqual(stepOf(outcome(STEP_NEXT_WAIT_TURN, 0)), {
        type: 'stepped',
        next: 'turn',
        expected: -9,
        watched,
        reservation: GATE_RESERVATION_MS,
    });
    assert.deepEqual(stepOf(outcome(STEP_NEXT_WAIT_QUEUE, 1)), {
        type: 'stepped',
        next: 'line',
        expected: -9,
        watched,
        reservation: GATE_POLLED_RESERVATION_MS,
    });
    assert.deepEqual(stepOf(outcome(STEP_NEXT_WAIT_BESIDE, 1)), {
        type: 'stepped',
        next: 'line',
        expected: -9,
        watched,
        reservation: GATE_BESIDE_MS,
    });
});
