/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_BESIDE_MS,
    GATE_POLLED_RESERVATION_MS,
    GATE_RESERVATION_MS,
    STEP_NEXT_DONE,
    STEP_NEXT_MASK,
    STEP_NEXT_SHIFT,
    STEP_NEXT_WAIT_BESIDE,
    STEP_NEXT_WAIT_TURN,
    STEP_POLLS_SHIFT,
    STEP_WATCHED_SHIFT,
} from '../memory/layout.js';
import { PATIENT_STEPS } from '../thread/times.js';

/* What a thread does while its requests wait for one lock through the event loop, as a pure function: (state, event) ->
 * (state, actions). It decides everything that a wait can meet. queue.js performs the actions and reports facts.
 *
 * PHASES   idle      no request waits, or a section of this thread runs: its end brings the next event
 *          asked     a request waits; its first step comes when the running job ends, since a place as successor is for
 *                    threads that are awake, and this one may be busy until then
 *          waiting   stepped in vain; steps again when woken
 *          changed   waited, but the first request has ended, and the next one asks for something else, which may be
 *                    there: steps when the running job ends, which may end more of them
 *          resting   requests wait, but this thread's other work has its turn
 *          freed     the lock is no more: its words are not touched again
 *
 * ENTRIES  `turn` and `line`: a waitAsync is pending on that word. It cannot be cancelled, so there is at most one a
 *          word; it outlives what it was armed for, and is used again. One that comes back when nobody waits is
 *          forgotten: a wake of these words is for all, so nobody is robbed of it.
 *
 * TIMER    watch     a reservation of another thread, or its place, or that the senior comes first, is all that is in the
 *                    way: if it is the same at the end, the next step names it. The time of a senior counts on while others
 *                    have the place: a thread that is woken at each release would never come to its end
 *          look      there is no waitAsync, or a word was never as a step had just seen it: look again from time to time */

/** So often in one job a word may be another than the step has seen, before the thread waits for a timer. */
export const MOST_REFUSALS = 4;

/**
 * @typedef {import('../thread/event-loop.js').Word} Word
 * @typedef {import('./request.js').Request} Request
 *
 * @typedef {object} WaitState
 * @property {'idle' | 'asked' | 'waiting' | 'changed' | 'resting' | 'freed'} phase
 * @property {boolean} polls there is no waitAsync
 * @property {boolean} turn
 * @property {boolean} line
 * @property {'none' | 'watch' | 'look'} timer
 * @property {number} watched the call or the senior that is watched; 0: none
 * @property {number} senior to whom this thread has left the place; 0: nobody
 * @property {number} leftSince since when
 * @property {number} refused how often a word was another, in this job
 * @property {number} inVain steps of the first request, modulo PATIENT_STEPS
 * @property {number} since when the first request began to wait; 0: none waits
 * @property {'done' | Word} next what the last step in vain waits for; 'done': there was none
 * @property {number} seen the word by which that step decided to wait
 *
 * `isHeldUp`: the next request has to wait for a section of this thread, whose end will be heard of. `watched` of a step:
 * the call that has been in the way for too long; 0: none.
 *
 * @typedef {{ type: 'requested', isFirst: boolean, waits: boolean, isHeldUp: boolean, now: number }
 *     | { type: 'jobEnded' }
 *     | { type: 'released', waits: boolean, isHeldUp: boolean }
 *     | { type: 'wentOn', isOver: boolean }
 *     | { type: 'rested' }
 *     | { type: 'due', request: Request, reason: unknown }
 *     | { type: 'ended', request: Request, reason: unknown, isMet: boolean, wasFirst: boolean, left: 'none' | 'same' | 'other' }
 *     | { type: 'checked', first: Request | undefined, isHeldUp: boolean, end: { reason: unknown } | undefined, watched: number, now: number }
 *     | { type: 'failed', first: Request | undefined, reason: unknown, word?: Word }
 *     | { type: 'freed' }
 *     | { type: 'stepped', next: 'done' | Word, expected: number, seen: number, watched: number, isSenior: boolean, reservation: number, now: number }
 *     | { type: 'armed', word: Word }
 *     | { type: 'refused', word: Word }
 *     | { type: 'woken', word: Word }
 *     | { type: 'looked' }
 *     | { type: 'outlasted', isOn: boolean }} WaitEvent
 *
 * @typedef {{ type: 'defer' }
 *     | { type: 'goOn' }
 *     | { type: 'rest' }
 *     | { type: 'check', watched: number }
 *     | { type: 'step', ask: number, comesLate: boolean, inLine: boolean, watched: number, since: number, now: number }
 *     | { type: 'meet' }
 *     | { type: 'end', request: Request, reason: unknown }
 *     | { type: 'run', request: Request }
 *     | { type: 'reject', request: Request, reason: unknown }
 *     | { type: 'throw', reason: unknown }
 *     | { type: 'arm', word: Word, expected: number }
 *     | { type: 'watch', milliseconds: number }
 *     | { type: 'stopWatch' }
 *     | { type: 'look' }
 *     | { type: 'stopLook' }
 *     | { type: 'withdraw' }
 *     | { type: 'rejectAll' }} WaitAction
 *
 * @typedef {{ state: WaitState, actions: WaitAction[] }} Reaction
 */

/**
 * What a step came to.
 *
 * @typedef {object} Outcome
 * @property {'done' | Word} next the word to wait on, if it is not done
 * @property {number} expected the value of that word
 * @property {number} watched the call that is in the way, or the senior; 0: none
 * @property {boolean} isSenior whether it is the senior
 * @property {number} reservation how long that may be in the way, in milliseconds
 */

/**
 * @param {bigint} outcome of a step
 * @param {boolean} [hasSenior] whether it says what `line` is; if not, that is always 0
 * @returns {Outcome}
 */
export function outcomeOf(outcome, hasSenior = false) {
    const expected = Number(BigInt.asIntN(STEP_NEXT_SHIFT, outcome));
    const rest = Number(outcome >> BigInt(STEP_NEXT_SHIFT));
    const next = rest & STEP_NEXT_MASK;
    const polls = (rest >> (STEP_POLLS_SHIFT - STEP_NEXT_SHIFT)) & 1;
    const isBeside = next === STEP_NEXT_WAIT_BESIDE;
    return {
        next: next === STEP_NEXT_DONE ? 'done' : next === STEP_NEXT_WAIT_TURN ? 'turn' : 'line',
        expected: next === STEP_NEXT_WAIT_TURN || hasSenior ? expected : 0,
        watched: rest >>> (STEP_WATCHED_SHIFT - STEP_NEXT_SHIFT),
        isSenior: isBeside && polls === 1,
        reservation: polls ? GATE_POLLED_RESERVATION_MS : isBeside ? GATE_BESIDE_MS : GATE_RESERVATION_MS,
    };
}

/**
 * @param {boolean} polls
 * @returns {WaitState}
 */
export function idleState(polls) {
    return idle({ polls, turn: false, line: false }, 0);
}

/**
 * Nobody waits, or only for this thread itself. The timer has to be stopped.
 *
 * @param {Pick<WaitState, 'polls' | 'turn' | 'line'>} state
 * @param {number} since
 * @returns {WaitState}
 */
function idle({ polls, turn, line }, since) {
    return {
        phase: 'idle',
        polls,
        turn,
        line,
        timer: 'none',
        watched: 0,
        senior: 0,
        leftSince: 0,
        refused: 0,
        inVain: 0,
        since,
        next: 'done',
        seen: 0,
    };
}

/**
 * @param {WaitState} state
 * @returns {WaitAction[]}
 */
function stopTimer({ timer }) {
    return timer === 'none' ? [] : [{ type: timer === 'watch' ? 'stopWatch' : 'stopLook' }];
}

/**
 * Whether the first request has a place in the words.
 *
 * @param {WaitState} state
 */
function hasWaited({ phase }) {
    return phase === 'waiting' || phase === 'changed';
}

/**
 * One more step in the same job, after a look at what there is to step for.
 *
 * @param {WaitState} state
 * @param {number} [watched]
 * @returns {Reaction}
 */
function stepAgain(state, watched = 0) {
    return { state, actions: [{ type: 'check', watched }] };
}

/**
 * The first step in a job.
 *
 * @param {WaitState} state
 * @param {number} [watched]
 */
function step(state, watched) {
    return stepAgain(state.refused === 0 ? state : { ...state, refused: 0 }, watched);
}

/**
 * @param {WaitState} state
 * @returns {Reaction} the place in the words is given back
 */
function emptied(state) {
    return {
        state: idle(state, state.since),
        actions: hasWaited(state) ? [...stopTimer(state), { type: 'withdraw' }] : [],
    };
}

/**
 * @param {WaitState} state
 * @param {Extract<WaitEvent, { type: 'checked' }>} event
 * @returns {Reaction}
 */
function checked(state, { first, isHeldUp, end, watched, now }) {
    if (first === undefined || isHeldUp) {
        return emptied(state); // since this was decided, the last one has ended
    }
    if (end !== undefined) {
        return failed(state, { type: 'failed', first, reason: end.reason });
    }
    const inVain = (state.inVain + 1) % PATIENT_STEPS;
    const { line: inLine, since, senior, leftSince } = state;
    const comesLate = state.polls || inVain === 0;
    const named = watched || (now - leftSince < GATE_POLLED_RESERVATION_MS ? 0 : senior);
    return {
        state: { ...state, inVain },
        actions: [{ type: 'step', ask: first.ask, comesLate, inLine, watched: named, since, now }],
    };
}

/**
 * The first request ends at a step, or since an action could not be done. The next one begins without what is left of its
 * wait.
 *
 * @param {WaitState} before
 * @param {Extract<WaitEvent, { type: 'failed' }>} event
 * @returns {Reaction}
 */
function failed(before, { first, reason, word }) {
    const phase = hasWaited(before) ? 'changed' : 'asked';
    const state = /** @type {WaitState} */ ({ ...before, phase, timer: 'none', watched: 0, refused: 0 });
    if (word !== undefined) {
        state[word] = false;
    }
    return {
        state,
        actions: [
            ...stopTimer(before),
            first === undefined ? { type: 'throw', reason } : { type: 'end', request: first, reason },
            { type: 'goOn' },
        ],
    };
}

/**
 * A request waits no longer. All that one signal ends are told of before any step, since the steps come later.
 *
 * @param {WaitState} before
 * @param {Extract<WaitEvent, { type: 'ended' }>} event
 * @returns {Reaction}
 */
function ended(before, { request, reason, isMet, wasFirst, left }) {
    const changes = wasFirst && left === 'other' && before.phase === 'waiting';
    const { state, actions } =
        left === 'none'
            ? emptied({ ...before, since: 0 })
            : {
                  state: /** @type {WaitState} */ (changes ? { ...before, phase: 'changed' } : before),
                  actions: /** @type {WaitAction[]} */ (changes ? [{ type: 'defer' }] : []),
              };
    return {
        state,
        actions: [isMet ? { type: 'run', request } : { type: 'reject', request, reason }, ...actions],
    };
}

/**
 * @param {WaitState} before
 * @param {Extract<WaitEvent, { type: 'stepped' }>} event
 * @returns {Reaction}
 */
function stepped(before, { next, expected, seen, watched, isSenior, reservation, now }) {
    if (next === 'done') {
        return { state: idle(before, now), actions: [...stopTimer(before), { type: 'meet' }] };
    }
    const timer = watched ? 'watch' : before.polls ? 'look' : 'none';
    const state = /** @type {WaitState} */ ({ ...before, phase: 'waiting', timer, watched, next, seen });
    if (isSenior && watched !== before.senior) {
        state.senior = watched;
        state.leftSince = now;
    }
    /** @type {WaitAction[]} */
    const actions = [];
    if (timer !== before.timer || watched !== before.watched) {
        actions.push(...stopTimer(before));
        if (timer === 'watch') {
            // One that polls does not look otherwise.
            const longest = before.polls ? GATE_POLLED_RESERVATION_MS : reservation;
            actions.push({ type: 'watch', milliseconds: Math.min(reservation, longest) });
        } else if (timer === 'look') {
            actions.push({ type: 'look' });
        }
    }
    if (!before.polls && !before[next]) {
        state[next] = true;
        actions.push({ type: 'arm', word: next, expected });
    }
    return { state, actions };
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
    // While a call is watched, the end of that is the next look.
    return before.timer === 'none'
        ? { state: { ...state, timer: 'look' }, actions: [{ type: 'look' }] }
        : { state, actions: [] };
}

/**
 * Whether a look has found that the wake of a wait may have been lost, so that it steps. Who changes a word wakes those
 * that wait on it.
 *
 * @param {WaitState} state
 * @param {number} value of the word by which the last step decided to wait
 * @param {boolean} canWait false: in a window that is no more
 * @param {Word} [word] that the look was for; by default it was by timer, and one in line that looks by timer is not told
 *     of all that concerns it by that word
 */
export function isToStep({ phase, next, seen }, value, canWait, word) {
    const isAbout = word === undefined || word === next;
    const hasNews = value !== seen || (word === undefined && next === 'line');
    return phase === 'waiting' && (!canWait || (isAbout && hasNews));
}

/**
 * @param {WaitState} state
 * @param {WaitEvent} event
 * @returns {Reaction}
 */
export function react(state, event) {
    /** @type {Reaction} */
    const unchanged = { state, actions: [] };
    const { phase } = state;
    if (phase === 'freed') {
        return unchanged;
    }
    switch (event.type) {
        case 'requested': {
            const since = event.isFirst ? event.now : state.since;
            return event.waits && phase === 'idle' && !event.isHeldUp
                ? { state: { ...state, phase: 'asked', since }, actions: [{ type: 'defer' }] }
                : { state: { ...state, since }, actions: [] };
        }
        case 'jobEnded':
            return phase === 'asked' || phase === 'changed' ? step(state) : unchanged;
        case 'released':
            if (!event.waits) {
                return { state: { ...state, since: 0 }, actions: [] };
            }
            return event.isHeldUp ? unchanged : { state, actions: [{ type: 'goOn' }] };
        case 'wentOn':
            if (phase === 'waiting' || phase === 'resting') {
                return unchanged; // a request that came since has begun to wait already
            }
            return event.isOver
                ? {
                      state: { ...state, phase: hasWaited(state) ? phase : 'resting' },
                      actions: [{ type: 'rest' }],
                  }
                : step(state);
        case 'rested':
            return phase === 'resting' || phase === 'changed' ? step(state) : unchanged;
        // The request may have ended since this was told: an action runs foreign code.
        case 'due': {
            const { request, reason } = event;
            return request.waits ? { state, actions: [{ type: 'end', request, reason }] } : unchanged;
        }
        case 'ended':
            return ended(state, event);
        case 'checked':
            return checked(state, event);
        case 'failed':
            return failed(state, event);
        case 'freed':
            return {
                state: { ...idle(state, 0), phase: 'freed' },
                actions: [...stopTimer(state), { type: 'rejectAll' }],
            };
        case 'stepped':
            return stepped(state, event);
        case 'armed':
            // In the line the entry comes first, and the flag that announces it after it, by one more step.
            return event.word === 'line' ? stepAgain(state) : unchanged;
        case 'refused':
            return refused(state, event);
        case 'woken': {
            const after = { ...state, [event.word]: false };
            return phase === 'waiting' ? step(after) : { state: after, actions: [] };
        }
        case 'looked':
            return phase === 'waiting' ? step(state) : unchanged;
        case 'outlasted':
            return event.isOn ? step({ ...state, timer: 'none', watched: 0 }, state.watched) : unchanged;
    }
}
