/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { callersTimers, environment, isTimeFaked } from '../thread/environment.js';
import { clearAlarm, setAlarm, tell } from '../thread/event-loop.js';
import { LONGEST_DELAY_MS } from '../thread/times.js';

/* What ends requests that wait: a signal, a time. One listener a signal, however many requests wait with it: engines keep
 * listeners in a list that each removal walks through, and Node warns of a leak from the eleventh on. One alarm for all
 * requests whose time is up in the same millisecond, so they end in the order made, and in turns. */

/** @typedef {import('./request.js').Request} Request */

/** So many requests at once, before what they have resolved goes on. */
const AT_ONCE = 64;

/** Requests that the same thing ends. */
export class End {
    /** @type {Set<Request>} */
    #requests = new Set();
    /** Whether it still looks for what ends them. */
    isOn = true;

    /** What ends them is not looked at any more. */
    stop() {}

    #stopOnce() {
        if (this.isOn) {
            this.isOn = false;
            this.stop();
        }
    }

    /**
     * Why a request ends: its time is up, where a class says nothing else.
     *
     * @param {Request} request
     * @returns {unknown}
     */
    reasonFor(request) {
        return request.queue.timeoutError(request.timeout);
    }

    /** @param {Request} request */
    add(request) {
        this.#requests.add(request);
        if (!this.isOn) {
            tell(this); // it has rung while it was made
        }
    }

    /**
     * Takes that back. The last one to go takes what looks with it.
     *
     * @param {Request} request
     */
    remove(request) {
        if (this.#requests.delete(request) && this.#requests.size === 0) {
            this.#stopOnce();
        }
    }

    /** Ends them all, in turns. */
    ring() {
        this.#stopOnce();
        tell(this);
    }

    hear() {
        let left = AT_ONCE;
        for (const request of this.#requests) {
            this.#requests.delete(request);
            try {
                request.queue.giveUp(request, this.reasonFor(request));
            } catch (error) {
                throwLater(error);
            }
            left -= 1;
            if (left === 0) {
                break;
            }
        }
        return this.#requests.size > 0;
    }
}

/** @type {WeakMap<AbortSignal, Abort>} */
const aborts = new WeakMap();

class Abort extends End {
    #signal;
    #listener = () => this.ring();

    /** @param {AbortSignal} signal */
    constructor(signal) {
        super();
        this.#signal = signal;
        signal.addEventListener('abort', this.#listener);
        if (this.isOn) {
            aborts.set(signal, this);
        }
    }

    stop() {
        aborts.delete(this.#signal);
        try {
            this.#signal.removeEventListener('abort', this.#listener);
        } catch (error) {
            throwLater(error); // a polyfill's: the requests end all the same
        }
    }

    reasonFor() {
        return abortOf(this.#signal)?.reason;
    }
}

/**
 * What ends when the signal aborts.
 *
 * @param {AbortSignal} signal
 * @returns {End}
 */
export function endBySignal(signal) {
    return aborts.get(signal) ?? new Abort(signal);
}

/**
 * Why a signal has ended what waits with it; undefined if it has not.
 *
 * @param {AbortSignal} signal
 * @returns {{ reason: unknown } | undefined}
 */
export function abortOf(signal) {
    try {
        return signal.aborted ? { reason: signal.reason } : undefined;
    } catch (reason) {
        return { reason };
    }
}

/** By the time at which they end. @type {Map<number, SharedLimit>} */
const limits = new Map();

class SharedLimit extends End {
    /** @param {number} time */
    constructor(time) {
        super();
        this.time = time;
        limits.set(time, this);
        setAlarm(this);
    }

    stop() {
        limits.delete(this.time);
        clearAlarm(this);
    }
}

/**
 * A limit by timers that the program's tests have replaced. They are taken at their word: the time that has passed is what
 * they have slept, since their clock may be one that nobody can read.
 */
class FakedLimit extends End {
    #timers = callersTimers();
    /** @type {unknown} */
    #handle;

    /** @param {Request} request the only one; a timer of tests may call back at once */
    add(request) {
        super.add(request);
        this.#handle = this.#sleep(request.timeout);
    }

    /**
     * @param {number} left
     * @returns {unknown}
     */
    #sleep(left) {
        const nap = Math.min(left, LONGEST_DELAY_MS);
        return this.#timers.setTimeout(() => {
            this.#handle = left > nap ? this.#sleep(left - nap) : this.ring();
        }, nap);
    }

    stop() {
        this.#timers.clearTimeout(this.#handle);
    }
}

/**
 * What ends that many milliseconds from now, or less than one later. It follows the caller's clock.
 *
 * @param {number} milliseconds
 * @returns {End}
 */
export function endByTime(milliseconds) {
    if (isTimeFaked()) {
        return new FakedLimit();
    }
    const time = Math.ceil(environment.now() + milliseconds);
    return limits.get(time) ?? new SharedLimit(time);
}

/**
 * Throws where it does no harm to what runs, as an error of a listener is thrown.
 *
 * @param {unknown} error
 */
export function throwLater(error) {
    environment.queueMicrotask(() => {
        throw error;
    });
}
