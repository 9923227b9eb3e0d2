/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { hasTimers, hasWaitAsync } from './agent.js';
import { errorOf, HoldfastError, TimeoutError } from './errors.js';
import { RESULT_NOT_OWNER } from './layout.js';
import { RequestList } from './request-list.js';
import { isPromiseOfWait, Request } from './request.js';
import { ReservationClock } from './reservation-clock.js';
import { Timer } from './timer.js';
import { idleState, react } from './waiting.js';
import { yieldToLoop } from './yield-to-loop.js';

/**
 * What the queue needs of a primitive: its steps, and the words to wait on. All numbers come from C and mean
 * nothing here.
 *
 * @typedef {object} Waitable
 * @property {(polls: boolean, inLine: boolean, watched: number) => import('./waiting.js').WaitEvent} step
 * @property {(polls: boolean) => void} withdraw
 * @property {() => HoldfastError | undefined} leave releases; the error if that could not be
 * @property {() => boolean} isMine whether this thread holds the lock
 * @property {(word: import('./waiting.js').Word) => { words: Int32Array, index: number }} locate
 */

/** An entry's limit, after which the thread looks by itself: a wake may have gone to a thread that died. */
const SLICE_MS = 50;

/** For how long sections of one thread may follow each other before its other work has a turn. */
const BURST_MS = 4;

/**
 * The requests of one thread for one lock: they wait in the order made, behind at most one pending waitAsync
 * a word, and run one after the other with the lock held. What to do next is decided in waiting.js.
 */
export class RequestQueue {
    /** @type {Waitable} */
    #waitable;
    /** @type {import('./attachment.js').Attachment} */
    #attachment;
    /** @type {import('./waiting.js').WaitState} */
    #state;
    #requests = new RequestList();
    /** The take that something will end by `leave`: a section, a guard. 0: none; the lock may be held all the same. */
    #take = 0;
    /** The last number given to such a take. */
    #takes = 0;
    /** Whether that take is a section of this queue. */
    #runs = false;
    #dispatching = false;
    /** @type {import('./waiting.js').WaitEvent[]} */
    #events = [];
    #burstEnd = 0;
    #timer = new Timer();
    /** Of this thread's attempts that do not wait, whatever object they are made by. */
    clock = new ReservationClock();

    /**
     * @param {Waitable} waitable
     * @param {import('./attachment.js').Attachment} attachment
     */
    constructor(waitable, attachment) {
        this.#waitable = waitable;
        this.#attachment = attachment;
        this.#state = idleState(!hasWaitAsync());
    }

    /** Whether a new request would have nobody of its own thread before it. */
    admitsAtOnce() {
        if (this.#runs && !this.#waitable.isMine()) {
            this.forget(); // that section lost the lock, by unlock() through another object
        }
        return !this.#runs && this.#requests.first === undefined;
    }

    /** Whether something holds the lock that will release it by `leave`. */
    get holds() {
        return this.#take !== 0 && this.#waitable.isMine();
    }

    /** Whatever take still seems to last has lost the lock, for the thread has just taken it again. */
    forget() {
        if (this.#take === 0) {
            return;
        }
        this.#attachment.takes -= 1;
        this.#take = 0;
        if (this.#runs) {
            this.#runs = false;
            if (this.#requests.first !== undefined) {
                this.#dispatch({ type: 'requested' }); // they waited for the end of that section
            }
        }
    }

    /**
     * The thread has just taken the lock by a blocking method that will end it by `leave`.
     *
     * @returns {number} for `leave`
     */
    take() {
        this.forget();
        return this.#number();
    }

    /**
     * A section of this queue begins, with the lock held already.
     *
     * @returns {number} for `leave`
     */
    enter() {
        this.#runs = true;
        return this.#number();
    }

    #number() {
        if (this.#take === 0) {
            this.#attachment.takes += 1;
        }
        this.#takes += 1;
        this.#take = this.#takes;
        return this.#take;
    }

    /**
     * What that take began has ended: releases the lock, and lets the next request have its turn, but not within
     * this call: its callback is not the caller's business.
     *
     * @param {number} take
     * @returns {HoldfastError | undefined} set if it did not hold the lock any more
     */
    leave(take) {
        if (take !== this.#take) {
            return errorOf(RESULT_NOT_OWNER, 'lock');
        }
        const ran = this.#runs;
        this.#attachment.takes -= 1;
        this.#take = 0;
        this.#runs = false;
        const error = this.#waitable.leave();
        if (ran && this.#requests.first !== undefined) {
            if (this.#dispatching) {
                this.#endSection();
            } else {
                queueMicrotask(() => this.#endSection());
            }
        }
        return error;
    }

    #endSection() {
        this.#dispatch({ type: 'sectionEnded', rest: performance.now() > this.#burstEnd });
    }

    /**
     * Adds a request behind the others.
     *
     * @template T
     * @template C
     * @param {(queue: RequestQueue, callback: C) => T | PromiseLike<T>} start called with the lock held; its end is
     *     `leave()`
     * @param {C} callback
     * @param {import('./options.js').Wait} wait
     * @returns {Promise<T>} of what `start` returns or throws
     */
    request(start, callback, wait) {
        if (wait.timeout === 0) {
            throw this.timeoutError(0);
        }
        if (!hasTimers()) {
            throw new HoldfastError(
                'HF_NO_TIMERS',
                'The lock is not free, and this thread has no timers to wait by, as an audio worklet has none. ' +
                    'Use tryLock() here, and do without the lock when it returns false.',
            );
        }
        const request = new Request(this, start, callback, wait);
        this.#requests.append(request);
        try {
            request.beginWait();
        } catch (error) {
            this.#remove(request); // by the signal's own code
            throw error;
        }
        if (!this.#runs) {
            this.#dispatch({ type: 'requested' });
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
        return new TimeoutError(timeout, this.#waitable.isMine());
    }

    /**
     * The time of a request is up, or its signal has aborted.
     *
     * @param {Request} request
     * @param {unknown} reason
     */
    giveUp(request, reason) {
        this.#remove(request);
        if (this.#requests.first === undefined && !this.#runs) {
            this.#dispatch({ type: 'emptied' });
        }
        request.reject(reason);
    }

    /** @param {import('./waiting.js').WaitEvent} event */
    #dispatch(event) {
        this.#events.push(event);
        if (this.#dispatching) {
            return; // a section that ran as an action has ended: the loop below goes on with its event
        }
        this.#dispatching = true;
        for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
            const { state, actions } = react(this.#state, next);
            this.#state = state;
            for (const action of actions) {
                const outcome = this.#perform(action);
                if (outcome !== undefined) {
                    // Before what callbacks have brought about: it is about the state as it is now.
                    this.#events.unshift(outcome);
                }
            }
        }
        this.#dispatching = false;
    }

    /**
     * An event that comes by itself, as a job of its own.
     *
     * @param {import('./waiting.js').WaitEvent} event
     */
    #resume(event) {
        this.#burstEnd = performance.now() + BURST_MS;
        this.#dispatch(event);
    }

    /**
     * @param {import('./waiting.js').WaitAction} action
     * @returns {import('./waiting.js').WaitEvent | undefined} what came of it at once
     */
    #perform(action) {
        switch (action.type) {
            case 'defer':
                queueMicrotask(() => this.#resume({ type: 'jobEnded' }));
                return undefined;
            case 'rest':
                yieldToLoop(() => this.#resume({ type: 'rested' }));
                return undefined;
            case 'step':
                return this.#step(action.inLine, action.watched);
            case 'run':
                this.#runFirst();
                return undefined;
            case 'arm':
                return this.#arm(action.word, action.expected);
            case 'startTimer':
                this.#timer.start(action.milliseconds, () => this.#resume({ type: action.then }));
                return undefined;
            case 'stopTimer':
                this.#timer.stop();
                return undefined;
            case 'withdraw':
                this.#waitable.withdraw(this.#state.polls);
                return undefined;
        }
    }

    /**
     * @param {boolean} inLine
     * @param {number} watched
     * @returns {import('./waiting.js').WaitEvent}
     */
    #step(inLine, watched) {
        for (;;) {
            const first = this.#requests.first;
            if (first === undefined || this.#runs) {
                return { type: 'emptied' }; // since this was decided, the last one has given up
            }
            if (first.abortedSignal === undefined) {
                return this.#waitable.step(this.#state.polls, inLine, watched);
            }
            this.giveUp(first, first.abortedSignal.reason);
        }
    }

    #runFirst() {
        const request = this.#requests.first;
        if (request === undefined) {
            throw new HoldfastError('HF_INTERNAL', 'A lock was taken for nobody.');
        }
        this.#remove(request);
        request.run();
    }

    /**
     * @param {import('./waiting.js').Word} word
     * @param {number} expected
     * @returns {import('./waiting.js').WaitEvent}
     */
    #arm(word, expected) {
        const { words, index } = this.#waitable.locate(word);
        const entry = Atomics.waitAsync(words, index, expected, SLICE_MS);
        if (!entry.async) {
            return { type: 'woken', word }; // the word has changed
        }
        entry.value.then(() => this.#resume({ type: 'woken', word }));
        return { type: 'armed', word };
    }
}

/**
 * This thread's one queue for the lock at that place.
 *
 * @param {import('./attachment.js').Attachment} attachment
 * @param {number} byteOffset
 * @param {new (attachment: import('./attachment.js').Attachment, byteOffset: number) => Waitable} WaitableClass
 */
export function queueOf(attachment, byteOffset, WaitableClass) {
    let queue = attachment.queues.get(byteOffset);
    if (queue === undefined) {
        queue = new RequestQueue(new WaitableClass(attachment, byteOffset), attachment);
        attachment.queues.set(byteOffset, queue);
    }
    return queue;
}
