/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AbandonedError } from '../../js-glue/index.js';
import { yieldToLoop } from '../../js-glue/thread/environment.js';
import { work } from '../support/board.js';
import { Detector } from '../support/detector.js';
import { isEndOfWait } from '../support/limits.js';
import { awaitOnce, blockOnce } from '../support/mixed-use.js';
import { BETWEEN, BLOCKED, BUSY, IN_LOOP } from './member-words.js';

/* What every thread of the stress does with the locks, a page's thread too. */

/**
 * @typedef {import('../../js-glue/index.js').Mutex} Mutex
 * @typedef {import('../support/seed.js').Random} Random
 *
 * @typedef {object} Use
 * @property {Mutex[]} mutexes
 * @property {SharedArrayBuffer} pairs the detectors' counters
 * @property {import('./member-words.js').MemberWords} words
 * @property {Random} random
 * @property {number} section milliseconds
 * @property {number} busy milliseconds: for how long at most its event loop is busy with something else
 * @property {number} rounds
 * @property {number} blocking the part of its rounds in which it blocks
 */

const ROUNDS_PER_TASK = 8;

export function afterOtherTasks() {
    return /** @type {Promise<void>} */ (new Promise((resolve) => yieldToLoop(resolve)));
}

/** One section of a thread that may be doomed: it leaves the pair alone then. */
class MortalSection extends Detector {
    #words;
    #lock;
    #isOpen = false;

    /**
     * @param {Use} use
     * @param {number} lock
     */
    constructor({ pairs, words }, lock) {
        super(pairs, lock);
        this.#words = words;
        this.#lock = lock;
    }

    /**
     * @param {number} milliseconds
     * @override
     */
    begin(milliseconds) {
        this.#isOpen = this.#words.open();
        if (this.#isOpen) {
            super.begin(milliseconds);
        }
    }

    /** @override */
    end() {
        if (this.#isOpen) {
            super.end();
            this.#words.countSection(this.#lock, this.torn);
        }
    }

    /** The lock is released, or was not got. */
    close() {
        if (this.#isOpen) {
            this.#words.close();
        }
    }
}

/**
 * @param {Use} use
 * @param {number} lock
 * @param {typeof blockOnce | typeof awaitOnce} way
 */
async function useOnce(use, lock, way) {
    const section = new MortalSection(use, lock);
    const mutex = /** @type {Mutex} */ (use.mutexes[lock]);
    try {
        await way(mutex, section, use.section, use.random);
    } catch (error) {
        if (error instanceof AbandonedError) {
            // A doomed one got it and died, with no section open: there is nothing to repair.
            await mutex.recoverAsync(() => {});
        } else if (!isEndOfWait(error)) {
            throw error;
        }
        use.words.countEnded();
    } finally {
        section.close();
    }
}

/**
 * A few requests at once, and a thread that may be too busy to hear of them.
 *
 * @param {Use} use
 */
async function awaitSome(use) {
    const { mutexes, words, random, busy } = use;
    const locks = Array.from({ length: 1 + random.below(3) }, () => random.below(mutexes.length));
    const busyFor = random.chance(0.15) ? random.next() * busy : 0;
    words.enter(IN_LOOP, locks);
    let waits = true;
    const all = Promise.all(locks.map((lock) => useOnce(use, lock, awaitOnce))).finally(
        () => (waits = false),
    );
    if (busyFor > 0) {
        await afterOtherTasks();
        if (waits) {
            words.enter(BUSY, locks);
            work(busyFor);
            words.enter(IN_LOOP, locks);
        }
    }
    await all;
}

/** @param {Use} use */
async function blockForOne(use) {
    const lock = use.random.below(use.mutexes.length);
    use.words.enter(BLOCKED, [lock]);
    await useOnce(use, lock, blockOnce);
}

/**
 * Locks and unlocks in every way until its rounds are done or it is stopped or doomed.
 *
 * @param {Use} use
 */
export async function useLocks(use) {
    const { words, random, rounds, blocking } = use;
    for (let round = 1; round <= rounds && !words.stopped && !words.isDoomed; round += 1) {
        await (random.chance(blocking) ? blockForOne(use) : awaitSome(use));
        words.enter(BETWEEN, []);
        if (round % ROUNDS_PER_TASK === 0) {
            await afterOtherTasks();
        }
    }
}
