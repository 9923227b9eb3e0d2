/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { listen, unlisten } from './abort.js';
import { hasWaitAsync } from './agent.js';
import { HoldfastError, TimeoutError } from './errors.js';
import * as keepAlive from './keep-alive.js';
import { idleState, react } from './waiting.js';

/**
 * What the queue needs of a primitive: its steps, and the words to wait on. All numbers come from C and mean
 * nothing here.
 *
 * @typedef {object} Waitable
 * @property {(polls: boolean, inLine: boolean, watched: number) => import('./waiting.js').WaitEvent} step
 * @property {(polls: boolean, inLine: boolean) => void} withdraw
 * @property {() => HoldfastError | undefined} leave releases; the error if that could not be
 * @property {(word: import('./waiting.js').Word) => { words: Int32Array, index: number }} locate
 */

/**
 * One who waits for the lock. `run` is called with the lock held and must see to its release.
 *
 * @typedef {object} Request
 * @property {Promise<unknown>} promise what its caller got
 * @property {() => void} run
 * @property {(reason: unknown) => void} reject
 * @property {number} timeout milliseconds
 * @property {number} deadline
 * @property {ReturnType<typeof setTimeout> | undefined} timer
 * @property {AbortSignal | undefined} signal
 * @property {(() => void) | undefined} onAbort
 * @property {Request | undefined} previous
 * @property {Request | undefined} next
 */

/** The longest delay that setTimeout takes. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** An entry's limit, after which the thread looks by itself: a wake may have gone to a thread that died. */
const SLICE_MS = 50;

/** For how long sections of one thread may follow each other before its other work has a turn. */
const BURST_MS = 4;

/** Promise.withResolvers, which Node 20 lacks. */
function withResolvers() {
    /** @type {(value: any) => void} */
    let resolve = () => {};
    /** @type {(reason: unknown) => void} */
    let reject = () => {};
    /** @type {Promise<any>} */
    const promise = new Promise((onResolve, onReject) => {
        resolve = onResolve;
        reject = onReject;
    });
    return { promise, resolve, reject };
}

/**
 * The requests of one thread for one lock: they wait in the order made, behind at most one pending waitAsync
 * a word, and run one after the other with the lock held. What to do next is decided in waiting.js.
 */
export class RequestQueue {
    /** @type {Waitable} */
    #waitable;
    /** @type {import('./waiting.js').WaitState} */
    #state;
    /** @type {Request | undefined} */
    #first;
    /** @type {Request | undefined} */
    #last;
    #holding = false;
    #dispatching = false;
    /** @type {import('./waiting.js').WaitEvent[]} */
    #events = [];
    /** @type {Set<Promise<unknown>>} */
    #promised = new Set();
    #burstEnd = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /** @param {Waitable} waitable */
    constructor(waitable) {
        this.#waitable = waitable;
        this.#state = idleState(!hasWaitAsync());
    }

    /** Whether a request would have nobody of its own thread before it. */
    get isIdle() {
        return !this.#holding && this.#first === undefined;
    }

    /** A section of this thread begins, with the lock held already. Ends with `leave()`. */
    enter() {
        this.#holding = true;
    }

    /**
     * The section that runs has ended: releases the lock, and lets the next request have its turn.
     *
     * @returns {HoldfastError | undefined} set if the lock was not held any more
     */
    leave() {
        this.#holding = false;
        const error = this.#waitable.leave();
        if (this.#first !== undefined) {
            this.#dispatch({ type: 'sectionEnded', rest: performance.now() > this.#burstEnd });
        }
        return error;
    }

    /**
     * Adds a request behind the others.
     *
     * @template T
     * @param {() => T | PromiseLike<T>} start called with the lock held; its end is `leave()`
     * @param {import('./options.js').Wait} wait
     * @returns {Promise<T>} of what `start` returns or throws
     */
    request(start, { timeout, signal }) {
        if (timeout === 0) {
            throw new TimeoutError(timeout);
        }
        const { promise, resolve, reject } = withResolvers();
        /** @type {Request} */
        const request = {
            promise,
            run() {
                try {
                    resolve(start());
                } catch (error) {
                    reject(error);
                }
            },
            reject,
            timeout,
            deadline: Infinity,
            timer: undefined,
            signal,
            onAbort: undefined,
            previous: this.#last,
            next: undefined,
        };
        this.#append(request);
        if (timeout !== Infinity) {
            request.deadline = performance.now() + timeout;
            this.#startTimeout(request);
        }
        if (signal !== undefined) {
            request.onAbort = () => this.#giveUp(request, signal.reason);
            listen(signal, request.onAbort);
        }
        if (!this.#holding) {
            this.#dispatch({ type: 'requested' });
        }
        return promise;
    }

    /**
     * Whether that promise is a request of this queue that still waits: a section that waits for it before it
     * ends waits for itself.
     *
     * @param {unknown} promise
     */
    awaits(promise) {
        return this.#promised.has(/** @type {Promise<unknown>} */ (promise));
    }

    /** @param {Request} request */
    #append(request) {
        if (this.#last === undefined) {
            this.#first = request;
        } else {
            this.#last.next = request;
        }
        this.#last = request;
        this.#promised.add(request.promise);
        keepAlive.hold();
    }

    /** @param {Request} request */
    #startTimeout(request) {
        const left = Math.min(request.deadline - performance.now(), LONGEST_DELAY);
        request.timer = setTimeout(() => {
            if (request.deadline > performance.now()) {
                this.#startTimeout(request);
            } else {
                this.#giveUp(request, new TimeoutError(request.timeout));
            }
        }, Math.ceil(left));
    }

    /**
     * Takes the request out, with all that waits for it.
     *
     * @param {Request} request
     */
    #remove(request) {
        const { previous, next } = request;
        if (previous === undefined) {
            this.#first = next;
        } else {
            previous.next = next;
        }
        if (next === undefined) {
            this.#last = previous;
        } else {
            next.previous = previous;
        }
        clearTimeout(request.timer);
        if (request.signal !== undefined && request.onAbort !== undefined) {
            unlisten(request.signal, request.onAbort);
        }
        this.#promised.delete(request.promise);
        keepAlive.release();
    }

    /**
     * @param {Request} request
     * @param {unknown} reason
     */
    #giveUp(request, reason) {
        this.#remove(request);
        if (this.#first === undefined && !this.#holding) {
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
                    this.#events.push(outcome);
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
                setTimeout(() => this.#resume({ type: 'rested' }), 0);
                return undefined;
            case 'step':
                return this.#waitable.step(this.#state.polls, action.inLine, action.watched);
            case 'run':
                this.#runFirst();
                return undefined;
            case 'arm':
                return this.#arm(action.word, action.expected);
            case 'startTimer':
                this.#timer = setTimeout(() => this.#resume({ type: action.then }), action.milliseconds);
                return undefined;
            case 'stopTimer':
                clearTimeout(this.#timer);
                return undefined;
            case 'withdraw':
                this.#waitable.withdraw(this.#state.polls, action.inLine);
                return undefined;
        }
    }

    #runFirst() {
        const request = this.#first;
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
            return { type: 'woken', word, reason: entry.value };
        }
        entry.value.then((reason) => this.#resume({ type: 'woken', word, reason }));
        return { type: 'armed', word };
    }
}

/**
 * This thread's one queue for the lock at that place.
 *
 * @param {import('./placement.js').Placement} placement
 * @param {(attachment: import('./attachment.js').Attachment, byteOffset: number) => Waitable} waitableOf
 */
export function queueOf({ attachment, byteOffset }, waitableOf) {
    let queue = attachment.queues.get(byteOffset);
    if (queue === undefined) {
        queue = new RequestQueue(waitableOf(attachment, byteOffset));
        attachment.queues.set(byteOffset, queue);
    }
    return queue;
}
