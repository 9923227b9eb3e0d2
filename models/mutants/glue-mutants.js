/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mutantsOf } from './mutant-list.js';

/** Mistakes in what the glue decides while it waits, and in its numbers. */
export const GLUE_MUTANTS = mutantsOf(`
=== js-glue/waiting/decide.js
an event loop that stands in the line does not say so [3 loops]
    - return event.word === 'line' ? stepAgain(state) : unchanged(state);
    + return unchanged(state);
an event loop in the line steps as if it stood nowhere [3 loops]
    -     const { line: inLine, since, senior, leftSince } = state;
    +     const { since, senior, leftSince } = state;
    +     const inLine = false;
an event loop that stands in the line watches no reservation [a holder, 1 loop, 2 busy loops]
    - if (isNew && watched !== 0) {
    + if (isNew && watched !== 0 && next !== 'line') {
an event loop whose requests were all given up stays the successor [1 worker, 2 loops with aborts]
    - [...stopTimers(state), { type: 'withdraw' }]
    + stopTimers(state)
the timer runs on when the last request was given up [1 worker, 1 loop with 2 requests that one signal ends, a death]
    + [{ type: 'withdraw' }]
the timer runs on when the lock was taken [1 worker, 1 loop with 2 requests that one signal ends]
    -         const actions = stopTimers(before);
    -         actions.push({ type: 'meet' });
    +         const actions = [{ type: 'meet' }];
a new watch starts a second timer [1 worker, 1 loop with 2 requests that one signal ends]
    - watched: isNew ? before.watched : 0,
    + watched: 0,
a reservation that outlasted its time is left alone [a holder, 1 loop, 2 busy loops]
    - step({ ...state, watched: 0 }, state.watched)
    + step({ ...state, watched: 0 })
a watch that ended counts as running
    + step(state, state.watched)
a wake is not heard [1 worker, 2 loops]
    - return phase === 'waiting' ? step(after) : unchanged(after);
    + return unchanged(after);
an entry that came back counts as pending [1 worker, 2 loops]
    - const after = { ...state, [event.word]: false };
    + const after = { ...state, [event.word]: true };
an entry is armed twice [3 loops]
    - if (!before.polls && !before[next]) {
    + if (!before.polls) {
the first request never steps [1 worker, 2 loops]
    - phase: 'asked' }, actions: [{ type: 'defer' }] }
    + phase: 'asked' }, actions: [] }
one that asks for something else is not stepped for when the one before it gives up
    - (changes ? [{ type: 'defer' }] : [])
    + ([])
after the first gave up, a place is not withdrawn
    - return phase === 'waiting' || phase === 'changed';
    + return phase === 'waiting';
a word that is never as it was seen keeps the thread in one job
    - if (state.refused < MOST_REFUSALS) {
    + if (state.refused > 0) {
a word that is never as it was seen is looked at no more
    - { ...state, looks: true }, actions: [{ type: 'look' }] }
    + { ...state, looks: true }, actions: [] }
a word that is never as it was seen is looked at only where nothing is watched
    + { ...state, looks: true }, actions: state.watched ? [] : [{ type: 'look' }] }
the timer of a look is not stopped
    -     if (looks) {
    -         actions.push({ type: 'stopLook' });
    -     }
what holds requests up is not waited for
    - return event.isHeldUp ? unchanged(state) : {
    + return {
the end of a section starts what has begun already
    - if (phase === 'waiting' || phase === 'resting') {
    + if (phase === 'resting') {
a rest has no end [2 workers, 1 loop with 2 long sections and rests]
    - return phase === 'resting' || phase === 'changed' ? step(state) : unchanged(state);
    + return unchanged(state);
a timer that polls does not look [2 workers, 1 loop that polls]
    - return phase === 'waiting' ? step(state) : unchanged(state);
    + return unchanged(state);
an entry on the turn is armed for another value than the step saw
    - STEP_NEXT_WAIT_TURN || hasSenior ? expected : 0,
    + STEP_NEXT_WAIT_TURN || hasSenior ? 0 : 0,
an entry in the line is armed for another value than the step saw
    + STEP_NEXT_WAIT_TURN ? expected : 0,
the watched number of an outcome is lost [a holder, 1 loop, 2 busy loops]
    - watched: rest >>> (STEP_WATCHED_SHIFT - STEP_NEXT_SHIFT),
    + watched: 0,
the turn and the line are mixed up [1 worker, 2 loops]
    - next === STEP_NEXT_WAIT_TURN ? 'turn' : 'line',
    + next === STEP_NEXT_WAIT_TURN ? 'line' : 'turn',
all reservations are as short as those of threads with waitAsync
    - polls ? GATE_POLLED_RESERVATION_MS : isBeside
    + isBeside
an uncalled place is mistaken for the senior
    - isSenior: isBeside && polls === 1,
    + isSenior: isBeside,
the time that a place is left to the senior begins anew after each wake
    - if (isSenior && watched !== before.senior) {
    + if (isSenior) {
the time that a place was left to one senior counts for the next
    + if (isSenior && before.senior === 0) {
a senior to whom the place was left for long enough is not named
    - watched || (now - leftSince < GATE_POLLED_RESERVATION_MS ? 0 : senior)
    + watched
a senior to whom the place was left is named at once
    + watched || senior
a place is watched for as short as a call
    - isBeside ? GATE_BESIDE_MS : GATE_RESERVATION_MS,
    + GATE_RESERVATION_MS,
a thread that polls does not look while it watches a place
    - const most = before.polls ? GATE_POLLED_RESERVATION_MS : Infinity;
    + const most = Infinity;
what is due ends a request that has ended already
    - return request.waits ? { state, actions: [{ type: 'end', request, reason }] } : unchanged(state);
    + return { state, actions: [{ type: 'end', request, reason }] };
a request that was met at its last moment is rejected
    - isMet ? { type: 'run', request } : { type: 'reject', request, reason }
    + { type: 'reject', request, reason }
a watch that was put off counts for the next one
    - return event.isOn ? step(
    + return state.watched ? step(
a look by timer finds nothing that concerns one in the line
    - (word === undefined && next === 'line')
    + false
an event loop does not say how long it has waited
    - (rank << STEP_TOKEN_RANK_SHIFT)
    + (0 << STEP_TOKEN_RANK_SHIFT)
the watched number of a token is lost [a holder, 1 loop, 2 busy loops]
    - return watched | (inLine
    + return 0 | (inLine
the line is lost on its way into the token [3 loops]
    - (inLine ? STEP_TOKEN_IN_LINE : 0)
    + 0

=== js-glue/waiting/gate.js
an event loop withdraws as if it had blocked [1 worker, 2 loops with aborts]
    - this.#self, STEP_KIND_ASYNC, 0
    + this.#self, 0, 0
a thread that comes late does not say so
    - comesLate ? STEP_KIND_POLLING : STEP_KIND_ASYNC
    + STEP_KIND_ASYNC
`);
