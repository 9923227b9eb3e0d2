/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AbandonedError } from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { THREAD_MARK } from '../../js-glue/memory/layout.js';
import { yieldToLoop } from '../../js-glue/thread/environment.js';
import { work } from '../support/board.js';
import { Detector } from '../support/detector.js';
import { isEndOfWait } from '../support/limits.js';
import { awaitOnce, blockOnce } from '../support/mixed-use.js';
import { BETWEEN, BLOCKED, BUSY, IN_LOOP } from './member-words.js';

/* The use of the locks by every thread of the stress, the page's thread too. */

/**
 * @typedef {import('../../js-glue/index.js').Mutex} Mutex
 * @typedef {import('../support/seed.js').Random} Random
 *
 * @typedef {object} Use
 * @property {Mutex[]} mutexes
 * @property {import('./protected.js').Protected} data what the locks protect
 * @property {import('./member-words.js').MemberWords} words
 * @property {Random} random
 * @property {number} section milliseconds
 * @property {number} busy the longest time, in milliseconds, for which its event loop is busy with other work
 * @property {number} rounds
 * @property {number} blocking the part of its rounds in which it blocks
 */

const ROUNDS_PER_TASK = 8;

export function afterOtherTasks() {
    return /** @type {Promise<void>} */ (new Promise((resolve) => yieldToLoop(resolve)));
}

/** Thrown by a doomed thread instead of a repair. */
const DOOMED = new Error('doomed');

/** A section of a thread that may be doomed; then the section leaves the data alone. */
class MortalSection extends Detector {
    #data;
    #words;
    #lock;
    #isOpen = false;

    /**
     * @param {Use} use
     * @param {number} lock
     */
    constructor({ data, words }, lock) {
        super(data.buffer, lock);
        this.#data = data;
        this.#words = words;
        this.#lock = lock;
    }

    /** @param {string} place */
    #lingerAt(place) {
        const { order } = this.#words;
        if (order?.place === place && order.manner !== 'idle') {
            this.#words.stay(this.#lock, order.manner);
        }
    }

    /**
     * @param {number} milliseconds
     * @override
     */
    begin(milliseconds) {
        this.#isOpen = this.#words.open();
        if (this.#isOpen) {
            this.torn += this.#data.enter(this.#lock, this.#words.self) === 0 ? 0 : 1;
            this.#lingerAt('before');
            super.begin(milliseconds);
            this.#lingerAt('half');
        }
    }

    /** @override */
    end() {
        if (this.#isOpen) {
            this.#data.count(this.#lock, this.#words.self);
            this.#lingerAt('counted');
            super.end();
            this.#lingerAt('after');
            this.#data.leave(this.#lock);
            this.#words.countSection();
            this.#words.countTorn(this.torn);
        }
    }

    /** Never ends: stops in the middle of the section, while the event loop runs other work. */
    endless() {
        this.begin(0);
        if (this.#isOpen) {
            this.#words.stay(this.#lock, 'idle');
            return new Promise(() => {});
        }
        return undefined;
    }

    /** Repairs a lock whose holder died, inside a section or not. */
    recover() {
        this.#isOpen = this.#words.open();
        if (!this.#isOpen) {
            throw DOOMED;
        }
        const { self } = this.#words;
        this.#data.noteRepair(this.#lock, this.#data.enter(this.#lock, self), self);
        const undone = this.repair(this.#data.sections(this.#lock));
        this.#words.countTorn(undone >= 0 ? 0 : 1);
        this.#data.leave(this.#lock);
    }

    /** The lock is released, or was not acquired. */
    close() {
        if (this.#isOpen) {
            this.#words.close();
        }
    }
}

/**
 * Recovers an abandoned lock.
 *
 * @param {Use} use
 * @param {number} lock
 * @param {boolean} blocks
 */
export async function repairOnce(use, lock, blocks) {
    const mutex = /** @type {Mutex} */ (use.mutexes[lock]);
    const { exports, table } = attach(mutex.memory);
    const left = exports.owner_probe(mutex.byteOffset, table, 0, 0);
    // If the mark is missing, a thread repairs it already.
    use.data.noteTold(lock, (left & THREAD_MARK) !== 0 ? left & ~THREAD_MARK : 0, use.words.self);
    const section = new MortalSection(use, lock);
    const repair = () => section.recover();
    try {
        await (blocks ? mutex.recover(repair) : mutex.recoverAsync(repair));
    } catch (error) {
        if (error !== DOOMED) {
            throw error;
        }
    } finally {
        section.close();
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
        await (use.words.order?.manner === 'idle'
            ? mutex.execAsync(() => section.endless())
            : way(mutex, section, use.section, use.random));
    } catch (error) {
        if (error instanceof AbandonedError) {
            await repairOnce(use, lock, way === blockOnce);
        } else if (isEndOfWait(error)) {
            use.words.countEnded();
        } else {
            throw error;
        }
    } finally {
        section.close();
    }
}

/**
 * Makes a few requests at once, in a thread that may be too busy to notice their grants.
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
