/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * @typedef {object} Waiting
 * @property {() => unknown} callback
 * @property {(value: any) => void} resolve
 * @property {(reason: unknown) => void} reject
 * @property {Waiting | undefined} next
 */

/**
 * The limit for any lock's pending requests: a promise for each, in a list, and a job for each callback. It is for
 * one thread, knows no signals, times and contexts, and no owner.
 */
class ListOfPromises {
    #isHeld = false;
    /** @type {Waiting | undefined} */
    #first;
    /** @type {Waiting | undefined} */
    #last;

    /**
     * Blocks: never.
     * Agents: all.
     * @template T
     * @param {() => T | PromiseLike<T>} callback
     * @returns {Promise<T>}
     */
    executeLocked(callback) {
        return new Promise((resolve, reject) => {
            const waiting = { callback, resolve, reject, next: undefined };
            if (this.#last === undefined) {
                this.#first = waiting;
            } else {
                this.#last.next = waiting;
            }
            this.#last = waiting;
            if (!this.#isHeld) {
                this.#isHeld = true;
                this.#run();
            }
        });
    }

    #run() {
        const { callback, resolve, reject, next } = /** @type {Waiting} */ (this.#first);
        this.#first = next;
        if (next === undefined) {
            this.#last = undefined;
        }
        try {
            const value = callback();
            resolve(value);
            void this.#goOn(value);
        } catch (error) {
            reject(error);
            void this.#goOn(undefined);
        }
    }

    /** @param {any} value */
    async #goOn(value) {
        await value;
        if (this.#first === undefined) {
            this.#isHeld = false;
        } else {
            this.#run();
        }
    }
}

/** @type {import('../contestants.js').Contestant} */
export const listOfPromises = {
    title: 'a list of promises',
    blocks: 'it is what pending requests cost at least',
    shares: 'it is for one thread',
    open: () => new ListOfPromises(),
};
