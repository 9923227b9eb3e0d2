/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How a deadlock is made for sure. Two workers come, holding nothing; when both are there, each takes its first lock; and
 * when both have theirs, each goes for that of the other one. */

/** For the eye, while both hold their first locks. */
const LOOK_MS = 600;

/** Somebody holds a lock for very long: then it is called off. */
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
    /** @type {Set<Worker>} that have come as far as both have to before they go on */
    #waiting = new Set();
    /** @type {Set<Worker>} that have ended it, or have died */
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
     * A worker has come to that point, and waits there for the other one.
     *
     * @param {Worker} worker
     * @param {'present' | 'ready'} point
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

    /** @param {Worker} worker which has ended it */
    settle(worker) {
        this.#over.add(worker);
    }

    /** @param {Worker} worker which is no more: the other one is not to wait for it */
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
