/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../js-glue/index.js';
import { isMet, limitOf, timeoutOf } from '../support/limits.js';
import { blocksNow, fail } from './play.js';

/* Sections of a mutex that wait for conditions in every possible way, shared by the games with conditions.
 * The mutex's holder is recorded without atomics, so a wait that returns without the mutex is detected. */

/** @typedef {import('../../js-glue/index.js').Condition} Condition */

/** The word with the holder of the mutex, from 1; 0: none. */
export const INSIDE = 0;

export class Visitor {
    #mutex;
    #words;
    #seat;

    /**
     * @param {any} mutex its handle
     * @param {Int32Array} words what the mutex guards
     * @param {import('./games.js').Seat} seat
     */
    constructor(mutex, words, seat) {
        this.#mutex = Mutex.from(mutex);
        this.#words = words;
        this.#seat = seat;
    }

    /** The mutex was acquired. */
    #enter() {
        const there = this.#words[INSIDE] ?? 0;
        if (there !== 0) {
            fail(`seat ${this.#seat.index} has the mutex, and so does seat ${there - 1}`);
        }
        this.#words[INSIDE] = this.#seat.index + 1;
    }

    /** The mutex is about to be released. */
    #leave() {
        const there = this.#words[INSIDE] ?? 0;
        if (there !== this.#seat.index + 1) {
            fail(`seat ${this.#seat.index} had the mutex, and so did seat ${there - 1}`);
        }
        this.#words[INSIDE] = 0;
    }

    /**
     * Waits until the predicate is true, and then acts with the mutex held.
     *
     * @param {Condition} condition
     * @param {() => boolean} predicate
     * @param {() => void} action
     */
    async visit(condition, predicate, action) {
        if (blocksNow(this.#seat)) {
            this.#holdBlocking(() => {
                this.#enter();
                while (!predicate()) {
                    this.#waitBlocking(condition, predicate);
                }
                action();
                this.#leave();
            });
        } else {
            await this.#hold(async () => {
                this.#enter();
                while (!predicate()) {
                    await this.#wait(condition, predicate);
                }
                action();
                this.#leave();
            });
        }
    }

    /**
     * Waits once, if `mayWait` allows that, until it is notified or its time is up.
     *
     * @param {Condition} condition
     * @param {() => boolean} mayWait is asked with the mutex held
     * @param {(notified: boolean) => void} over is called with the mutex held
     */
    async waitOnce(condition, mayWait, over) {
        if (blocksNow(this.#seat)) {
            this.#holdBlocking(() => {
                this.#enter();
                if (mayWait()) {
                    over(this.#blockOnce(condition));
                }
                this.#leave();
            });
        } else {
            await this.#hold(async () => {
                this.#enter();
                if (mayWait()) {
                    over(await this.#waitOnce(condition));
                }
                this.#leave();
            });
        }
    }

    /** @param {() => void} section */
    #holdBlocking(section) {
        switch (this.#seat.random.below(3)) {
            case 0:
                this.#mutex.exec(section);
                break;
            case 1: {
                const guard = this.#mutex.acquire();
                section();
                guard.release();
                break;
            }
            default:
                this.#mutex.lock();
                section();
                this.#mutex.unlock();
        }
    }

    /** @param {() => Promise<void>} section */
    async #hold(section) {
        const { blocks, random } = this.#seat;
        if (blocks && random.chance(0.5)) {
            this.#mutex.lock();
            await section();
            this.#mutex.unlock();
        } else if (random.chance(0.5)) {
            await this.#mutex.execAsync(section);
        } else {
            const guard = await this.#mutex.acquireAsync();
            await section();
            guard.release();
        }
    }

    /**
     * A predicate that is called during a wait, with the mutex held.
     *
     * @param {() => boolean} predicate
     */
    #asVisit(predicate) {
        return () => {
            this.#enter();
            const result = predicate();
            this.#leave();
            return result;
        };
    }

    /** @param {Condition} condition @param {() => boolean} predicate */
    #waitBlocking(condition, predicate) {
        const { random } = this.#seat;
        if (random.chance(0.5)) {
            this.#blockOnce(condition);
            return;
        }
        this.#leave();
        const timeout = random.chance(0.5) ? timeoutOf(random) : undefined;
        condition.waitFor(this.#mutex, { timeout, predicate: this.#asVisit(predicate) });
        this.#enter();
    }

    /** @param {Condition} condition @returns {boolean} whether it was notified */
    #blockOnce(condition) {
        const { random } = this.#seat;
        this.#leave();
        let notified = true;
        if (random.chance(0.5)) {
            notified = condition.waitFor(this.#mutex, { timeout: timeoutOf(random) });
        } else {
            condition.wait(this.#mutex);
        }
        this.#enter();
        return notified;
    }

    /** @param {Condition} condition @param {() => boolean} predicate */
    async #wait(condition, predicate) {
        const { random } = this.#seat;
        if (random.chance(0.5)) {
            await this.#waitOnce(condition);
            return;
        }
        this.#leave();
        const options = { ...limitOf(random), predicate: this.#asVisit(predicate) };
        await isMet(() => condition.waitAsync(this.#mutex, options));
        this.#enter();
    }

    /** @param {Condition} condition @returns {Promise<boolean>} whether it was notified */
    async #waitOnce(condition) {
        this.#leave();
        const options = limitOf(this.#seat.random);
        const notified = await isMet(() => condition.waitAsync(this.#mutex, options));
        this.#enter();
        return notified;
    }
}
