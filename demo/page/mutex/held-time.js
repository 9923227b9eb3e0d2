/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** Narrow enough for a pixel or two on the screen, wide enough for many sections. */
export const COLUMN_MS = 10;

/** Ten seconds. */
const COLUMNS = 1024;

/**
 * The share of each column of time in which a thread held the lock. Columns are numbered from the page's
 * start, so they are the same for all threads.
 */
export class HeldTime {
    #held = new Float32Array(COLUMNS);
    #newest = 0;

    /** @param {number} begin @param {number} end */
    add(begin, end) {
        const first = Math.floor(begin / COLUMN_MS);
        const last = Math.floor(end / COLUMN_MS);
        // A thread that was suspended inside a section has held the lock for all that time.
        for (let column = Math.max(first, last - COLUMNS + 1); column <= last; column += 1) {
            const start = column * COLUMN_MS;
            this.#addTo(column, Math.min(end, start + COLUMN_MS) - Math.max(begin, start));
        }
    }

    /** @param {number} column @returns {number} 0 to 1 */
    share(column) {
        return this.#holds(column) ? (this.#held[column % COLUMNS] ?? 0) / COLUMN_MS : 0;
    }

    /** @param {number} from the first column @param {number} to the one after the last @returns {number} 0 to 1 */
    shareOf(from, to) {
        let sum = 0;
        for (let column = from; column < to; column += 1) {
            sum += this.share(column);
        }
        return sum / Math.max(1, to - from);
    }

    /** @param {number} column */
    #holds(column) {
        return column <= this.#newest && column > this.#newest - COLUMNS;
    }

    /** @param {number} column @param {number} ms */
    #addTo(column, ms) {
        for (let next = Math.max(this.#newest + 1, column - COLUMNS + 1); next <= column; next += 1) {
            this.#held[next % COLUMNS] = 0;
        }
        this.#newest = Math.max(this.#newest, column);
        if (this.#holds(column)) {
            this.#held[column % COLUMNS] = (this.#held[column % COLUMNS] ?? 0) + ms;
        }
    }
}
