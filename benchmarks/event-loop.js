/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { keepBusy } from './busy.js';

/* The thread with the event loop during a contended run. Its own section only increments the
 * counters. */

/** Asks for the lock and keeps how long each request waited. */
export class Asker {
    #lock;
    #counters;
    /** In ms. @type {number[]} */
    #waits = [];
    /** When they were made. @type {Set<{ asked: number }>} */
    #unanswered = new Set();
    /** @type {Promise<void>[]} */
    #requests = [];

    /**
     * @param {import('./contestants.js').Lock} lock that can wait
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
        const request = /** @type {Required<import('./contestants.js').Lock>} */ (this.#lock).executeLocked(
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

    /** Forgets the requests that were answered so far. */
    restart() {
        this.#waits = [];
    }

    /**
     * A request that has no answer yet counts with the time that it has waited so far: a lock that starves them
     * would look good without.
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
 * Asks on a fixed beat, whether or not the last request was answered. The beat is by the clock: a late timer
 * does not move the ones after it.
 *
 * @param {Asker} asker
 * @param {number} milliseconds
 * @returns {() => void} stops it
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
 * Keeps the event loop busy for a part of each cycle, and asks once in a cycle, in a job of its own directly
 * before the busy part. That is the worst moment: the thread has just got its place in line, and will not come.
 *
 * @param {Asker | undefined} asker none: the same without requests
 * @param {{ busyMs: number, cycleMs: number }} times
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
 * Keeps the event loop busy with jobs that follow each other without a pause, as of a program that cuts its work into
 * slices, and asks before a job whenever nothing waits. It can take the lock only between two jobs.
 *
 * @param {Asker | undefined} asker none: the same without requests
 * @param {number} jobMs
 * @returns {() => void} stops it
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
