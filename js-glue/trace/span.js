/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { isTimeout } from '../errors.js';
import { peek } from '../options.js';
import { requestOf, standsFor } from '../waiting/request.js';
import { isThenable } from '../waiting/section.js';

/** @typedef {import('./lock-timeline.js').Outcome} Outcome */

/**
 * @param {unknown} error of a wait
 * @param {AbortSignal | undefined} signal
 * @returns {Outcome | undefined}
 */
function outcomeOf(error, signal) {
    if (isTimeout(error)) {
        return 'timed out';
    }
    try {
        return signal?.aborted ? 'aborted' : undefined;
    } catch {
        return undefined; // a signal of the program's own making
    }
}

/** One use of a lock: a wait, and often a hold. Written at its end, so that a trace holds no lock longer. */
export class Span {
    #timeline;
    #deed;
    /** @type {AbortSignal | undefined} */
    #signal;
    #asked = environment.now();
    /** @type {number | undefined} */
    #got;
    /** @type {number | undefined} */
    #end;

    /**
     * @param {import('./lock-timeline.js').LockTimeline} timeline
     * @param {string} method
     * @param {unknown} [options]
     */
    constructor(timeline, method, options) {
        this.#timeline = timeline;
        const mode = peek(options, 'mode');
        this.#deed = mode === 'shared' ? { method, mode } : { method };
        this.#signal = peek(options, 'signal');
    }

    /** The wait is over: acquired. */
    begin() {
        this.#got = environment.now();
    }

    /** The hold is over. @param {number} [time] */
    end(time = environment.now()) {
        this.#end = time;
    }

    /** @param {Outcome} [outcome] of the wait */
    write(outcome = 'got') {
        const got = this.#got ?? environment.now();
        this.#timeline.add('wait', this.#asked, got, { ...this.#deed, outcome });
        if (this.#end !== undefined) {
            this.#timeline.add('hold', got, this.#end, this.#deed);
        }
    }

    /** @param {unknown} error of the method or its callback */
    writeError(error) {
        const outcome = this.#got === undefined ? outcomeOf(error, this.#signal) : 'got';
        if (outcome !== undefined) {
            this.write(outcome);
        }
    }

    /** @param {unknown} callback if the method takes one */
    around(callback) {
        return typeof callback === 'function' ? () => this.#run(callback) : callback;
    }

    /** @param {unknown} callback whose result is awaited */
    aroundAsync(callback) {
        return typeof callback === 'function' ? () => this.#untilSettled(this.#run(callback)) : callback;
    }

    /** @param {Function} callback */
    #run(callback) {
        this.begin();
        try {
            return callback();
        } finally {
            this.end();
        }
    }

    /** @param {unknown} result the hold lasts until it settles, if it is a promise */
    #untilSettled(result) {
        if (!isThenable(result)) {
            return result;
        }
        // The `then` of a thenable may be called only once.
        const promise = Promise.resolve(result);
        const held = this.#awaitHeld(promise);
        if (requestOf(promise) === undefined) {
            return held;
        }
        held.catch(() => {}); // for the one who made the request
        return promise; // which the method may refuse: it would wait for itself
    }

    /**
     * Alone awaits the promise: if a second function did, engines would lose track of what awaits what.
     *
     * @param {Promise<unknown>} promise
     */
    async #awaitHeld(promise) {
        try {
            return await promise;
        } finally {
            this.end();
        }
    }

    /**
     * Settles as the method's promise does, and nobody has handled an error of it yet.
     *
     * @template T
     * @param {Promise<T>} promise
     * @param {(value: T) => T} done
     */
    follow(promise, done) {
        const followed = promise.then(done, (error) => {
            this.writeError(error);
            throw error;
        });
        standsFor(followed, promise);
        return followed;
    }
}
