/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { keepBusy } from './busy.js';

/* The event loop's part in a contended run. Its sections only increment the counters. */

/** Requests the lock, and records how long each request waited. */
export class Asker {
    #lock;
    #counters;
    /** In ms. @type {number[]} */
    #waits = [];
    /** Requests without an answer, with the time of each. @type {Set<{ asked: number }>} */
    #unanswered = new Set();
    /** @type {Promise<void>[]} */
    #requests = [];

    /**
     * @param {import('./contestants.js').Lock} lock that can wait through an event loop
     * @param {import('./counters.js').Counters} counters
     */
    constructor(lock, counters) {
        this.#lock = lock;
        this.#counters = counters;
    }

    ask() {
        const asked = performance.now();
        const open = { asked };
        this.#unanswered.add(open);
        const request = /** @type {Required<import('./contestants.js').Lock>} */ (this.#lock).execAsync(
            () => {
                this.#waits.push(performance.now() - asked);
                this.#unanswered.delete(open);
                this.#counters.enter();
                this.#counters.leave();
            },
        );
        request.catch(() => {}); // reported by settled()
        this.#requests.push(request);
    }

    /** Forgets the waits of the requests that were answered so far. */
    restart() {
        this.#waits = [];
    }

    /**
     * The waits so far. An unanswered request counts with the time that it has waited: otherwise a lock that starves requests
     * would look good.
     */
    waits() {
        const now = performance.now();
        return [...this.#waits, ...Array.from(this.#unanswered, ({ asked }) => now - asked)];
    }

    get isAnswered() {
        return this.#unanswered.size === 0;
    }

    async settled() {
        await Promise.all(this.#requests);
    }
}

/**
 * Requests the lock at fixed intervals, whether or not the last request was answered. The times are by the clock: a
 * late timer does not delay the next ones.
 * @param {Asker} asker @param {number} milliseconds @returns {() => void} stops it
 */
export function askEvery(asker, milliseconds) {
    let next = performance.now();
    /** @type {NodeJS.Timeout} */
    let timer;
    const beat = () => {
        asker.ask();
        next = Math.max(next + milliseconds, performance.now());
        timer = setTimeout(beat, Math.max(next - performance.now(), 0));
    };
    beat();
    return () => clearTimeout(timer);
}

/** A setImmediate for browsers, which have none. @param {() => void} job */
function runAsMessage(job) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
        port1.close();
        job();
    };
    port2.postMessage(undefined);
}

const soon = globalThis.setImmediate ?? runAsMessage;

/**
 * Keeps the event loop busy for a part of each cycle, and requests the lock once per cycle, in a job directly before
 * the busy part. That is the worst moment: the thread has just become a waiter, and cannot take the lock now.
 * @param {Asker | undefined} asker undefined: no requests @param {{ busyMs: number, cycleMs: number }} times
 * @returns {() => void} stops it
 */
export function askWhileBusy(asker, { busyMs, cycleMs }) {
    let stopped = false;
    let start = performance.now();
    const cycle = () => {
        if (stopped) {
            return;
        }
        asker?.ask();
        soon(() => {
            keepBusy(busyMs);
            start = Math.max(start + cycleMs, performance.now());
            setTimeout(cycle, Math.max(start - performance.now(), 0));
        });
    };
    cycle();
    return () => {
        stopped = true;
    };
}

/**
 * Keeps the event loop busy with one job after the other, like a program that cuts its work into slices.
 * Requests the lock before a job if no request is pending. It can get the lock only between two jobs.
 * @param {Asker | undefined} asker undefined: no requests @param {number} jobMs @returns {() => void} stops it
 */
export function askWithoutPause(asker, jobMs) {
    let stopped = false;
    const job = () => {
        if (stopped) {
            return;
        }
        if (asker?.isAnswered) {
            asker.ask();
        }
        keepBusy(jobMs);
        soon(job);
    };
    soon(job);
    return () => {
        stopped = true;
    };
}
