/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { callersTimers, environment, isTimeFaked } from '../thread/environment.js';
import { clearAlarm, setAlarm, tell } from '../thread/event-loop.js';
import { AT_ONCE, LONGEST_DELAY_MS } from '../thread/times.js';

/* What ends requests: signals and times. One listener a signal, since engines walk through their list at each removal,
 * and Node warns of a leak from the eleventh on. One alarm for
 * all that end in the same millisecond, so that they end in the order made. */

/** @typedef {import('./pending.js').AnyRequest} Request */

/** Requests that the same thing ends. */
export class End {
    /** @type {Set<Request>} */
    #requests = new Set();
    /** Whether its listener or timer is set. */
    #isOn = true;

    stop() {}

    #stopOnce() {
        if (this.#isOn) {
            this.#isOn = false;
            this.stop();
        }
    }

    /**
     * @param {Request} request
     * @returns {unknown}
     */
    reasonFor(request) {
        return request.timeoutError();
    }

    /** @param {Request} request */
    add(request) {
        this.#requests.add(request);
    }

    /**
     * The last one to go stops it.
     *
     * @param {Request} request
     */
    remove(request) {
        if (this.#requests.delete(request) && this.#requests.size === 0) {
            this.#stopOnce();
        }
    }

    ring() {
        this.#stopOnce();
        tell(this);
    }

    /** @returns {boolean} whether there are more */
    hear() {
        let left = AT_ONCE;
        for (const request of this.#requests) {
            this.#requests.delete(request);
            request.queue.giveUp(request, this.reasonFor(request));
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
        aborts.set(signal, this);
        signal.addEventListener('abort', this.#listener);
    }

    stop() {
        aborts.delete(this.#signal);
        this.#signal.removeEventListener('abort', this.#listener);
    }

    reasonFor() {
        return this.#signal.reason;
    }
}

/**
 * @param {AbortSignal} signal
 * @returns {End}
 */
export function endBySignal(signal) {
    return aborts.get(signal) ?? new Abort(signal);
}

/** By time. @type {Map<number, SharedLimit>} */
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

/** By timers that the program's tests have replaced: their clock may be one that nobody can read. */
class FakedLimit extends End {
    #timers = callersTimers();
    /** @type {unknown} */
    #handle;

    /** @param {Request} request the only one; such a timer may ring at once */
    add(request) {
        super.add(request);
        this.#handle = this.#timers.setTimeout(
            () => this.ring(),
            Math.min(request.timeout, LONGEST_DELAY_MS),
        );
    }

    stop() {
        this.#timers.clearTimeout(this.#handle);
    }
}

/**
 * @param {number} milliseconds by the caller's clock; it may come up to one later
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
 * As errors of listeners are thrown: what runs goes on.
 *
 * @param {unknown} error
 */
export function throwLater(error) {
    environment.queueMicrotask(() => {
        throw error;
    });
}
