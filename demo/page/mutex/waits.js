/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { WaitCounts } from './wait-counts.js';

/** How long answered requests are kept for drawing. */
const KEPT_MS = 12_000;

/**
 * One request of the page for the lock.
 * @typedef {object} Wait
 * @property {number} asked when, on performance.now()
 * @property {number | undefined} answered when; undefined while it waits
 * @property {number} sectionsBefore of workers, when it was asked
 * @property {number} sections that they ran until it was answered; 0 while it waits
 */

/** The waits of the page's requests, pending ones included. */
export class Waits {
    /** The last waits, oldest first. @type {Wait[]} */
    recent = [];
    /** @type {Set<Wait>} */
    #open = new Set();
    answeredCounts = new WaitCounts();

    /** @param {number} now @param {number} sections that workers ran so far @returns {Wait} pass it to `answer` */
    ask(now, sections) {
        /** @type {Wait} */
        const wait = { asked: now, answered: undefined, sectionsBefore: sections, sections: 0 };
        this.#open.add(wait);
        this.recent.push(wait);
        while (this.#isOld(this.recent[0], now)) {
            this.recent.shift();
        }
        return wait;
    }

    /** @param {Wait} wait @param {number} now @param {number} sections that workers ran so far */
    answer(wait, now, sections) {
        wait.answered = now;
        wait.sections = sections - wait.sectionsBefore;
        this.#open.delete(wait);
        this.answeredCounts.add(now - wait.asked);
    }

    get unanswered() {
        return this.#open.size;
    }

    /** @returns {Wait | undefined} the pending request that has waited for longest */
    get oldestOpen() {
        return this.#open.values().next().value;
    }

    /** The counts at a time; a pending request counts with its wait so far. @param {number} now */
    countsAt(now) {
        return this.answeredCounts.with([...this.#open].map(({ asked }) => now - asked));
    }

    /** @param {Wait | undefined} wait @param {number} now */
    #isOld(wait, now) {
        return wait?.answered !== undefined && now - wait.answered > KEPT_MS;
    }
}
