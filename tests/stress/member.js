/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MemberWords } from './member-words.js';

/**
 * How a place starts threads: in Node, in a browser.
 *
 * @typedef {(onReply: (reply: import('./tasks.js').TaskReply) => void, onError: (error: Error) => void) =>
 *     { post: (message: import('./tasks.js').TaskMessage) => void, terminate: () => Promise<unknown> }} StartThread
 */

/** A thread of the stress, for the thread that starts and ends it. */
export class Member {
    words = new MemberWords();
    blocks;
    /** @type {Promise<unknown> | undefined} set when the thread is being ended; settles when it is gone */
    gone;
    isGone = false;
    /** @type {Promise<unknown>} its work of this episode */
    work = Promise.resolve();
    #thread;
    #tasks = 0;
    /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
    #asked = new Map();
    /** @type {Error | undefined} */
    #error;

    /**
     * @param {StartThread} startThread
     * @param {boolean} blocks whether it uses the methods that block
     */
    constructor(startThread, blocks) {
        this.blocks = blocks;
        this.#thread = startThread(
            (reply) => this.#settle(reply),
            (error) => this.#fail(error),
        );
    }

    /** @param {import('./tasks.js').TaskReply} reply */
    #settle({ id, result, error }) {
        const asked = this.#asked.get(id);
        this.#asked.delete(id);
        if (error === undefined) {
            asked?.resolve(result);
        } else {
            asked?.reject(new Error(`in ${this.words.describe()}\n${error}`));
        }
    }

    /** @param {Error} error that nothing in the thread has caught */
    #fail(error) {
        this.#error = error;
        this.#asked.forEach(({ reject }) => reject(error));
    }

    /**
     * @param {import('./tasks.js').TaskName} task
     * @param {unknown} [details]
     * @returns {Promise<any>}
     */
    ask(task, details) {
        return new Promise((resolve, reject) => {
            if (this.#error !== undefined) {
                reject(this.#error);
            }
            this.#tasks += 1;
            this.#asked.set(this.#tasks, { resolve, reject });
            this.#thread.post({ id: this.#tasks, task, details });
        });
    }

    /** Ends the thread, wherever it is. Its pending tasks get no answer. */
    terminate() {
        this.gone = this.#thread.terminate().then(() => (this.isGone = true));
        return this.gone;
    }
}
