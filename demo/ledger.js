/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * The words that the threads of one run share beside the lock. The lock guards COUNT, which is written without
 * atomics, so overlapping sections lose updates of COUNT. Each thread counts its sections in a tally of its own, too:
 * COUNT is less than the sum of the tallies if updates were lost.
 */
export const PHASE = 0;
const COUNT = 1;
const TALLIES = 2;

export const PREPARING = 0;
export const RUNNING = 1;
export const STOPPING = 2;

/** @typedef {Int32Array<SharedArrayBuffer>} Ledger */

/** @param {number} threads the number of threads with a tally @returns {Ledger} */
export function createLedger(threads) {
    return new Int32Array(new SharedArrayBuffer((TALLIES + threads) * Int32Array.BYTES_PER_ELEMENT));
}

/** @param {Ledger} ledger @param {number} index */
function wordOf(ledger, index) {
    return /** @type {number} */ (ledger[index]);
}

/** Starts a phase, and wakes the threads that wait for it. @param {Ledger} ledger @param {number} phase */
export function enterPhase(ledger, phase) {
    Atomics.store(ledger, PHASE, phase);
    Atomics.notify(ledger, PHASE);
}

/**
 * The section: a busy loop between the read and the write of the count, so that an overlapping section almost surely
 * loses an update.
 * @param {Ledger} ledger @param {number} thread whose tally to raise
 * @param {number} sectionUs how long, in microseconds
 * @param {(begin: number, end: number) => void} [note] called with the section's begin and end by performance.now()
 */
export function runSection(ledger, thread, sectionUs, note) {
    const found = wordOf(ledger, COUNT);
    const begin = performance.now();
    let now = begin;
    while (now < begin + sectionUs / 1000) {
        now = performance.now(); // busy, as a real section is
    }
    ledger[COUNT] = found + 1;
    ledger[TALLIES + thread] = wordOf(ledger, TALLIES + thread) + 1;
    note?.(begin, now);
}

/**
 * The numbers of sections of each thread. A running thread may be one ahead.
 * @param {Ledger} ledger @returns {number[]}
 */
export function tallies(ledger) {
    return Array.from(ledger.subarray(TALLIES));
}

/** The number of sections of all threads. @param {Ledger} ledger */
export function totalSections(ledger) {
    return tallies(ledger).reduce((sum, tally) => sum + tally, 0);
}

/** How many updates of the count were lost. Exact once all threads have stopped. @param {Ledger} ledger */
export function lostUpdates(ledger) {
    return totalSections(ledger) - wordOf(ledger, COUNT);
}
