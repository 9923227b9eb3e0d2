/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { describeWords } from '../support/words.js';
import { PATIENCE_MS, within } from '../support/watchdog.js';
import { afterOtherTasks } from './locks-use.js';
import { CREW } from './plan.js';

/** After a fault the other threads continue within this time: a blocked thread re-checks after a second. */
const SOON_MS = 2000;
/**
 * The longest time until a terminated thread is gone. Chromium mostly lets a blocked thread live on for two
 * seconds.
 */
const GONE_MS = 60_000;

/** Locks, and the threads that use them: what an episode's parts share. */
export class Scene {
    /** @type {Mutex[]} */
    mutexes = [];
    /** @type {import('./member.js').Member[]} threads that are about to end, or are dead */
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

    /** The living threads that use the locks. */
    get users() {
        return this.living.filter((words) => words !== this.page || !this.plan.allBlock);
    }

    describe() {
        return [
            ...this.mutexes.map(describeWords),
            `page ${this.page.describe()}`,
            ...this.crew.map(({ words }) => `alive ${words.describe()}`),
            ...this.dead.map(
                ({ words, isGone }) =>
                    `${isGone ? 'gone ' : 'ended'} ${words.describe()}, slot ${this.#slotOf(words)}`,
            ),
        ].join('\n');
    }

    /**
     * The words of its slot: state, credits, presence, time of the last probe.
     *
     * @param {import('./member-words.js').MemberWords} words
     */
    #slotOf({ self }) {
        const [mutex] = this.mutexes;
        if (mutex === undefined) {
            return '';
        }
        const { exports, table, words } = attach(mutex.memory);
        const slot = exports.agents_slot(table, self) / 4;
        return Array.from(words.subarray(slot, slot + 4), (word) => (word >>> 0).toString(16)).join(' ');
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
    async until(what, condition, limit = PATIENCE_MS) {
        const end = performance.now() + limit;
        while (!condition()) {
            if (performance.now() > end) {
                throw new Error(`${what}: not within ${limit} ms\n${this.describe()}`);
            }
            await afterOtherTasks();
        }
    }

    /** @param {number} milliseconds for other work of this thread */
    async pause(milliseconds) {
        const end = performance.now() + milliseconds;
        while (performance.now() < end) {
            await afterOtherTasks();
        }
    }

    /** The ended threads that hold a lock whose abandonment is not found out yet. */
    #holdersAmongTheDead() {
        return this.dead.filter(({ words: { self } }) =>
            this.mutexes.some(
                ({ memory, byteOffset }) => attach(memory).exports.owned_is_by(byteOffset, self) !== 0,
            ),
        );
    }

    /**
     * Notes that a thread of the crew is about to end.
     *
     * @param {number} index
     */
    lose(index) {
        this.dead.push(...this.crew.splice(index, 1));
    }

    /** Checks that every survivor runs one more section, soon after the abandoned locks are found out. */
    async goOn() {
        const survivors = this.users.map((words) => ({ words, sections: words.sections }));
        const begin = performance.now();
        const times = { gone: begin, free: begin };
        while (!survivors.every(({ words, sections }) => words.sections > sections)) {
            const now = performance.now();
            const holders = this.#holdersAmongTheDead();
            if (holders.length > 0) {
                times.free = now;
                times.gone = holders.every(({ isGone }) => isGone) ? times.gone : now;
            }
            if (now > Math.min(times.free + SOON_MS, times.gone + PATIENCE_MS, begin + GONE_MS)) {
                const ms = `${SOON_MS} ms, or ${PATIENCE_MS} ms after a holder's end, or ${GONE_MS} ms at all`;
                throw new Error(`the other threads did not continue within ${ms}\n${this.describe()}`);
            }
            await afterOtherTasks();
        }
        const { counts } = this;
        counts.longestGoOn = Math.max(counts.longestGoOn, performance.now() - times.free);
        counts.longestLeft = Math.max(counts.longestLeft, times.free - times.gone);
        counts.longestEnd = Math.max(counts.longestEnd, times.gone - begin);
    }

    /** Waits until all ended threads are gone. */
    async declaresDead() {
        await this.within(
            Promise.all(this.dead.map(({ gone }) => gone)),
            'the ended threads are gone',
            GONE_MS,
        );
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
