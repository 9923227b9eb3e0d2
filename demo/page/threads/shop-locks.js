/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AbandonedError, Mutex, RwLock } from '../../../js-glue/index.js';
import { Books } from './books.js';

/* The named locks that the threads of the shop share, and the repair of an abandoned one. */

/** The names, in the order in which all threads take the locks. */
export const LOCK_NAMES = /** @type {const} */ (['orders', 'stock', 'prices']);

/** Times long enough to be seen: of an abandoned lock, and of its repair. */
const ABANDONED_MS = 700;
const REPAIR_MS = 500;

/**
 * @typedef {(typeof LOCK_NAMES)[number]} LockName
 * @typedef {import('../../../js-glue/index.js').LockMode} LockMode
 * @typedef {import('../../../js-glue/index.js').LockSpace} LockSpace
 *
 * @typedef {{ lock: LockName, mode: LockMode }} Step one lock of those that a thread takes, one after the other
 *
 * @typedef {{ told: 'noticed', lock: string, owner: string, at: number }} Noticed
 * @typedef {{ told: 'repaired', lock: string, first: number, second: number }} Repaired
 * @typedef {(news: Noticed | Repaired) => void} Tell
 */

/** A time that all threads of a page agree on. */
export function timeNow() {
    return performance.timeOrigin + performance.now();
}

/** @param {number} ms @returns {Promise<void>} */
export function sleep(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Blocks for that time. @param {number} ms */
function block(ms) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

export class ShopLocks {
    #locks;
    #books;
    #tell;

    /** @param {LockSpace} space @param {SharedArrayBuffer} books @param {Tell} tell */
    constructor(space, books, tell) {
        this.#locks = {
            orders: Mutex.named(space, 'orders'),
            stock: Mutex.named(space, 'stock'),
            prices: RwLock.named(space, 'prices'),
        };
        this.#books = new Books(books);
        this.#tell = tell;
    }

    get broken() {
        return this.#books.broken;
    }

    /**
     * Takes the lock, and repairs it first if its holder has died.
     * Blocks: until it is free, without limit. Callable from: workers.
     * @param {Step} step @returns {() => void} releases the lock
     */
    enter(step) {
        for (;;) {
            try {
                const guard = this.#acquire(step);
                this.#begin(step);
                return () => {
                    this.#end(step);
                    guard.release();
                };
            } catch (error) {
                this.#notice(step.lock, error);
                block(ABANDONED_MS);
                this.#locks[step.lock].recover(() => {
                    block(REPAIR_MS);
                    this.#repair(step.lock);
                });
            }
        }
    }

    /**
     * Makes the step for the page, which never blocks.
     * @param {Step} step @param {() => Promise<void>} callback runs inside @param {AbortSignal} signal ends the wait
     */
    async visit(step, callback, signal) {
        const { lock, mode } = step;
        const inside = async () => {
            this.#begin(step);
            await callback();
            this.#end(step);
        };
        for (;;) {
            try {
                return lock === 'prices'
                    ? await this.#locks.prices.execAsync(inside, { mode, signal })
                    : await this.#locks[lock].execAsync(inside, { signal });
            } catch (error) {
                this.#notice(lock, error);
                await sleep(ABANDONED_MS);
                const repair = async () => {
                    await sleep(REPAIR_MS);
                    this.#repair(lock);
                };
                await this.#locks[lock].recoverAsync(repair, { signal });
            }
        }
    }

    /** @param {Step} step */
    #acquire({ lock, mode }) {
        return lock === 'prices' ? this.#locks.prices.acquire({ mode }) : this.#locks[lock].acquire();
    }

    /** @param {Step} step */
    #begin({ lock, mode }) {
        const book = LOCK_NAMES.indexOf(lock);
        if (mode === 'shared') {
            this.#books.read(book);
        } else {
            this.#books.begin(book);
        }
    }

    /** @param {Step} step */
    #end({ lock, mode }) {
        if (mode === 'exclusive') {
            this.#books.end(LOCK_NAMES.indexOf(lock));
        }
    }

    /** @param {LockName} lock @param {unknown} error of a wait for it */
    #notice(lock, error) {
        if (!(error instanceof AbandonedError)) {
            throw error;
        }
        this.#tell({ told: 'noticed', lock, owner: error.owner, at: timeNow() });
    }

    /** @param {LockName} lock */
    #repair(lock) {
        this.#tell({ told: 'repaired', lock, ...this.#books.repair(LOCK_NAMES.indexOf(lock)) });
    }
}
