/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Counts of waits in classes of equal width on a logarithmic scale, so that a run of any length needs little
 * memory and no sorting. */

const LOWEST_MS = 0.01;
export const DECADES = 6;

/** A class is 4 % wide. */
const CLASSES_PER_DECADE = 60;
const CLASSES = DECADES * CLASSES_PER_DECADE;

/** Classes that a bar of the picture shows. */
const CLASSES_PER_BAR = 10;

/** @param {number} ms */
function classOf(ms) {
    const place = Math.floor(Math.log10(Math.max(ms, LOWEST_MS) / LOWEST_MS) * CLASSES_PER_DECADE);
    return Math.min(place, CLASSES - 1);
}

/** The position of a wait on the scale, from 0.01 ms to 10 s. @param {number} ms @returns {number} 0 to 1 */
export function placeOnScale(ms) {
    return Math.min(1, Math.log10(Math.max(ms, LOWEST_MS) / LOWEST_MS) / DECADES);
}

export class WaitCounts {
    #counts = new Uint32Array(CLASSES);
    total = 0;
    worst = 0;

    /** @param {number} ms */
    add(ms) {
        const index = classOf(ms);
        this.#counts[index] = (this.#counts[index] ?? 0) + 1;
        this.total += 1;
        this.worst = Math.max(this.worst, ms);
    }

    /** Returns new counts: these and further waits. @param {readonly number[]} waits */
    with(waits) {
        const sum = new WaitCounts();
        sum.#counts.set(this.#counts);
        sum.total = this.total;
        sum.worst = this.worst;
        waits.forEach((ms) => sum.add(ms));
        return sum;
    }

    /**
     * The time within which this share of the waits ended.
     * @param {number} share @returns {number} in ms, at the upper end of its class
     */
    percentile(share) {
        let left = share * this.total;
        const index = this.#counts.findIndex((count) => (left -= count) <= 0);
        const upperEnd = LOWEST_MS * 10 ** ((index + 1) / CLASSES_PER_DECADE);
        return Math.min(upperEnd, this.worst);
    }

    /** @returns {number[]} counts by bar, shortest waits first */
    bars() {
        return Array.from({ length: CLASSES / CLASSES_PER_BAR }, (_, bar) =>
            this.#counts
                .subarray(bar * CLASSES_PER_BAR, (bar + 1) * CLASSES_PER_BAR)
                .reduce((sum, count) => sum + count, 0),
        );
    }
}
