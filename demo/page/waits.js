/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** How many of the last requests are looked at. */
const KEPT = 600;

/**
 * One request of the page for the lock.
 * @typedef {object} Wait
 * @property {number} asked when, on performance.now()
 * @property {number | undefined} answered when; undefined while it waits
 */

/** The waits of the page's last requests, those that still wait included. */
export class Waits {
    /** @type {Wait[]} */
    #waits = [];

    /** @returns {Wait} to be given back to `answer` */
    ask() {
        const wait = { asked: performance.now(), answered: undefined };
        this.#waits.push(wait);
        if (this.#waits.length > KEPT) {
            this.#waits.shift();
        }
        return wait;
    }

    /** @param {Wait} wait */
    answer(wait) {
        wait.answered = performance.now();
    }

    get unanswered() {
        return this.#waits.filter(({ answered }) => answered === undefined).length;
    }

    /**
     * The last ones, oldest first.
     * @param {number} count at most
     * @param {number} now
     */
    latest(count, now) {
        return this.#waits.slice(-count).map(({ asked, answered }) => ({
            ms: (answered ?? now) - asked,
            open: answered === undefined,
        }));
    }

    /**
     * @param {number} now
     * @returns {{ median: number, p99: number, worst: number } | undefined} in milliseconds
     */
    figures(now) {
        const sorted = this.latest(KEPT, now)
            .map(({ ms }) => ms)
            .sort((a, b) => a - b);
        if (sorted.length === 0) {
            return undefined;
        }
        /** @param {number} share */
        const percentile = (share) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        return { median: percentile(0.5), p99: percentile(0.99), worst: percentile(1) };
    }
}
