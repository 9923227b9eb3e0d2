/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MUTEX, RESULT, THREAD } from './layout.js';

/**
 * For attempts that do not wait: since when a lock has been reserved for the same thread. One that does not
 * come for it, because it died, must not keep away a program that never waits.
 */
export class ReservationClock {
    #watched = 0;
    #since = 0;

    /**
     * One more attempt, after an ordinary one failed.
     *
     * @param {(watched: number) => number} tryAfter takes the lock away from that thread, if it is reserved for
     *     it; else tells for which
     * @returns {boolean} whether the lock was taken
     */
    attempt(tryAfter) {
        // An audio worklet has no performance.
        const now = (globalThis.performance ?? Date).now();
        const isOver = now - this.#since >= MUTEX.POLLED_RESERVATION_MS;
        const result = tryAfter(isOver ? this.#watched : 0);
        if (result === RESULT.OK) {
            return true;
        }
        const reservedFor = result & THREAD.MASK;
        if (reservedFor !== this.#watched) {
            this.#watched = reservedFor;
            this.#since = now;
        }
        return false;
    }
}
