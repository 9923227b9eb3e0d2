/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The times at which a thread held the lock, for the page to draw: a ring of its last sections, in words that
 * only this thread writes. No lock guards them. A reader uses only the newer half of the ring, which the
 * writer does not reach again for many sections. */

/** 150 ms of the shortest sections fit into half of it. */
const ENTRIES = 32_768;
const READABLE = ENTRIES / 2;
const HEAD_BYTES = 8;
const ENTRY_BYTES = 2 * Float64Array.BYTES_PER_ELEMENT;

/**
 * @typedef {object} Section
 * @property {number} begin on the page's performance.now(), in ms
 * @property {number} end
 */

/** @returns {SharedArrayBuffer} of a thread that has noted nothing yet */
export function createJournal() {
    return new SharedArrayBuffer(HEAD_BYTES + ENTRIES * ENTRY_BYTES);
}

/** @param {SharedArrayBuffer} journal */
function viewsOf(journal) {
    return { noted: new Int32Array(journal, 0, 1), times: new Float64Array(journal, HEAD_BYTES) };
}

/**
 * @param {SharedArrayBuffer} journal @param {number} offset from this thread's performance.now() to the page's
 * @returns {(begin: number, end: number) => void} notes a section
 */
export function journalWriter(journal, offset) {
    const { noted, times } = viewsOf(journal);
    let count = 0;
    return (begin, end) => {
        const index = 2 * (count % ENTRIES);
        times[index] = begin + offset;
        times[index + 1] = end + offset;
        count += 1;
        // This atomic store comes after the stores of the times, so the count includes only complete entries.
        Atomics.store(noted, 0, count);
    };
}

export class JournalReader {
    #noted;
    #times;
    #read = 0;

    /** @param {SharedArrayBuffer} journal */
    constructor(journal) {
        const { noted, times } = viewsOf(journal);
        this.#noted = noted;
        this.#times = times;
    }

    /**
     * Calls `each` for the sections since the last call. Sections that are too old to be read safely are left out.
     * @param {(begin: number, end: number) => void} each
     */
    readNew(each) {
        const noted = Atomics.load(this.#noted, 0);
        for (let entry = Math.max(this.#read, noted - READABLE); entry < noted; entry += 1) {
            const { begin, end } = this.#entry(entry);
            each(begin, end);
        }
        this.#read = noted;
    }

    /**
     * The sections that overlap this time, as far as the ring still has them.
     * @param {number} from @param {number} to @returns {Section[]} oldest first
     */
    between(from, to) {
        const noted = Atomics.load(this.#noted, 0);
        const sections = [];
        for (let entry = noted - 1; entry >= Math.max(0, noted - READABLE); entry -= 1) {
            const section = this.#entry(entry);
            if (section.end < from) {
                break;
            }
            if (section.begin < to) {
                sections.push(section);
            }
        }
        return sections.reverse();
    }

    /** @param {number} entry */
    #entry(entry) {
        const index = 2 * (entry % ENTRIES);
        return { begin: this.#times[index] ?? NaN, end: this.#times[index + 1] ?? NaN };
    }
}
