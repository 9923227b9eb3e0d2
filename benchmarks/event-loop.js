/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The event loop's part in a contended run. Its sections only increment the counters. */

/**
 * Keeps this thread busy, like a section or a page's long task.
 * @param {number} milliseconds
 * @returns {number} the time at the end; of no milliseconds 0
 */
export function keepBusy(milliseconds) {
    if (milliseconds === 0) {
        return 0; // reading the clock would be work
    }
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
        /* the work */
    }
    return end;
}

/** Requests the lock, and records how long each request waited. */
export class Asker {
    #lock;
    #counters;
    /** In ms; `waited` of those that were answered. @type {{ asked: number, waited?: number }[]} */
    #requests = [];
    /** @type {Promise<void>[]} */
    #promises = [];

    /**
     * @param {import('./contestants.js').Lock} lock that can wait through an event loop
     * @param {import('./arena.js').Counters} counters
     */
    constructor(lock, counters) {
        this.#lock = lock;
        this.#counters = counters;
    }

    ask() {
        /** @type {{ asked: number, waited?: number }} */
        const request = { asked: performance.now() };
        this.#requests.push(request);
        const { execAsync } = /** @type {Required<import('./contestants.js').Lock>} */ (this.#lock);
        const promise = execAsync.call(this.#lock, () => {
            request.waited = performance.now() - request.asked;
            this.#counters.enter();
            this.#counters.leave();
        });
        promise.catch(() => {}); // reported by settled()
        this.#promises.push(/** @type {Promise<any>} */ (promise));
    }

    /** Forgets the requests that were answered so far. */
    restart() {
        this.#requests = this.#requests.filter(({ waited }) => waited === undefined);
    }

    /**
     * The waits so far. An unanswered request counts with the time that it has waited: otherwise a lock that starves requests
     * would look good.
     */
    waits() {
        const now = performance.now();
        return this.#requests.map(({ asked, waited = now - asked }) => waited);
    }

    /** True if the last request was answered, and so all are: requests are answered in their order. */
    get isAnswered() {
        return this.#requests.length === 0 || this.#requests.at(-1)?.waited !== undefined;
    }

    async settled() {
        await Promise.all(this.#promises);
    }
}

/** A setImmediate for browsers, which have none. @param {() => void} job */
function runAsMessage(job) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
        port1.close();
        job();
    };
    port2.postMessage(undefined);
}

const soon = globalThis.setImmediate ?? runAsMessage;

/**
 * The work that the event loop repeats. Plain data, since a page gets it from another process.
 * @typedef {object} Cycle
 * @property {number} [everyMs] the time from one request to the next, whether or not the last one was answered. 0: it requests
 *     the lock as soon as the last request was answered, and has no pause, like a program that cuts its work into slices
 * @property {number} [busyMs] for which it is busy after each request
 * @property {boolean} [asks] false: it is only busy
 */

/**
 * Repeats a cycle. The times are by the clock: a late timer does not delay the next ones.
 * @param {Asker} asker @param {Cycle} cycle @returns {() => void} stops it
 */
export function repeatCycle(asker, { everyMs = 0, busyMs = 0, asks = true }) {
    let isStopped = false;
    let next = performance.now();
    const again = () => {
        next = Math.max(next + everyMs, performance.now());
        setTimeout(cycle, Math.max(next - performance.now(), 0));
    };
    const cycle = () => {
        if (isStopped) {
            return;
        }
        if (asks && (everyMs > 0 || asker.isAnswered)) {
            asker.ask();
        }
        if (everyMs === 0) {
            keepBusy(busyMs);
            soon(cycle);
        } else if (busyMs === 0) {
            again();
        } else {
            // In a job directly after the request: the worst moment, since the thread has just become a waiter, and cannot take
            // the lock now.
            soon(() => {
                keepBusy(busyMs);
                again();
            });
        }
    };
    cycle();
    return () => {
        isStopped = true;
    };
}
