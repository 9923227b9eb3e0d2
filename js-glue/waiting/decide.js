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
    STEP_TOKEN_IN_LINE,
    STEP_TOKEN_RANK_SHIFT,
    STEP_WATCHED_SHIFT,
} from '../memory/layout.js';
import { PATIENT_STEPS, RANKS_MS } from '../thread/times.js';

/* What a thread does while its requests wait for one lock, as a pure function: (state, event) -> (state, actions).
 * queue.js performs the actions and reports facts.
 *
 * PHASES   idle      no request waits, or a section of this thread runs
 *          asked     steps when the running job ends: until then this thread is busy, and a successor has to be awake
 *          waiting   stepped in vain; steps again when woken
 *          changed   the first request has ended, and the next asks for something else, which may be there: steps when
 *                    the running job ends, which may end more of them
 *          resting   this thread's other work has its turn
 *          freed     the words are not touched again
 *
 * ENTRIES  `turn`, `line`: a waitAsync is pending on that word. It cannot be cancelled and outlives its wait, so there is
 *          at most one a word, and it is used again. A wake of these words is for all, so one that comes when nobody
 *          waits robs nobody, and is forgotten.
 *
 * TIMERS   `watched` only another thread's reservation or place, or the senior, is in the way: if it still is at the
 *                    end, the next step names it. A senior's time counts on while others have the place, or a thread
 *                    that is woken at each release would never come to its end
 *          `looks`   there is no waitAsync, or each step of a job found another word */

/** How often a word may differ from what the step saw, before a timer looks. */
export const MOST_REFUSALS = 4;

/**
 * @typedef {import('../thread/event-loop.js').Word} Word
 * @typedef {import('./pending.js').AnyRequest} Request
 *
 * @typedef {object} WaitState
 * @property {'idle' | 'asked' | 'waiting' | 'changed' | 'resting' | 'freed'} phase
 * @property {boolean} polls there is no waitAsync
 * @property {boolean} turn
 * @property {boolean} line
 * @property {boolean} looks
 * @property {number} watched the number of the call, the place or the senior that the timer is for; 0: none
 * @property {number} senior to whom it left the place; 0: nobody
 * @property {number} leftSince
 * @property {number} refused how often a word differed, in this job
 * @property {number} inVain modulo PATIENT_STEPS
 * @property {number} since when this thread waits without having been served; 0: no request waits
 * @property {'done' | Word} next what the last step waits for
 * @property {number} seen what that step saw in the word by which it decided
 *
 * `isHeldUp`: a section of this thread comes first, whose end is an event. `watched` of a step: what has been watched
 * for so long that it may be passed by; 0: nothing.
 *
 * @typedef {{ type: 'requested', isFirst: boolean, waits: boolean, isHeldUp: boolean, now: number }
 *     | { type: 'jobEnded' }
 *     | { type: 'released', waits: boolean, isHeldUp: boolean }
 *     | { type: 'wentOn', isOver: boolean }
 *     | { type: 'rested' }
 *     | { type: 'due', request: Request, reason: unknown }
 *     | { type: 'ended', request: Request, reason: unknown, isMet: boolean, isFirst: boolean, left: 'none' | 'same' | 'other' }
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
 * @property {'done' | Word} next the word to wait on
 * @property {number} expected its value
 * @property {number} watched the number of the call, the place or the senior in the way; 0: none
 * @property {boolean} isSenior whether `watched` is the senior
 * @property {number} reservation for how many milliseconds to watch it
 */

/**
 * @param {bigint} outcome of a step
 * @param {boolean} [hasSenior] a gate's, whose `line` names the senior; elsewhere `line` stays 0
 * @returns {Outcome}
 */
export function outcomeOf(outcome, hasSenior = false) {
    const shift = BigInt(STEP_NEXT_SHIFT);
    return outcomeIn(Number(BigInt.asIntN(STEP_NEXT_SHIFT, outcome)), Number(outcome >> shift), hasSenior);
}

/**
 * @param {number} expected the lower half
 * @param {number} rest the upper half
 * @param {boolean} hasSenior
 * @returns {Outcome}
 */
export function outcomeIn(expected, rest, hasSenior) {
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
 * The token of an event loop's step at a gate.
 *
 * @param {boolean} inLine
 * @param {number} watched
 * @param {number} waited milliseconds
 */
export function tokenOf(inLine, watched, waited) {
    const rank = RANKS_MS.filter((least) => waited >= least).length;
    return watched | (inLine ? STEP_TOKEN_IN_LINE : 0) | (rank << STEP_TOKEN_RANK_SHIFT);
}

/**
 * @param {boolean} polls
 * @returns {WaitState}
 */
export function idleState(polls) {
    return idle({ polls, turn: false, line: false }, 0);
}

/**
 * The caller stops the timers.
 *
 * @param {Pick<WaitState, 'polls' | 'turn' | 'line'>} state of before
 * @param {number} since
 * @returns {WaitState}
 */
function idle(state, since) {
    const { polls, turn, line } = state;
    return {
        phase: 'idle',
        polls,
        turn,
        line,
        looks: false,
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
 * @param {Pick<WaitState, 'watched' | 'looks'>} state
 * @returns {WaitAction[]} a new list
 */
function stopTimers({ watched, looks }) {
    /** @type {WaitAction[]} */
    const actions = [];
    if (watched !== 0) {
        actions.push({ type: 'stopWatch' });
    }
    if (looks) {
        actions.push({ type: 'stopLook' });
    }
    return actions;
}

/**
 * Whether this thread has a place or a flag in the words.
 *
 * @param {WaitState} state
 */
function hasWaited({ phase }) {
    return phase === 'waiting' || phase === 'changed';
}

/**
 * One more step in the same job.
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
        actions: hasWaited(state) ? [...stopTimers(state), { type: 'withdraw' }] : [],
    };
}

/**
 * @param {WaitState} state
 * @param {Extract<WaitEvent, { type: 'checked' }>} event
 * @returns {Reaction}
 */
function checked(state, { first, isHeldUp, end, watched, now }) {
    if (first === undefined || isHeldUp) {
        return emptied(state); // nobody is to have a place: all have ended, or a section of this thread comes first
    }
    if (end !== undefined) {
        return failed(state, { type: 'failed', first, reason: end.reason });
    }
    const { line: inLine, since, senior, leftSince } = state;
    const comesLate = state.polls || state.inVain === PATIENT_STEPS - 1;
    const named = watched || (now - leftSince < GATE_POLLED_RESERVATION_MS ? 0 : senior);
    return {
        state,
        actions: [{ type: 'step', ask: first.ask, comesLate, inLine, watched: named, since, now }],
    };
}

/**
 * The first request ends: it was found aborted, or an action threw. The next one has waited as long, but watches anew.
 *
 * @param {WaitState} before
 * @param {Extract<WaitEvent, { type: 'failed' }>} event
 * @returns {Reaction}
 */
function failed(before, { first, reason, word }) {
    const phase = hasWaited(before) ? 'changed' : 'asked';
    const state = /** @type {WaitState} */ ({ ...before, phase, looks: false, watched: 0, refused: 0 });
    if (word !== undefined) {
        state[word] = false;
    }
    if (first === undefined) {
        // To go on would fail, too, where there is no stack: for ever.
        const { state: after, actions } = emptied({ ...state, since: 0 });
        return { state: after, actions: [...stopTimers(before), { type: 'throw', reason }, ...actions] };
    }
    return {
        state,
        actions: [...stopTimers(before), { type: 'end', request: first, reason }, { type: 'goOn' }],
    };
}

/**
 * Defers the step, so that all that one signal ends has ended before it.
 *
 * @param {WaitState} before
 * @param {Extract<WaitEvent, { type: 'ended' }>} event
 * @returns {Reaction}
 */
function ended(before, { request, reason, isMet, isFirst, left }) {
    const changes = isFirst && left === 'other' && before.phase === 'waiting';
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
        const actions = stopTimers(before);
        actions.push({ type: 'meet' });
        return { state: idle(before, now), actions };
    }
    const looks = before.polls && watched === 0;
    const inVain = (before.inVain + 1) % PATIENT_STEPS;
    const state = /** @type {WaitState} */ ({
        ...before,
        phase: 'waiting',
        looks,
        watched,
        inVain,
        next,
        seen,
    });
    if (isSenior && watched !== before.senior) {
        state.senior = watched;
        state.leftSince = now;
    }
    const isNew = watched !== before.watched;
    const actions = stopTimers({ watched: isNew ? before.watched : 0, looks: before.looks && !looks });
    if (isNew && watched !== 0) {
        // Who polls looks at no other time.
        const most = before.polls ? GATE_POLLED_RESERVATION_MS : Infinity;
        actions.push({ type: 'watch', milliseconds: Math.min(reservation, most) });
    }
    if (looks && !before.looks) {
        actions.push({ type: 'look' });
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
    return { state: { ...state, looks: true }, actions: [{ type: 'look' }] };
}

/**
 * Whether the wake of a wait may have been lost: who changes a word wakes those that wait on it.
 *
 * @param {WaitState} state
 * @param {number} value of the word by which the last step decided
 * @param {boolean} canWait false: in a window that is no more
 * @param {Word} [word] none: a look by timer, at which one in line always steps, since its word does not tell all
 */
export function isToStep({ phase, next, seen }, value, canWait, word) {
    const isAbout = word === undefined || word === next;
    const hasNews = value !== seen || (word === undefined && next === 'line');
    return phase === 'waiting' && (!canWait || (isAbout && hasNews));
}

/**
 * @param {WaitState} state
 * @returns {Reaction}
 */
function unchanged(state) {
    return { state, actions: [] };
}

/**
 * @param {WaitState} state
 * @param {WaitEvent} event
 * @returns {Reaction}
 */
export function react(state, event) {
    const { phase } = state;
    if (phase === 'freed') {
        return unchanged(state);
    }
    switch (event.type) {
        case 'requested': {
            const after = event.isFirst ? { ...state, since: event.now } : state;
            return event.waits && phase === 'idle' && !event.isHeldUp
                ? { state: { ...after, phase: 'asked' }, actions: [{ type: 'defer' }] }
                : unchanged(after);
        }
        case 'jobEnded':
            return phase === 'asked' || phase === 'changed' ? step(state) : unchanged(state);
        case 'released':
            if (!event.waits) {
                return unchanged({ ...state, since: 0 });
            }
            return event.isHeldUp ? unchanged(state) : { state, actions: [{ type: 'goOn' }] };
        case 'wentOn':
            if (phase === 'waiting' || phase === 'resting') {
                return unchanged(state); // a later request waits already
            }
            return event.isOver
                ? {
                      state: { ...state, phase: hasWaited(state) ? phase : 'resting' },
                      actions: [{ type: 'rest' }],
                  }
                : step(state);
        case 'rested':
            return phase === 'resting' || phase === 'changed' ? step(state) : unchanged(state);
        // It may have ended since: actions run foreign code.
        case 'due': {
            const { request, reason } = event;
            return request.waits ? { state, actions: [{ type: 'end', request, reason }] } : unchanged(state);
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
                actions: [...stopTimers(state), { type: 'rejectAll' }],
            };
        case 'stepped':
            return stepped(state, event);
        case 'armed':
            // The entry comes first. The flag that announces it comes after it, by one more step.
            return event.word === 'line' ? stepAgain(state) : unchanged(state);
        case 'refused':
            return refused(state, event);
        case 'woken': {
            const after = { ...state, [event.word]: false };
            return phase === 'waiting' ? step(after) : unchanged(after);
        }
        case 'looked':
            return phase === 'waiting' ? step(state) : unchanged(state);
        case 'outlasted':
            return event.isOn ? step({ ...state, watched: 0 }, state.watched) : unchanged(state);
    }
}
