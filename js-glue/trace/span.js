/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isTimeout } from '../errors.js';
import { peek } from '../options.js';
import { environment } from '../thread/environment.js';
import { requestOf, standsFor } from '../waiting/request.js';
import { Guard, isThenable } from '../waiting/section.js';

/** One use of a lock: a wait, and often a hold. Written at its end, so that tracing does not prolong a hold. */
export class Span {
    #timeline;
    /** @type {import('./lock-timeline.js').Deed} */
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
     * @param {unknown} options
     * @param {string} [key] of a KeyedMutex
     */
    constructor(timeline, method, options, key) {
        const mode = method.endsWith('Shared') ? 'shared' : peek(options, 'mode');
        this.#timeline = timeline;
        this.#deed = mode === 'shared' ? { method, mode } : { method, ...(key !== undefined && { key }) };
        this.#signal = peek(options, 'signal');
    }

    get key() {
        return this.#deed.key;
    }

    /** Notes that the wait has acquired the lock. */
    begin() {
        this.#got = environment.now();
    }

    /** Notes the end of the hold. @param {number} [time] */
    end(time = environment.now()) {
        this.#end = time;
    }

    /** @param {import('./lock-timeline.js').Outcome} [outcome] of the wait */
    write(outcome = 'got') {
        const got = this.#got ?? environment.now();
        this.#timeline.add('wait', this.#asked, got, { ...this.#deed, outcome });
        if (this.#end !== undefined) {
            this.#timeline.add('hold', got, this.#end, this.#deed);
        }
    }

    /** The method has succeeded. @param {any} result of it, or of the callback @returns {any} the same */
    done(result) {
        if (this.#got !== undefined || !(result instanceof Guard)) {
            const isMissed = result === null || (result === false && !this.#deed.method.startsWith('arrive'));
            this.write(this.#got === undefined && isMissed ? 'not got' : 'got');
            return result;
        }
        this.begin();
        const release = result.release.bind(result);
        const value = () => {
            const end = environment.now();
            release();
            this.end(end);
            this.write();
        };
        return Object.defineProperty(result, 'release', { value, writable: true, configurable: true });
    }

    /**
     * Writes an entry for an error, unless it only reports misuse.
     * @param {unknown} error of the method or its callback
     */
    failed(error) {
        if (this.#got !== undefined) {
            this.write();
        } else if (isTimeout(error)) {
            this.write('timed out');
        } else if (this.#signal?.aborted) {
            this.write('aborted');
        }
    }

    /** @param {() => unknown} callback that runs with the lock held, until it returns or its promise settles */
    around(callback) {
        return () => {
            this.begin();
            try {
                const result = callback();
                return isThenable(result) ? this.#untilSettled(Promise.resolve(result)) : result;
            } finally {
                this.end();
            }
        };
    }

    /** @param {Promise<unknown>} promise made here from a thenable, whose `then` may be called only once */
    #untilSettled(promise) {
        const held = this.#awaitHeld(promise);
        if (requestOf(promise) === undefined) {
            return held;
        }
        held.catch(() => {}); // the caller of the request handles the rejection
        return promise; // the method refuses a request that would wait for itself
    }

    /**
     * The only function that awaits the promise: if two did, an engine's stack could not tell which call awaits it.
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
     * Ends the span when the method's promise settles, without handling its rejection for the caller.
     * @param {Promise<any>} promise
     */
    follow(promise) {
        const followed = promise.then(
            (value) => this.done(value),
            (error) => {
                this.failed(error);
                throw error;
            },
        );
        standsFor(followed, promise);
        return followed;
    }
}
