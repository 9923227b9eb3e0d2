/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Makes a deadlock, for sure. Two workers meet, holding nothing; then each takes its first lock; when both
 * have one, each takes the other's. */

/** A pause for the viewer, while both hold their first locks. */
const LOOK_MS = 600;

/** After this time the deadlock is called off: another thread holds a lock for long. */
const PATIENCE_MS = 10_000;

/**
 * @typedef {import('./shop-locks.js').Step} Step
 *
 * @typedef {object} Party
 * @property {Worker} worker
 * @property {Step} first
 * @property {Step} second
 */

export class Quarrel {
    #parties;
    /** @type {Set<Worker>} the workers that have reached the present point */
    #waiting = new Set();
    /** @type {Set<Worker>} the workers that have ended their part, or have died */
    #over = new Set();
    #timer;

    /** @param {[Party, Party]} parties */
    constructor(parties) {
        this.#parties = parties;
        parties.forEach(({ worker, ...quarrel }) => worker.postMessage({ quarrel }));
        this.#timer = setTimeout(() => this.#decide(false), PATIENCE_MS);
    }

    get isOver() {
        return this.#parties.every(({ worker }) => this.#over.has(worker));
    }

    /**
     * Notes that a worker has reached a point, and waits there for the other.
     * @param {Worker} worker @param {'present' | 'ready'} point
     */
    reach(worker, point) {
        this.#waiting.add(worker);
        if (this.#waiting.size === this.#parties.length) {
            this.#waiting.clear();
            if (point === 'present') {
                this.#decide(true);
            } else {
                clearTimeout(this.#timer);
                this.#timer = setTimeout(() => this.#decide(true), LOOK_MS);
            }
        }
    }

    /** @param {Worker} worker has ended its part */
    settle(worker) {
        this.#over.add(worker);
    }

    /** @param {Worker} worker has died: the other must not wait for it */
    leave(worker) {
        if (this.#parties.some((party) => party.worker === worker)) {
            this.settle(worker);
            this.#decide(false);
        }
    }

    stop() {
        clearTimeout(this.#timer);
    }

    /** @param {boolean} goesOn */
    #decide(goesOn) {
        if (!goesOn) {
            clearTimeout(this.#timer);
        }
        this.#parties.forEach(({ worker }) => worker.postMessage({ goesOn }));
    }
}
