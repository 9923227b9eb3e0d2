/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * The limit for any lock's pending requests: a list with a promise for each, and a job for each callback. It
 * serves one thread, and has no signals, time limits, contexts or owner.
 * @returns {import('../contestants.js').Lock}
 */
function listOf() {
    /** @typedef {{ callback: () => any, resolve: (value: any) => void, reject: (reason: unknown) => void, next?: Waiting }} Waiting */
    let isHeld = false;
    /** @type {Waiting | undefined} */
    let first;
    /** @type {Waiting | undefined} */
    let last;

    async function run() {
        for (isHeld = true; first !== undefined;) {
            const { callback, resolve, reject, next } = first;
            first = next;
            if (next === undefined) {
                last = undefined;
            }
            try {
                const value = callback();
                resolve(value);
                await value;
            } catch (error) {
                reject(error);
            }
        }
        isHeld = false;
    }

    return {
        execAsync: (callback) =>
            new Promise((resolve, reject) => {
                const waiting = { callback, resolve, reject, next: undefined };
                if (last === undefined) {
                    first = waiting;
                } else {
                    last.next = waiting;
                }
                last = waiting;
                if (!isHeld) {
                    void run();
                }
            }),
    };
}

/** @type {import('../contestants.js').Contestant} */
export const listOfPromises = {
    title: 'a list of promises',
    blocks: 'it is what pending requests cost at least',
    shares: 'it is for one thread',
    open: listOf,
};
