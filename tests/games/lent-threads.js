/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @typedef {import('../stress/member.js').StartThread} StartThread */

/** A thread that plays one match after the other, each for another member. */
class LentThread {
    #thread;
    #unanswered = 0;
    /** @type {Parameters<StartThread>} */
    #listeners;
    hasFailed = false;

    /** @param {StartThread} startThread @param {Parameters<StartThread>} listeners of the first member */
    constructor(startThread, ...listeners) {
        this.#listeners = listeners;
        this.#thread = startThread(
            (reply) => {
                this.#unanswered -= 1;
                this.#listeners[0](reply);
            },
            (error) => {
                this.hasFailed = true;
                this.#listeners[1](error);
            },
        );
    }

    get isIdle() {
        return this.#unanswered === 0 && !this.hasFailed;
    }

    /** @param {Parameters<StartThread>} listeners */
    listenBy(...listeners) {
        this.#listeners = listeners;
    }

    /** @param {import('../stress/tasks.js').TaskMessage} message */
    post(message) {
        this.#unanswered += 1;
        this.#thread.post(message);
    }

    terminate() {
        return this.#thread.terminate();
    }
}

/**
 * Lends threads to one match after the other, since a thread takes as long to start as a short match. A member's `terminate` gives
 * its thread back, unless the thread still works.
 *
 * @param {StartThread} startThread
 * @returns {{ startThread: StartThread, end: () => Promise<unknown> }}
 */
export function lendThreads(startThread) {
    /** @type {LentThread[]} */
    const idle = [];
    return {
        startThread(...listeners) {
            const thread = idle.pop() ?? new LentThread(startThread, ...listeners);
            thread.listenBy(...listeners);
            return {
                post: (message) => thread.post(message),
                async terminate() {
                    await (thread.isIdle ? idle.push(thread) : thread.terminate());
                },
            };
        },
        end: () => Promise.all(idle.splice(0).map((thread) => thread.terminate())),
    };
}
