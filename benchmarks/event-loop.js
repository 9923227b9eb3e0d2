/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { keepBusy } from './busy.js';

/* What the thread with the event loop does during a contended run. Its own section only increments the
 * counters. */

/**
 * @typedef {object} EventLoop
 * @property {import('./contestants.js').Lock} lock
 * @property {import('./counters.js').Counters} counters
 */

/** Asks for the lock and keeps how long each request waited. */
export class Asker {
    #lock;
    #counters;
    /** @type {number[]} */
    #waits = [];
    /** @type {Set<number>} */
    #unanswered = new Set();
    /** @type {Promise<void>[]} */
    #requests = [];

    /** @param {EventLoop} eventLoop */
    constructor({ lock, counters }) {
        this.#lock = lock;
        this.#counters = counters;
    }

    ask() {
        const asked = performance.now();
        this.#unanswered.add(asked);
        const request = this.#lock.executeLocked(() => {
            const answered = performance.now();
            this.#counters.enter();
            this.#counters.leave();
            this.#unanswered.delete(asked);
            this.#waits.push(answered - asked);
        });
        request.catch(() => {}); // reported by settled()
        this.#requests.push(request);
    }

    /** Forgets the requests that were answered so far. */
    restart() {
        this.#waits = [];
    }

    /**
     * In milliseconds. A request that has no answer yet counts with the time that it has waited so far: a lock
     * that starves them would look good without.
     */
    waits() {
        const now = performance.now();
        return [...this.#waits, ...Array.from(this.#unanswered, (asked) => now - asked)];
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
        timer = setTimeout(beat, next - performance.now());
    };
    beat();
    return () => clearTimeout(timer);
}

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
        setImmediate(() => {
            keepBusy(busyMs);
            start = Math.max(start + cycleMs, performance.now());
            setTimeout(cycle, start - performance.now());
        });
    };
    cycle();
    return () => {
        stopped = true;
    };
}
