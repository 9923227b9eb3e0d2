/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { POLL_MS } from './times.js';

/* What a thread's request queue decides while it waits for one lock through its event loop, as a pure
 * function: (state, event) -> (state, actions). Nothing here touches memory, time or promises; the queue
 * (request-queue.js) performs the actions and reports what came of them.
 *
 * PHASES   idle      no request waits, or a section of this queue runs: its end brings the next event
 *          asked     a request waits; the first step comes when the running job ends, because a place as
 *                    successor is for threads that are awake, and this one may be busy until then
 *          waiting   stepped in vain; will step again when woken
 *          resting   requests wait, but this thread's other work has its turn
 *
 * ENTRIES  `turn` and `line` say that a waitAsync of this queue is pending on that word. It cannot be
 *          cancelled, so there is at most one a word, it outlives what it was armed for, and it is used
 *          again if the queue has to wait there once more. One that comes back when the queue waits no more is
 *          forgotten: wakes of these words are for all, so it took none away from another thread, which
 *          could not rely on this one anyway, since its event loop may be busy.
 *
 * TIMER    While the lock is reserved for another thread, it runs for as long as a reservation lasts. If the
 *          same thread has it then, the next step takes it away. Without waitAsync, it also polls. */

/**
 * @typedef {'turn' | 'line'} Word where an entry can be
 *
 * @typedef {object} WaitState
 * @property {'idle' | 'asked' | 'waiting' | 'resting'} phase
 * @property {boolean} polls there is no waitAsync: look by timer
 * @property {boolean} turn
 * @property {boolean} line
 * @property {number} watched the thread whose reservation is watched; 0: none
 *
 * @typedef {{ type: 'requested' }
 *     | { type: 'jobEnded' }
 *     | { type: 'sectionEnded', rest: boolean }
 *     | { type: 'rested' }
 *     | { type: 'emptied' }
 *     | { type: 'stepped', next: 'done' | Word, expected: number, watched: number, reservation: number }
 *     | { type: 'armed', word: Word }
 *     | { type: 'woken', word: Word }
 *     | { type: 'polled' }
 *     | { type: 'outlasted' }} WaitEvent
 *
 * @typedef {{ type: 'defer' }
 *     | { type: 'rest' }
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
    return { phase: 'idle', polls, turn: false, line: false, watched: 0 };
}

/**
 * @param {WaitState} state
 * @param {number} [watched] the thread whose reservation has outlasted its time
 * @returns {Reaction}
 */
function step(state, watched = 0) {
    return { state, actions: [{ type: 'step', watched, inLine: state.line }] };
}

/**
 * @param {WaitState} state
 * @returns {WaitAction[]}
 */
function stopTimer(state) {
    return state.watched || state.polls ? [{ type: 'stopTimer' }] : [];
}

/**
 * @param {WaitState} state
 * @param {Extract<WaitEvent, { type: 'stepped' }>} event
 * @returns {Reaction}
 */
function stepped(state, { next, expected, watched, reservation }) {
    if (next === 'done') {
        return {
            state: { ...state, phase: 'idle', watched: 0 },
            actions: [...stopTimer(state), { type: 'run' }],
        };
    }
    const waiting = /** @type {WaitState} */ ({ ...state, phase: 'waiting', watched });
    /** @type {WaitAction[]} */
    const actions = [];
    if (watched !== state.watched || (state.polls && !watched)) {
        actions.push(...stopTimer(state));
        if (watched) {
            actions.push({ type: 'startTimer', milliseconds: reservation, then: 'outlasted' });
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
 * @param {WaitState} state
 * @param {WaitEvent} event
 * @returns {Reaction}
 */
export function react(state, event) {
    const unchanged = { state, actions: [] };
    switch (event.type) {
        case 'requested':
            return state.phase === 'idle'
                ? { state: { ...state, phase: 'asked' }, actions: [{ type: 'defer' }] }
                : unchanged;
        case 'jobEnded':
            return state.phase === 'asked' ? step(state) : unchanged;
        case 'sectionEnded':
            if (state.phase === 'waiting' || state.phase === 'resting') {
                return unchanged; // a request that came since has begun to wait already
            }
            return event.rest
                ? { state: { ...state, phase: 'resting' }, actions: [{ type: 'rest' }] }
                : step(state);
        case 'rested':
            return state.phase === 'resting' ? step(state) : unchanged;
        case 'emptied':
            return {
                state: { ...state, phase: 'idle', watched: 0 },
                actions: state.phase === 'waiting' ? [...stopTimer(state), { type: 'withdraw' }] : [],
            };
        case 'stepped':
            return stepped(state, event);
        case 'armed':
            // On `line` the entry comes first and the flag that announces it after it, by one more step.
            return event.word === 'line' ? step(state) : unchanged;
        case 'woken':
            return woken(state, event);
        case 'polled':
            return state.phase === 'waiting' ? step(state) : unchanged;
        case 'outlasted':
            return step({ ...state, watched: 0 }, state.watched);
    }
}
