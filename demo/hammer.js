/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { openLock } from './contestants.js';
import { PHASE, PREPARING, RUNNING, runSection } from './ledger.js';

/**
 * The order of a worker.
 * @typedef {object} HammerOrder
 * @property {import('./contestants.js').Ticket} ticket
 * @property {import('./ledger.js').Ledger} ledger
 * @property {number} thread whose tally this worker keeps
 * @property {number} sectionUs how long it holds the lock, in microseconds
 * @property {(begin: number, end: number) => void} [note] is told of each section
 */

/**
 * Locks again and again, with no pause between two sections, while the ledger's phase is RUNNING. Blocks: until that
 * phase ends. Callable from: workers.
 * @param {HammerOrder} order
 */
export function hammer({ ticket, ledger, thread, sectionUs, note }) {
    const lock = openLock(ticket);
    Atomics.wait(ledger, PHASE, PREPARING);
    while (Atomics.load(ledger, PHASE) === RUNNING) {
        lock.lock();
        try {
            runSection(ledger, thread, sectionUs, note);
        } finally {
            lock.unlock();
        }
    }
}
