/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @typedef {import('./mutants.js').SourceMutant} SourceMutant */

const WAITING = 'js-glue/waiting/decide.js';
const GATE = 'js-glue/waiting/gate.js';
const OUTCOME = 'js-glue/waiting/outcome.js';

/**
 * Mistakes in what the glue decides while it waits, and in its numbers.
 * @type {SourceMutant[]}
 */
export const GLUE_MUTANTS = [
    {
        name: 'an event loop that stands in the line does not say so',
        foundIn: '3 loops',
        file: WAITING,
        from: "return event.word === 'line' ? stepAgain(state) : unchanged;",
        to: 'return unchanged;',
    },
    {
        name: 'an event loop in the line steps as if it stood nowhere',
        foundIn: '3 loops',
        file: WAITING,
        from: 'inLine: state.line }',
        to: 'inLine: false }',
    },
    {
        name: 'an event loop that stands in the line watches no reservation',
        foundIn: 'a holder, 1 loop, 2 busy loops',
        file: WAITING,
        from: "phase: 'waiting', watched });",
        to: "phase: 'waiting', watched: next === 'line' ? 0 : watched });\n    watched = waiting.watched;",
    },
    {
        name: 'an event loop whose requests were all given up stays the successor',
        foundIn: '1 worker, 2 loops with aborts',
        file: WAITING,
        from: "[...stopTimer(state), { type: 'withdraw' }]",
        to: 'stopTimer(state)',
    },
    {
        name: 'the timer runs on when the last request was given up',
        file: WAITING,
        from: "[...stopTimer(state), { type: 'withdraw' }]",
        to: "[{ type: 'withdraw' }]",
    },
    {
        name: 'the timer runs on when the lock was taken',
        file: WAITING,
        from: "[...stopTimer(state), { type: 'run' }]",
        to: "[{ type: 'run' }]",
    },
    {
        name: 'a new watch starts a second timer',
        file: WAITING,
        from: '        actions.push(...stopTimer(state));\n',
        to: '',
    },
    {
        name: 'a reservation that outlasted its time is left alone',
        foundIn: 'a holder, 1 loop, 2 busy loops',
        file: WAITING,
        from: 'return step({ ...state, watched: 0, refused: 0 }, state.watched);',
        to: 'return step({ ...state, watched: 0, refused: 0 });',
    },
    {
        name: 'a watch that ended counts as running',
        file: WAITING,
        from: 'return step({ ...state, watched: 0, refused: 0 }, state.watched);',
        to: 'return step({ ...state, refused: 0 }, state.watched);',
    },
    {
        name: 'a wake is not heard',
        foundIn: '1 worker, 2 loops',
        file: WAITING,
        from: "return state.phase === 'waiting' ? step(state) : { state, actions: [] };",
        to: 'return { state, actions: [] };',
    },
    {
        name: 'an entry that came back counts as pending',
        foundIn: '1 worker, 2 loops',
        file: WAITING,
        from: 'const state = { ...before, [word]: false };',
        to: 'const state = { ...before, [word]: true };',
    },
    {
        name: 'an entry is armed twice',
        foundIn: '3 loops',
        file: WAITING,
        from: 'if (!state.polls && !state[next]) {',
        to: 'if (!state.polls) {',
    },
    {
        name: 'the first request never steps',
        foundIn: '1 worker, 2 loops',
        file: WAITING,
        from: "? { state: { ...state, phase: 'asked' }, actions: [{ type: 'defer' }] }",
        to: "? { state: { ...state, phase: 'asked' }, actions: [] }",
    },
    {
        name: 'one that asks for something else is not stepped for when the one before it gives up',
        file: WAITING,
        from: "? { state: { ...state, phase: 'changed' }, actions: [{ type: 'defer' }] }",
        to: "? { state: { ...state, phase: 'changed' }, actions: [] }",
    },
    {
        name: 'what is left when the first gives up keeps nothing of the wait',
        file: WAITING,
        from: "return phase === 'waiting' || phase === 'changed';",
        to: "return phase === 'waiting';",
    },
    {
        name: 'a word that is never as it was seen keeps the thread in one job',
        file: WAITING,
        from: 'if (state.refused < MOST_REFUSALS) {',
        to: 'if (state.refused > 0) {',
    },
    {
        name: 'a word that is never as it was seen is looked at no more',
        file: WAITING,
        from: "actions: naps(state) ? [{ type: 'startTimer'",
        to: "actions: !naps(state) ? [{ type: 'startTimer'",
    },
    {
        name: 'who is woken leaves the timer of a word that was another running',
        file: WAITING,
        from: '(naps(state) ? stopTimer(state) : [])',
        to: '[]',
    },
    {
        name: 'what holds requests up is not waited for',
        file: WAITING,
        from: 'return event.waits && !event.isHeldUp ?',
        to: 'return event.waits ?',
    },
    {
        name: 'the end of a section starts what has begun already',
        file: WAITING,
        from: "if (state.phase === 'waiting' || state.phase === 'resting') {",
        to: "if (state.phase === 'resting') {",
    },
    {
        name: 'a rest has no end',
        foundIn: '2 workers, 1 loop with 2 long sections and rests',
        file: WAITING,
        from: "return state.phase === 'resting' || state.phase === 'changed' ? step(state) : unchanged;",
        to: 'return unchanged;',
    },
    {
        name: 'a timer that polls does not look',
        foundIn: '2 workers, 1 loop that polls',
        file: WAITING,
        from: "return state.phase === 'waiting' ? step(state) : unchanged;",
        to: 'return unchanged;',
    },
    {
        name: 'an entry on the turn is armed for another value than the step saw',
        file: OUTCOME,
        from: 'STEP_NEXT_WAIT_TURN || hasSenior ? expected : 0,',
        to: 'STEP_NEXT_WAIT_TURN || hasSenior ? 0 : 0,',
    },
    {
        name: 'an entry in the line is armed for another value than the step saw',
        file: OUTCOME,
        from: 'STEP_NEXT_WAIT_TURN || hasSenior ? expected : 0,',
        to: 'STEP_NEXT_WAIT_TURN ? expected : 0,',
    },
    {
        name: 'an event loop does not say how long it has waited',
        file: GATE,
        from: '(rank << STEP_TOKEN_RANK_SHIFT)',
        to: '(0 << STEP_TOKEN_RANK_SHIFT)',
    },
    {
        name: 'the watched thread of an outcome is lost',
        foundIn: 'a holder, 1 loop, 2 busy loops',
        file: OUTCOME,
        from: 'watched: rest >>> (STEP_WATCHED_SHIFT - STEP_NEXT_SHIFT),',
        to: 'watched: 0,',
    },
    {
        name: 'the watched thread of a token is lost',
        foundIn: 'a holder, 1 loop, 2 busy loops',
        file: GATE,
        from: 'const token = watched | (inLine',
        to: 'const token = 0 | (inLine',
    },
    {
        name: 'the line is lost on its way into the token',
        foundIn: '3 loops',
        file: GATE,
        from: '(inLine ? STEP_TOKEN_IN_LINE : 0)',
        to: '0',
    },
    {
        name: 'the turn and the line are mixed up',
        foundIn: '1 worker, 2 loops',
        file: OUTCOME,
        from: "next === STEP_NEXT_WAIT_TURN ? 'turn' : 'line',",
        to: "next === STEP_NEXT_WAIT_TURN ? 'line' : 'turn',",
    },
    {
        name: 'all reservations are as short as those of threads with waitAsync',
        file: OUTCOME,
        from: 'polls ? GATE_POLLED_RESERVATION_MS : GATE_RESERVATION_MS;',
        to: 'GATE_RESERVATION_MS;',
    },
    {
        name: 'a place is watched for as short as a call',
        file: OUTCOME,
        from: 'next === STEP_NEXT_WAIT_BESIDE ? GATE_BESIDE_MS : reservation,',
        to: 'reservation,',
    },
    {
        name: 'a thread that polls does not look while it watches a place',
        file: WAITING,
        from: '? Math.min(reservation, GATE_POLLED_RESERVATION_MS)',
        to: '? reservation',
    },
    {
        name: 'an event loop withdraws as if it had blocked',
        foundIn: '1 worker, 2 loops with aborts',
        file: GATE,
        from: 'this.#self, STEP_KIND_ASYNC, 0',
        to: 'this.#self, 0, 0',
    },
    {
        name: 'a thread that comes late does not say so',
        file: GATE,
        from: 'comesLate ? STEP_KIND_POLLING : STEP_KIND_ASYNC',
        to: 'STEP_KIND_ASYNC',
    },
];
