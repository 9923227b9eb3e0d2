/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_POLLED_RESERVATION_MS } from '../memory/layout.js';
import { POLL_MS } from '../thread/times.js';

/* What a thread's request queue decides while it waits for one lock through its event loop, as a pure
 * function: (state, event) -> (state, actions). Nothing here touches memory, time or promises; the queue
 * (queue.js) performs the actions and reports what came of them.
 *
 * PHASES   idle      no request waits, or a section of this queue runs: its end brings the next event
 *          asked     a request waits; the first step comes when the running job ends, because a place as
 *                    successor is for threads that are awake, and this one may be busy until then
 *          waiting   stepped in vain; will step again when woken
 *          changed   waited, but the first request has given up, and the next asks for something else, which may be
 *                    there; the step comes when the running job ends, which may give up more of them
 *          resting   requests wait, but this thread's other work has its turn
 *
 * ENTRIES  `turn` and `line` say that a waitAsync of this queue is pending on that word. It cannot be
 *          cancelled, so there is at most one a word, it outlives what it was armed for, and it is used
 *          again if the queue has to wait there once more. One that comes back when the queue waits no more is
 *          forgotten: wakes of these words are for all, so it took none away from another thread, which
 *          could not rely on this one anyway, since its event loop may be busy.
 *
 * TIMER    While the lock is reserved for another thread, it runs for as long as a reservation lasts. If the
 *          same thread has it then, the next step takes it away. Or it runs while the place of another thread is all
 *          that is in the way: then the next step asks whether that is alive. Without waitAsync, it also polls; and
 *          so it does when a word was never as a step has just seen it. */

/**
 * So often in one job waitAsync may say that the word is another, before the thread waits for a timer. Where threads
 * change the word that is once in a while; where the words are no lock's, it would be for ever.
 */
export const MOST_REFUSALS = 4;

/**
 * @typedef {'turn' | 'line'} Word where an entry can be
 *
 * @typedef {object} WaitState
 * @property {'idle' | 'asked' | 'waiting' | 'changed' | 'resting'} phase
 * @property {boolean} polls there is no waitAsync: look by timer
 * @property {boolean} turn
 * @property {boolean} line
 * @property {number} watched the reservation, or the place, that is watched; 0: none
 * @property {number} refused how often the word was another, in this job
 *
 * `isHeldUp`: the next request has to wait for something that this thread does itself, and that will be heard of.
 *
 * @typedef {{ type: 'requested', isHeldUp: boolean }
 *     | { type: 'jobEnded' }
 *     | { type: 'served', waits: boolean, isHeldUp: boolean }
 *     | { type: 'sectionEnded', rest: boolean }
 *     | { type: 'rested' }
 *     | { type: 'gaveUp', wasFirst: boolean, left: 'none' | 'same' | 'other' }
 *     | { type: 'aborted', reason: unknown, word?: Word }
 *     | { type: 'emptied' }
 *     | { type: 'freed' }
 *     | { type: 'stepped', next: 'done' | Word, expected: number, watched: number, reservation: number }
 *     | { type: 'armed', word: Word }
 *     | { type: 'refused', word: Word }
 *     | { type: 'woken', word: Word }
 *     | { type: 'polled' }
 *     | { type: 'outlasted', watch?: object }} WaitEvent
 *
 * @typedef {{ type: 'defer' }
 *     | { type: 'goOn' }
 *     | { type: 'rest' }
 *     | { type: 'giveUp', reason: unknown }
 *     | { type: 'step', watched: number, inLine: boolean }
 *     | { type: 'run' }
 *     | { type: 'arm', word: Word, expected: number }
 *     | { type: 'startTimer', milliseconds: number, then: 'polled' | 'outlasted' }
 *     | { type: 'stopTimer' }
 *     | { type: 'withdraw' }} WaitAction
 *
 * @typedef {{ state: WaitState, actions: WaitAction[] }} Reaction
 */

/**
 * @param {boolean} polls
 * @returns {WaitState}
 */
export function idleState(polls) {
    return { phase: 'idle', polls, turn: false, line: false, watched: 0, refused: 0 };
}

/**
 * @param {WaitState} state
 * @param {number} [watched] what has outlasted its time
 * @returns {Reaction} one more step in the same job
 */
function stepAgain(state, watched = 0) {
    return { state, actions: [{ type: 'step', watched, inLine: state.line }] };
}

/**
 * @param {WaitState} state
 * @param {number} [watched]
 * @returns {Reaction} the first step in a job
 */
function step(state, watched) {
    const { state: next, actions } = stepAgain({ ...state, refused: 0 }, watched);
    return { state: next, actions: [...(naps(state) ? stopTimer(state) : []), ...actions] };
}

/**
 * Whether the timer runs since the word was another too often.
 *
 * @param {WaitState} state
 */
function naps({ refused, watched, polls }) {
    return refused === MOST_REFUSALS && !watched && !polls;
}

/**
 * @param {WaitState} state
 * @returns {WaitAction[]}
 */
function stopTimer(state) {
    const polls = state.polls && hasWaited(state);
    return state.watched || polls || naps(state) ? [{ type: 'stopTimer' }] : [];
}

/**
 * @param {WaitState} state
 * @param {Extract<WaitEvent, { type: 'stepped' }>} event
 * @returns {Reaction}
 */
function stepped(state, { next, expected, watched, reservation }) {
    if (next === 'done') {
        return {
            state: idle(state),
            actions: [...stopTimer(state), { type: 'run' }],
        };
    }
    const waiting = /** @type {WaitState} */ ({ ...state, phase: 'waiting', watched });
    /** @type {WaitAction[]} */
    const actions = [];
    if (watched !== state.watched || (state.polls && !watched)) {
        actions.push(...stopTimer(state));
        if (watched) {
            // One that polls does not look otherwise.
            const milliseconds = state.polls
                ? Math.min(reservation, GATE_POLLED_RESERVATION_MS)
                : reservation;
            actions.push({ type: 'startTimer', milliseconds, then: 'outlasted' });
        } else if (state.polls) {
            actions.push({ type: 'startTimer', milliseconds: POLL_MS, then: 'polled' });
        }
    }
    if (!state.polls && !state[next]) {
        waiting[next] = true;
        actions.push({ type: 'arm', word: next, expected });
    }
    return { state: waiting, actions };
}

/**
 * @param {WaitState} before
 * @param {Extract<WaitEvent, { type: 'woken' }>} event
 * @returns {Reaction}
 */
function woken(before, { word }) {
    const state = { ...before, [word]: false };
    return state.phase === 'waiting' ? step(state) : { state, actions: [] };
}

/**
 * @param {WaitState} before
 * @param {Extract<WaitEvent, { type: 'refused' }>} event
 * @returns {Reaction}
 */
function refused(before, { word }) {
    const state = { ...before, [word]: false, refused: before.refused + 1 };
    if (state.refused < MOST_REFUSALS) {
        return stepAgain(state);
    }
    // While a reservation is watched, the timer runs already, and its end is the next look.
    return {
        state,
        actions: naps(state) ? [{ type: 'startTimer', milliseconds: POLL_MS, then: 'polled' }] : [],
    };
}

/**
 * Whether what the first request has waited with is there still: a place in the words, a timer.
 *
 * @param {WaitState} state
 */
function hasWaited({ phase }) {
    return phase === 'waiting' || phase === 'changed';
}

/**
 * Nobody waits any more; the timer has to be stopped if it runs.
 *
 * @param {WaitState} state
 * @returns {WaitState}
 */
function idle(state) {
    return { ...state, phase: 'idle', watched: 0, refused: 0 };
}

/**
 * @param {WaitState} state
 * @returns {Reaction}
 */
function emptied(state) {
    return {
        state: idle(state),
        actions: hasWaited(state) ? [...stopTimer(state), { type: 'withdraw' }] : [],
    };
}

/**
 * A request waits no longer. All that one signal ends are told of before any step, since the steps come later.
 *
 * @param {WaitState} state
 * @param {Extract<WaitEvent, { type: 'gaveUp' }>} event
 * @returns {Reaction}
 */
function gaveUp(state, { wasFirst, left }) {
    if (left === 'none') {
        return emptied(state);
    }
    return wasFirst && left === 'other' && state.phase === 'waiting'
        ? { state: { ...state, phase: 'changed' }, actions: [{ type: 'defer' }] }
        : { state, actions: [] };
}

/**
 * @param {WaitState} state
 * @returns {Reaction}
 */
function rest(state) {
    const phase = hasWaited(state) ? state.phase : 'resting'; // with its place, or without one
    return { state: { ...state, phase }, actions: [{ type: 'rest' }] };
}

/**
 * The first request ends at a step, or since an action could not be done. The next one begins without what is left of its
 * wait.
 *
 * @param {WaitState} before
 * @param {Extract<WaitEvent, { type: 'aborted' }>} event
 * @returns {Reaction}
 */
function aborted(before, { reason, word }) {
    const phase = hasWaited(before) ? 'changed' : 'asked';
    const state = /** @type {WaitState} */ ({ ...before, phase, watched: 0, refused: 0 });
    if (word !== undefined) {
        state[word] = false;
    }
    return { state, actions: [...stopTimer(before), { type: 'giveUp', reason }, { type: 'goOn' }] };
}

/**
 * @param {WaitState} state
 * @param {WaitEvent} event
 * @returns {Reaction}
 */
export function react(state, event) {
    const unchanged = { state, actions: [] };
    switch (event.type) {
        case 'requested':
            return state.phase === 'idle' && !event.isHeldUp
                ? { state: { ...state, phase: 'asked' }, actions: [{ type: 'defer' }] }
                : unchanged;
        case 'jobEnded':
            return state.phase === 'asked' || state.phase === 'changed' ? step(state) : unchanged;
        case 'served':
            return event.waits && !event.isHeldUp ? { state, actions: [{ type: 'goOn' }] } : unchanged;
        case 'sectionEnded':
            if (state.phase === 'waiting' || state.phase === 'resting') {
                return unchanged; // a request that came since has begun to wait already
            }
            return event.rest ? rest(state) : step(state);
        case 'rested':
            return state.phase === 'resting' || state.phase === 'changed' ? step(state) : unchanged;
        case 'gaveUp':
            return gaveUp(state, event);
        case 'aborted':
            return aborted(state, event);
        case 'emptied':
            return emptied(state);
        case 'freed':
            // The words are another's now: no place in them is given back.
            return { state: idle(state), actions: stopTimer(state) };
        case 'stepped':
            return stepped(state, event);
        case 'armed':
            // On `line` the entry comes first and the flag that announces it after it, by one more step.
            return event.word === 'line' ? stepAgain(state) : unchanged;
        case 'refused':
            return refused(state, event);
        case 'woken':
            return woken(state, event);
        case 'polled':
            return state.phase === 'waiting' ? step(state) : unchanged;
        case 'outlasted':
            return step({ ...state, watched: 0, refused: 0 }, state.watched);
    }
}
