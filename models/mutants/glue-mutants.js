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
        from: 'const { line: inLine, since, senior, leftSince } = state;',
        to: 'const { since, senior, leftSince } = state;\n    const inLine = false;',
    },
    {
        name: 'an event loop that stands in the line watches no reservation',
        foundIn: 'a holder, 1 loop, 2 busy loops',
        file: WAITING,
        from: "const timer = watched ? 'watch'",
        to: "const timer = watched && next !== 'line' ? 'watch'",
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
        foundIn: '1 worker, 1 loop with 2 requests that one signal ends, a death',
        file: WAITING,
        from: "[...stopTimer(state), { type: 'withdraw' }]",
        to: "[{ type: 'withdraw' }]",
    },
    {
        name: 'the timer runs on when the lock was taken',
        foundIn: '1 worker, 1 loop with 2 requests that one signal ends',
        file: WAITING,
        from: "[...stopTimer(before), { type: 'meet' }]",
        to: "[{ type: 'meet' }]",
    },
    {
        name: 'a new watch starts a second timer',
        foundIn: '1 worker, 1 loop with 2 requests that one signal ends',
        file: WAITING,
        from: '        actions.push(...stopTimer(before));\n',
        to: '',
    },
    {
        name: 'a reservation that outlasted its time is left alone',
        foundIn: 'a holder, 1 loop, 2 busy loops',
        file: WAITING,
        from: "step({ ...state, timer: 'none', watched: 0 }, state.watched)",
        to: "step({ ...state, timer: 'none', watched: 0 })",
    },
    {
        name: 'a watch that ended counts as running',
        file: WAITING,
        from: "step({ ...state, timer: 'none', watched: 0 }, state.watched)",
        to: 'step(state, state.watched)',
    },
    {
        name: 'a wake is not heard',
        foundIn: '1 worker, 2 loops',
        file: WAITING,
        from: "return phase === 'waiting' ? step(after) : { state: after, actions: [] };",
        to: 'return { state: after, actions: [] };',
    },
    {
        name: 'an entry that came back counts as pending',
        foundIn: '1 worker, 2 loops',
        file: WAITING,
        from: 'const after = { ...state, [event.word]: false };',
        to: 'const after = { ...state, [event.word]: true };',
    },
    {
        name: 'an entry is armed twice',
        foundIn: '3 loops',
        file: WAITING,
        from: 'if (!before.polls && !before[next]) {',
        to: 'if (!before.polls) {',
    },
    {
        name: 'the first request never steps',
        foundIn: '1 worker, 2 loops',
        file: WAITING,
        from: "phase: 'asked', since }, actions: [{ type: 'defer' }] }",
        to: "phase: 'asked', since }, actions: [] }",
    },
    {
        name: 'one that asks for something else is not stepped for when the one before it gives up',
        file: WAITING,
        from: "(changes ? [{ type: 'defer' }] : [])",
        to: '([])',
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
        from: "? { state: { ...state, timer: 'look' }, actions: [{ type: 'look' }] }",
        to: "? { state: { ...state, timer: 'look' }, actions: [] }",
    },
    {
        name: 'who is woken leaves the timer of a word that was another running',
        file: WAITING,
        from: "timer === 'watch' ? 'stopWatch' : 'stopLook'",
        to: "'stopWatch'",
    },
    {
        name: 'what holds requests up is not waited for',
        file: WAITING,
        from: 'return event.isHeldUp ? unchanged : {',
        to: 'return {',
    },
    {
        name: 'the end of a section starts what has begun already',
        file: WAITING,
        from: "if (phase === 'waiting' || phase === 'resting') {",
        to: "if (phase === 'resting') {",
    },
    {
        name: 'a rest has no end',
        foundIn: '2 workers, 1 loop with 2 long sections and rests',
        file: WAITING,
        from: "return phase === 'resting' || phase === 'changed' ? step(state) : unchanged;",
        to: 'return unchanged;',
    },
    {
        name: 'a timer that polls does not look',
        foundIn: '2 workers, 1 loop that polls',
        file: WAITING,
        from: "return phase === 'waiting' ? step(state) : unchanged;",
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
        from: 'polls ? GATE_POLLED_RESERVATION_MS : isBeside',
        to: 'isBeside',
    },
    {
        name: 'a place is taken for the senior',
        file: OUTCOME,
        from: 'isSenior: isBeside && polls === 1,',
        to: 'isSenior: isBeside,',
    },
    {
        name: 'the time that a place is left to the senior begins anew after each wake',
        file: WAITING,
        from: 'if (isSenior && watched !== before.senior) {',
        to: 'if (isSenior) {',
    },
    {
        name: 'the time that a place was left to one senior counts for the next',
        file: WAITING,
        from: 'if (isSenior && watched !== before.senior) {',
        to: 'if (isSenior && before.senior === 0) {',
    },
    {
        name: 'a senior to whom the place was left for long enough is not named',
        file: WAITING,
        from: 'watched || (now - leftSince < GATE_POLLED_RESERVATION_MS ? 0 : senior)',
        to: 'watched',
    },
    {
        name: 'a senior to whom the place was left is named at once',
        file: WAITING,
        from: 'watched || (now - leftSince < GATE_POLLED_RESERVATION_MS ? 0 : senior)',
        to: 'watched || senior',
    },
    {
        name: 'a place is watched for as short as a call',
        file: OUTCOME,
        from: 'isBeside ? GATE_BESIDE_MS : GATE_RESERVATION_MS,',
        to: 'GATE_RESERVATION_MS,',
    },
    {
        name: 'a thread that polls does not look while it watches a place',
        file: WAITING,
        from: 'const longest = before.polls ? GATE_POLLED_RESERVATION_MS : reservation;',
        to: 'const longest = reservation;',
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
    {
        name: 'what is due ends a request that has ended already',
        file: WAITING,
        from: "return request.waits ? { state, actions: [{ type: 'end', request, reason }] } : unchanged;",
        to: "return { state, actions: [{ type: 'end', request, reason }] };",
    },
    {
        name: 'a request that was met at its last moment is rejected',
        file: WAITING,
        from: "isMet ? { type: 'run', request } : { type: 'reject', request, reason }",
        to: "{ type: 'reject', request, reason }",
    },
    {
        name: 'a watch that was put off counts for the next one',
        file: WAITING,
        from: 'return event.isOn ? step(',
        to: 'return state.watched ? step(',
    },
    {
        name: 'a look by timer finds nothing that concerns one in the line',
        file: WAITING,
        from: "(word === undefined && next === 'line')",
        to: 'false',
    },
];
