/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { createHistogram } from 'node:perf_hooks';

const NS_IN_A_MS = 1e6;

/**
 * How long the event-loop thread's requests waited. A request that was never answered counts with the time
 * that it had waited when the run ended: left out, a starved thread would look well served.
 */
export class Requests {
    #waits = createHistogram();
    /** @type {Set<number>} when the requests that are still unanswered were made */
    #open = new Set();
    #made = 0;
    #closed = false;

    /** @returns {number} the request: the time at which it was made */
    ask() {
        const request = performance.now();
        this.#open.add(request);
        this.#made += 1;
        return request;
    }

    /** @param {number} request */
    answer(request) {
        this.#open.delete(request);
        if (!this.#closed) {
            this.#record(performance.now() - request);
        }
    }

    /** Ends the measurement. Answers that come later are awaited, but not recorded. */
    close() {
        this.#closed = true;
        const now = performance.now();
        for (const request of this.#open) {
            this.#record(now - request);
        }
        return {
            made: this.#made,
            unanswered: this.#open.size,
            medianMs: this.#waits.percentile(50) / NS_IN_A_MS,
            p99Ms: this.#waits.percentile(99) / NS_IN_A_MS,
            worstMs: this.#waits.max / NS_IN_A_MS,
        };
    }

    get made() {
        return this.#made;
    }

    get unanswered() {
        return this.#open.size;
    }

    /** @param {number} ms */
    #record(ms) {
        this.#waits.record(Math.max(1, Math.round(ms * NS_IN_A_MS)));
    }
}
