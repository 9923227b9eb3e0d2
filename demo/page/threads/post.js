/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { heldBy } from './graph.js';
import { timeNow } from './shop-locks.js';

/** How long a post stays empty after the dead worker's locks were repaired. */
const VACANT_MS = 1000;

/** The longest time for which a post stays empty, for deaths that no thread notices. */
const LONGEST_VACANT_MS = 8000;

/** The post of a worker and its successors, each with a name of its own. */
export class Post {
    #title;
    #start;
    #hired = 0;
    name = '';
    /** @type {Worker} */
    worker;
    /** @type {number | undefined} the time at which its worker was killed */
    #killed;
    /** @type {number | undefined} the time from which the dead worker holds nothing */
    #freeSince;

    /** @param {string} title @param {(name: string) => Worker} start */
    constructor(title, start) {
        this.#title = title;
        this.#start = start;
        this.worker = this.#hire();
    }

    get isTaken() {
        return this.#killed === undefined;
    }

    /** Kills the worker. @returns {number} the time, on a clock of all threads */
    kill() {
        this.worker.terminate();
        this.#killed = timeNow();
        return this.#killed;
    }

    /**
     * @param {import('./graph.js').Inspection} inspection of now @returns {boolean} whether a new worker was started
     */
    fill(inspection) {
        if (this.#killed === undefined) {
            return false;
        }
        const now = timeNow();
        this.#freeSince = heldBy(inspection, this.name).length > 0 ? undefined : (this.#freeSince ?? now);
        const isVacant = now - (this.#freeSince ?? now) > VACANT_MS;
        if (!isVacant && now - this.#killed < LONGEST_VACANT_MS) {
            return false;
        }
        this.worker = this.#hire();
        return true;
    }

    #hire() {
        this.#hired += 1;
        this.name = this.#hired === 1 ? this.#title : `${this.#title} ${this.#hired}`;
        this.#killed = undefined;
        this.#freeSince = undefined;
        return this.#start(this.name);
    }
}
