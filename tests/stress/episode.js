/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { THREAD_MARK } from '../../js-glue/memory/layout.js';
import { describeWords } from '../support/words.js';
import { within } from '../support/watchdog.js';
import { afterOtherTasks } from './locks-use.js';
import { CREW } from './plan.js';

/** After a fault the others go on within this time: a longest slice of a blocked thread, and a generous second. */
const SOON_MS = 2000;
/** How long a thread that was ended may take to be gone. Chromium lets one that blocks live on for two seconds. */
const GONE_MS = 10_000;

/** Locks, and the threads that use them: what an episode's parts share. */
export class Scene {
    /** @type {Mutex[]} */
    mutexes = [];
    /** @type {import('./member.js').Member[]} that are being ended, or are dead */
    dead = [];

    /**
     * @param {import('./plan.js').Plan} plan
     * @param {import('./member.js').Member[]} crew
     * @param {import('./member-words.js').MemberWords} page
     * @param {import('./counts.js').Counts} counts
     */
    constructor(plan, crew, page, counts) {
        this.plan = plan;
        this.crew = crew;
        this.page = page;
        this.counts = counts;
    }

    /** @type {(index: number) => Mutex} */
    mutex(index) {
        return /** @type {Mutex} */ (this.mutexes[index]);
    }

    /** @type {(index: number) => import('./member.js').Member} */
    member(index) {
        return /** @type {import('./member.js').Member} */ (this.crew[index]);
    }

    get living() {
        return [...this.crew.map(({ words }) => words), this.page];
    }

    /** Those of the living who use the locks. */
    get users() {
        return this.living.filter((words) => words !== this.page || !this.plan.allBlock);
    }

    describe() {
        return [
            ...this.mutexes.map(describeWords),
            `page ${this.page.describe()}`,
            ...this.crew.map(({ words }) => `alive ${words.describe()}`),
            ...this.dead.map(({ words }) => `ended ${words.describe()}`),
        ].join('\n');
    }

    /**
     * @template T
     * @param {PromiseLike<T>} promise
     * @param {string} what
     * @param {number} [limit] milliseconds
     */
    async within(promise, what, limit) {
        try {
            return await within(promise, what, [], limit);
        } catch (error) {
            throw new Error(`${/** @type {Error} */ (error).message}${this.describe()}`, { cause: error });
        }
    }

    /**
     * @param {string} what
     * @param {() => boolean} condition
     * @param {number} [limit] milliseconds
     */
    async until(what, condition, limit = GONE_MS) {
        const end = performance.now() + limit;
        while (!condition()) {
            if (performance.now() > end) {
                throw new Error(`${what}: not within ${limit} ms\n${this.describe()}`);
            }
            await afterOtherTasks();
        }
    }

    /** @param {number} milliseconds in which this thread does its other work */
    async pause(milliseconds) {
        const end = performance.now() + milliseconds;
        while (performance.now() < end) {
            await afterOtherTasks();
        }
    }

    /**
     * Whether a thread that was ended has some lock. That is possible, for a doomed thread that waits may get the
     * lock and die before it has given it back; that the lock is lost then is a matter of its own.
     */
    #isHeldByTheDead() {
        return this.mutexes.some(({ memory, byteOffset }) =>
            this.dead.some(({ words: { self } }) =>
                [self, self | THREAD_MARK].some(
                    (owner) => attach(memory).exports.mutex_is_mine(byteOffset, owner) !== 0,
                ),
            ),
        );
    }

    /** Releases, in the names of threads that are no more, what they died with. */
    #release() {
        for (const { memory, byteOffset } of this.mutexes) {
            const {
                mutex_is_mine: isMine,
                gate_take_over: takeOver,
                mutex_unlock: unlock,
            } = attach(memory).exports;
            for (const { words } of this.dead.filter(({ isGone }) => isGone)) {
                // The second: somebody has found it dead.
                if (isMine(byteOffset, words.self) !== 0 || takeOver(byteOffset, words.self) !== 0) {
                    unlock(byteOffset, words.self);
                    this.counts.diedAsOwner += 1;
                }
            }
        }
    }

    /**
     * A thread of the crew is being ended. When it is no more, what it died with is released.
     *
     * @param {number} index
     */
    lose(index) {
        const victim = this.member(index);
        this.crew.splice(index, 1);
        this.dead.push(victim);
        void victim.gone?.then(() => this.#release());
    }

    /** Every survivor runs one more section, soon. */
    async goOn() {
        const survivors = this.users.map((words) => ({ words, sections: words.sections }));
        const end = performance.now() + GONE_MS;
        let start = performance.now();
        const limit = () => Math.min(start + SOON_MS, end);
        while (!survivors.every(({ words, sections }) => words.sections > sections)) {
            if (this.#isHeldByTheDead()) {
                start = performance.now(); // nobody can, until that one is gone
            }
            if (performance.now() > limit()) {
                throw new Error(`the survivors did not go on within ${SOON_MS} ms\n${this.describe()}`);
            }
            await afterOtherTasks();
        }
        this.counts.longestGoOn = Math.max(this.counts.longestGoOn, performance.now() - start);
    }

    /** Until nothing runs any more that was ended. */
    async burial() {
        await this.within(
            Promise.all(this.dead.map(({ gone }) => gone)),
            'the ended threads are gone',
            GONE_MS,
        );
        this.#release();
    }

    /** The locks, made by one thread, posted to this one and from here to the others. */
    async makeLocks() {
        for (const maker of this.plan.makers) {
            const handle = await this.within(this.member(maker).ask('make'), 'a lock is made');
            this.mutexes.push(Mutex.from(handle));
        }
    }

    /** @param {import('../../js-glue/index.js').LockSpace} space */
    async freeLocks(space) {
        for (const [index, freer] of this.plan.freers.entries()) {
            const mutex = this.mutex(index);
            if (freer === CREW) {
                space.free(mutex);
            } else {
                await this.within(this.member(freer).ask('free', mutex.handle), 'a lock is freed');
            }
        }
    }
}
