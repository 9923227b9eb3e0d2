/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { limitsCome } from '../support/endless.js';
import { AbandonedError } from '../../js-glue/index.js';
import { GATE_NAPPER_SHIFT, GATE_SLEEPERS_SHIFT } from '../../models/c/numbers.js';
import { describeWords, wordsOf } from '../support/words.js';
import { afterOtherTasks, repairOnce } from './locks-use.js';
import { pending } from './ledger.js';

/* Checks the locks of an episode after all threads have stopped using them. */

/** @typedef {import('./episode.js').Scene} Scene */

const SOON_MS = 1000;
/** The word that names the oldest async waiter. That waiter may be dead until another thread notices. */
const LINE = 2;
/**
 * A lock may be reserved for a dead thread, with another dead thread behind it; the next caller takes the
 * lock.
 */
const VISITS = 4;
/** A thread that died in a nap leaves its flag, or both. The next thread that blocks clears them (docs/decisions/0003). */
const LEFT_BY_NAPPERS = [2 ** GATE_NAPPER_SHIFT, 2 ** GATE_NAPPER_SHIFT + 2 ** GATE_SLEEPERS_SHIFT];

/**
 * @param {import('../../js-glue/mutex.js').Mutex} mutex
 * @param {boolean} mortal whether threads have died
 */
function isFree(mutex, mortal) {
    const [word = 0, ...others] = wordsOf(mutex).filter((_, index) => !mortal || index !== LINE);
    return (word === 0 || (mortal && LEFT_BY_NAPPERS.includes(word))) && others.every((other) => other === 0);
}

/**
 * The page takes the lock once, and repairs it if it is abandoned.
 *
 * @param {import('./locks-use.js').Use} use
 * @param {number} lock
 */
async function visit(use, lock) {
    try {
        await use.mutexes[lock]?.execAsync(() => {});
    } catch (error) {
        if (!(error instanceof AbandonedError)) {
            throw error;
        }
        await repairOnce(use, lock, false);
    }
}

/**
 * Checks that all words are zero. After deaths the next user may have to clear words first.
 *
 * @param {Scene} scene
 * @param {import('./locks-use.js').Use} use of the page
 */
export async function locksAreFree(scene, use) {
    for (const [lock, mutex] of scene.mutexes.entries()) {
        const { mortal } = scene.plan;
        if (mortal) {
            scene.counts.leftByTheDead += isFree(mutex, mortal) ? 0 : 1;
            for (let visits = 0; visits < VISITS && !isFree(mutex, mortal); visits += 1) {
                await scene.within(visit(use, lock), 'a lock that the dead have left');
            }
        }
        if (!isFree(mutex, mortal)) {
            throw new Error(`a lock is not free at rest: ${describeWords(mutex)}\n${scene.describe()}`);
        }
    }
}

/**
 * The sum of the pending resources of all living threads.
 *
 * @param {Scene} scene
 */
export async function pendingOf(scene) {
    const asked = Promise.all(scene.crew.map((member) => member.ask('count')));
    /** @type {import('./ledger.js').Pending[]} */
    const counted = await scene.within(asked, 'the counts of what is pending');
    limitsCome();
    const sum = { timers: 0, entries: 0, listeners: 0, handles: 0 };
    for (const { timers, entries, listeners, handles } of [...counted, pending()]) {
        sum.timers += timers;
        sum.entries += entries;
        sum.listeners += listeners;
        sum.handles += handles;
    }
    return sum;
}

/**
 * @param {Scene} scene
 * @param {(keyof import('./ledger.js').Pending)[]} kinds of resources that must not be left
 */
async function nothingIsLeft(scene, kinds) {
    const end = performance.now() + SOON_MS;
    for (;;) {
        const left = await pendingOf(scene);
        if (kinds.every((kind) => left[kind] === 0)) {
            return left;
        }
        if (performance.now() > end) {
            throw new Error(`left behind at rest: ${JSON.stringify(left)}\n${scene.describe()}`);
        }
        await afterOtherTasks();
    }
}

/**
 * @param {import('../../js-glue/index.js').Mutex} mutex
 * @returns {number} the entries that were in the queues of its words
 */
export function wakeAll(mutex) {
    const words = new Int32Array(mutex.memory.buffer, mutex.byteOffset, wordsOf(mutex).length);
    return words.reduce((sum, _, index) => sum + Atomics.notify(words, index), 0);
}

/**
 * Checks that timers, listeners and handles are gone. The queues of the locks' words have only entries of
 * requests that living threads gave up; a wake removes those too.
 *
 * @param {Scene} scene
 */
export async function nothingLeaks(scene) {
    const { entries } = await nothingIsLeft(scene, ['timers', 'listeners', 'handles']);
    const found = scene.mutexes.reduce((sum, mutex) => sum + wakeAll(mutex), 0);
    if (found > entries) {
        throw new Error(`${found} entries in the queues, ${entries} known\n${scene.describe()}`);
    }
    scene.counts.abandonedEntries += found;
    await nothingIsLeft(scene, ['timers', 'listeners', 'handles', 'entries']);
}

/** @param {Scene} scene */
export function queuesAreEmpty(scene) {
    for (const mutex of scene.mutexes) {
        const found = wakeAll(mutex);
        if (found !== 0) {
            throw new Error(`${found} entries are left at the address of a freed lock\n${scene.describe()}`);
        }
    }
}
