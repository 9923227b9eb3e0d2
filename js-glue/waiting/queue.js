/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { hasTimers, hasWaitAsync } from '../thread/agent.js';
import { clearAlarm, setAlarm } from '../thread/alarms.js';
import { environment } from '../thread/environment.js';
import { PATIENT_STEPS } from '../thread/times.js';
import { HoldfastError, TimeoutError } from '../errors.js';
import { idleState, react } from './decide.js';
import { abortOf, throwLater } from './ends.js';
import { afterLook, poll, pollNoMore } from './polling.js';
import { isPromiseOfWait, Request, RequestList } from './request.js';
import { ReservationClock } from './reservation-clock.js';
import { arm } from './sweep.js';
import { isBurstOver, tell, tellLater } from './turns.js';

/**
 * What the queue needs of a primitive: its steps, and the words to wait on. All numbers come from C and mean
 * nothing here. `ask` is what one request asks for: how much of a gate, or since when it waits.
 *
 * @typedef {object} Waitable
 * @property {(ask: number, comesLate: boolean, inLine: boolean, watched: number, waited: number) => import('./outcome.js').Stepped} step
 * @property {() => void} withdraw this thread waits no longer
 * @property {(ask: number) => boolean} [abandon] a request waits no longer; whether it was done at this last moment
 * @property {(word: import('./decide.js').Word) => { words: Int32Array, index: number }} locate
 * @property {(word: import('./decide.js').Word) => number} look what stands in the word by which a step decides to wait there
 * @property {string} late what did not happen, for words
 */

/** How many requests of a freed lock are rejected at once, before what that has resolved goes on. */
const AT_ONCE = 64;

/** The time that a queue gives to what it watches. */
class Watch {
    /**
     * @param {number} time
     * @param {RequestQueue} queue
     */
    constructor(time, queue) {
        this.time = time;
        this.queue = queue;
    }

    ring() {
        tell(this.queue, { type: 'outlasted', watch: this });
    }
}

/**
 * The requests of one thread for one primitive: they wait in the order made, behind at most one pending waitAsync
 * a word, and run one after the other as they are met. What to do next is decided in decide.js.
 */
export class RequestQueue {
    #waitable;
    /** @type {import('./decide.js').WaitState} */
    #state;
    #requests = new RequestList();
    #dispatching = false;
    /** The lock here was freed. What is at its place has another queue. */
    isFreed = false;
    /** @type {import('./decide.js').WaitEvent[]} */
    #events = [];
    /** Since when its first request has waited; 0: none does. */
    #since = 0;
    /** Modulo PATIENT_STEPS. */
    #stepsInVain = 0;
    /** @type {Watch | undefined} */
    #watch;
    /** @type {import('./outcome.js').Stepped['next']} what the last step came to; 'done': nobody waits */
    #next = 'done';
    /** The word by which it did. */
    #seen = 0;
    /** Of this thread's attempts that do not wait, whatever object they are made by. */
    clock = new ReservationClock();

    /** @param {Waitable} waitable */
    constructor(waitable) {
        this.#waitable = waitable;
        this.#state = idleState(!hasWaitAsync());
    }

    /** Whether requests wait here. */
    get waits() {
        return this.#requests.first !== undefined;
    }

    /** Whether the next request has to wait for something that this thread does itself, which ends by `goOn`. */
    get isHeldUp() {
        return false;
    }

    /** Whether a new request would have nobody of its own thread before it. */
    admitsAtOnce() {
        return !this.waits && !this.isFreed;
    }

    /** The lock here was freed: its words are not touched again, and its requests are rejected, in turns. */
    free() {
        this.#dispatch({ type: 'freed' });
        this.isFreed = true;
        tell(this);
    }

    /** @returns {boolean} whether more of them are left */
    #rejectSome() {
        for (let left = AT_ONCE; left > 0; left -= 1) {
            const { first } = this.#requests;
            if (first === undefined) {
                return false;
            }
            this.#remove(first);
            first.reject(freedError());
        }
        return true;
    }

    /** What held the requests up is over. They go on, but not within this call: they are not the caller's business. */
    goOn() {
        if (this.waits) {
            this.#dispatch(this.#served());
        }
    }

    /** @returns {import('./decide.js').WaitEvent} */
    #served() {
        return { type: 'served', waits: this.waits, isHeldUp: this.isHeldUp };
    }

    /** The section that held the requests up had already lost the lock. */
    startAgain() {
        if (this.waits) {
            this.#requested();
        }
    }

    #requested() {
        this.#dispatch({ type: 'requested', isHeldUp: this.isHeldUp });
    }

    /** @throws {HoldfastError} `HF_NO_TIMERS` where this thread cannot wait at all */
    checkMayWait() {
        if (!hasTimers()) {
            throw noTimersError();
        }
    }

    /**
     * Adds a request behind the others.
     *
     * @template T
     * @template C
     * @param {number} ask
     * @param {any} held what it will hold: the parameter of `start`
     * @param {(held: any, callback: C) => T | PromiseLike<T>} start called when it is met; if there is a callback, in the
     *     caller's context
     * @param {C} callback
     * @param {import('../options.js').Wait} wait
     * @returns {Promise<T>} of what `start` returns or throws
     */
    request(ask, held, start, callback, wait) {
        if (wait.timeout === 0) {
            throw this.timeoutError(0);
        }
        if (this.isFreed) {
            throw freedError();
        }
        this.checkMayWait();
        const request = new Request(this, ask, held, start, callback, wait);
        if (!this.waits) {
            this.#since = environment.now();
        }
        this.#requests.append(request);
        try {
            request.watch();
            this.#requested();
        } catch (error) {
            if (request.waits) {
                this.#remove(request); // by the signal's own code
            }
            throw error;
        }
        return request.promise;
    }

    /**
     * Whether that promise is a request of this queue that still waits: a section that waits for it before it
     * ends waits for itself.
     *
     * @param {unknown} promise
     */
    awaits(promise) {
        return isPromiseOfWait(this, promise);
    }

    /** @param {Request} request */
    #remove(request) {
        this.#requests.remove(request);
        request.endWait();
    }

    /** @param {number} timeout */
    timeoutError(timeout) {
        return new TimeoutError(this.#waitable.late, timeout);
    }

    /**
     * The time of a request is up, or its signal has aborted: ends it, unless that was done.
     *
     * @param {Request} request
     * @param {unknown} reason
     */
    giveUp(request, reason) {
        if (request.waits && !this.isFreed) {
            this.#dispatch(this.#end(request, reason));
        }
    }

    /**
     * @param {Request} request
     * @param {unknown} reason
     * @returns {import('./decide.js').WaitEvent} what is left
     */
    #end(request, reason) {
        const wasFirst = this.#requests.first === request;
        this.#remove(request);
        if (this.#waitable.abandon?.(request.ask)) {
            request.run();
        } else {
            request.reject(reason);
        }
        const { first } = this.#requests;
        if (first === undefined) {
            this.#rest();
        }
        const left = first === undefined ? 'none' : first.ask === request.ask ? 'same' : 'other';
        return { type: 'gaveUp', wasFirst, left };
    }

    /** Nobody waits: as at first. */
    #rest() {
        this.#since = 0;
        this.#stepsInVain = 0;
        this.#next = 'done';
        this.#seen = 0;
    }

    /** @param {import('./decide.js').WaitEvent} event */
    #dispatch(event) {
        this.#events.push(event);
        if (this.#dispatching) {
            return; // of foreign code within it: the loop below goes on with its event
        }
        this.#dispatching = true;
        try {
            this.#handleEvents();
        } finally {
            this.#dispatching = false;
        }
    }

    #handleEvents() {
        for (let next; (next = this.#events.shift());) {
            if (this.isFreed && next.type !== 'freed') {
                continue;
            }
            const { state, actions } = react(this.#state, next);
            this.#state = state;
            for (const action of actions) {
                const outcome = this.#attempt(action);
                if (outcome !== undefined) {
                    // Before what came in between: it is about the state as it is now.
                    this.#events.unshift(outcome);
                }
            }
        }
    }

    /**
     * An event that has come by itself, or was put off.
     *
     * @param {import('./decide.js').WaitEvent | undefined} event undefined: the lock here was freed
     * @returns {boolean | void} whether there is more to do
     */
    hear(event) {
        if (event === undefined) {
            return this.#rejectSome();
        }
        if (event.type === 'outlasted' && event.watch !== this.#watch) {
            return; // the watch has ended since
        }
        if (event.type === 'polled') {
            afterLook(this, event);
        } else {
            this.#dispatch(event);
        }
    }

    /** @param {import('./decide.js').WaitEvent} event */
    goOnWith(event) {
        this.#dispatch(event);
    }

    /**
     * @param {import('./decide.js').WaitAction} action
     * @returns {import('./decide.js').WaitEvent | undefined} what came of it at once
     */
    #attempt(action) {
        try {
            return this.#perform(action);
        } catch (reason) {
            // A polyfill's, or out of memory.
            return { type: 'aborted', reason, ...(action.type === 'arm' && { word: action.word }) };
        }
    }

    /**
     * @param {import('./decide.js').WaitAction} action
     * @returns {import('./decide.js').WaitEvent | undefined}
     */
    #perform(action) {
        switch (action.type) {
            case 'defer':
                // No job of its own, and so no new burst: requests that follow each other would have no end of it.
                environment.queueMicrotask(() => this.#dispatch({ type: 'jobEnded' }));
                return undefined;
            case 'goOn':
                environment.queueMicrotask(() =>
                    this.#dispatch({ type: 'sectionEnded', rest: isBurstOver() }),
                );
                return undefined;
            case 'rest':
                tellLater(this, { type: 'rested' });
                return undefined;
            case 'step':
                return this.#step(action.inLine, action.watched);
            case 'run':
                this.#runFirst();
                return this.#served();
            case 'giveUp':
                return this.#endFirst(action.reason);
            case 'arm':
                return this.#arm(action.word, action.expected);
            case 'startTimer':
                if (action.then === 'polled') {
                    poll(this);
                } else {
                    this.#watch = new Watch(environment.now() + action.milliseconds, this);
                    setAlarm(this.#watch);
                }
                return undefined;
            case 'stopTimer':
                pollNoMore(this);
                if (this.#watch) {
                    clearAlarm(this.#watch);
                    this.#watch = undefined;
                }
                return undefined;
            case 'withdraw':
                this.#waitable.withdraw();
                return undefined;
        }
    }

    /**
     * @param {boolean} inLine
     * @param {number} watched
     * @returns {import('./decide.js').WaitEvent}
     */
    #step(inLine, watched) {
        const { first } = this.#requests;
        if (first === undefined || this.isHeldUp) {
            return { type: 'emptied' }; // since this was decided, the last one has given up
        }
        // The listeners of a signal may not all have run yet, and one of them may have released the lock. Without
        // timers, in a window that is no more, nobody would end a section.
        const end = hasTimers() ? abortOf(first.signal) : { reason: noTimersError() };
        if (end !== undefined) {
            return { type: 'aborted', ...end };
        }
        this.#stepsInVain = (this.#stepsInVain + 1) % PATIENT_STEPS;
        const comesLate = this.#state.polls || this.#stepsInVain === 0;
        const waited = environment.now() - this.#since;
        const before = this.#waitable.look('line');
        const event = this.#waitable.step(first.ask, comesLate, inLine, watched, waited);
        this.#next = event.next;
        this.#seen = event.next === 'line' ? before : event.expected;
        return event;
    }

    /**
     * @param {unknown} reason
     * @returns {import('./decide.js').WaitEvent | undefined}
     */
    #endFirst(reason) {
        const { first } = this.#requests;
        if (first !== undefined) {
            return this.#end(first, reason);
        }
        throwLater(reason);
        return undefined;
    }

    #runFirst() {
        const request = /** @type {Request} */ (this.#requests.first);
        this.#rest();
        this.#remove(request);
        if (this.waits) {
            this.#since = environment.now();
        }
        request.run();
    }

    /**
     * @param {import('./decide.js').Word} word
     * @param {number} expected
     * @returns {import('./decide.js').WaitEvent}
     */
    #arm(word, expected) {
        const place = this.#waitable.locate(word);
        return { type: arm(this, word, place, expected) ? 'armed' : 'refused', word };
    }

    /**
     * A sweep has come to an entry: steps if its wake may have been lost, or in a window that is no more, where nothing can be
     * waited for.
     *
     * @param {import('./decide.js').Word} word that the entry is on
     * @returns {boolean} whether anybody waits here
     */
    look(word) {
        if ((this.#next === word && this.#hasChanged()) || !hasTimers()) {
            tell(this, { type: 'polled' });
        }
        return this.#state.phase !== 'idle';
    }

    /** Whether what it waits for will be there for it, and not for long. */
    get hurries() {
        return this.#next === 'turn';
    }

    /** The timer of this thread looks, where there is no waitAsync. */
    lookByTimer() {
        const hasChanged = this.#hasChanged();
        // One in line that looks by timer is not told of all that concerns it by that word.
        if (hasChanged || this.#next === 'line') {
            tell(this, { type: 'polled' });
        }
        return hasChanged;
    }

    /** Whether the word has, by which the last step decided to wait. Who changed it would have woken this thread. */
    #hasChanged() {
        return this.#waitable.look(this.#next === 'turn' ? 'turn' : 'line') !== this.#seen;
    }
}

function freedError() {
    return new HoldfastError('HF_FREED', 'This thread freed it, while a request waited.');
}

function noTimersError() {
    return new HoldfastError(
        'HF_NO_TIMERS',
        'This thread has no timers to wait by. Use tryLock() without a timeout.',
    );
}
