/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { heldBy } from './graph.js';
import { timeNow } from './shop-locks.js';

/** After the locks of the dead are good again. */
const VACANT_MS = 1000;

/** A death that nobody comes to notice. */
const LONGEST_VACANT_MS = 8000;

/** The place of a worker, and of those that come after it: each of them by a name of its own. */
export class Post {
    #title;
    #start;
    #hired = 0;
    name = '';
    /** @type {Worker} */
    worker;
    /** @type {number | undefined} when its worker was */
    #killed;
    /** @type {number | undefined} since when the dead is seen to hold nothing */
    #freeSince;

    /**
     * @param {string} title
     * @param {(name: string) => Worker} start
     */
    constructor(title, start) {
        this.#title = title;
        this.#start = start;
        this.worker = this.#hire();
    }

    get isTaken() {
        return this.#killed === undefined;
    }

    /** @returns {number} when that was, by the clock of all threads */
    kill() {
        this.worker.terminate();
        this.#killed = timeNow();
        return this.#killed;
    }

    /**
     * @param {import('./graph.js').Inspection} inspection of now
     * @returns {boolean} whether somebody new has come
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
