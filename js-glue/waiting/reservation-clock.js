/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { GATE_POLLED_RESERVATION_MS, RESULT_OK, THREAD_MASK } from '../memory/layout.js';
import { WATCH_MS } from '../thread/times.js';

/**
 * For attempts that do not wait: since when a lock has been reserved for the same thread. One that does not
 * come for it, because it died, must not keep away a program that never waits.
 */
export class ReservationClock {
    #watched = 0;
    #since = 0;
    #lastAttempt = -Infinity;

    /**
     * One more attempt, after an ordinary one failed.
     *
     * @param {(watched: number) => number} tryAfter takes the lock away from that thread, if it is reserved for
     *     it; else tells for which
     * @returns {boolean} whether the lock was taken
     */
    attempt(tryAfter) {
        const now = environment.now();
        if (now - this.#lastAttempt > WATCH_MS) {
            this.#watched = 0;
        }
        this.#lastAttempt = now;
        const isOver = now - this.#since >= GATE_POLLED_RESERVATION_MS;
        const result = tryAfter(isOver ? this.#watched : 0);
        if (result === RESULT_OK) {
            this.#watched = 0; // the next reservation for that thread is another one
            return true;
        }
        const reservedFor = result & THREAD_MASK;
        if (reservedFor !== this.#watched) {
            this.#watched = reservedFor;
            this.#since = now;
        }
        return false;
    }
}
