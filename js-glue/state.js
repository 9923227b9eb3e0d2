/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RWLOCK_MOST, THREAD_MARK, THREAD_RANDOM } from './memory/layout.js';
import { foundFor, Placed } from './memory/placed.js';
import { valueError } from './options.js';

/* stateOf() is a function and not a property of the locks, so a page that uses only Mutex does not load it. */

/** @typedef {import('./mutex.js').Mutex | import('./recursive-mutex.js').RecursiveMutex | import('./rwlock.js').RwLock} Lock */

/** True if the lock names a dead owner. Random identities have the mark too. @param {number} owner */
function isDead(owner) {
    return (owner & THREAD_MARK) !== 0 && (owner & THREAD_RANDOM) !== THREAD_RANDOM;
}

/**
 * The state in which a lock **was**: other threads may have changed it before you read the answer. For logs and
 * displays. Code that wants the lock calls `tryLock()`, and has it or not.
 *
 * `'exclusive'`: a thread holds it alone, as each holder of a mutex does. `'shared'`: threads hold it to read, the
 * upgradable reader among them. `'abandoned'`: its holder was found dead, and no thread has recovered it yet.
 * Blocks: never. Callable from: any thread.
 * @param {Lock} lock
 * @returns {'free' | 'shared' | 'exclusive' | 'abandoned'}
 * @throws {HoldfastError} `HF_BAD_OPTION` if it is something else
 */
export function stateOf(lock) {
    const { attachment, byteOffset, kind = '' } = lock instanceof Placed ? foundFor(lock) : {};
    const isLock = /(Mutex|RwLock)$/.test(kind) && !/KeyedMutex$/.test(kind);
    if (!attachment || !isLock) {
        throw valueError('HF_BAD_OPTION', 'stateOf() takes a mutex or a reader-writer lock', kind || lock);
    }
    const inUse = attachment.exports.owner_probe(byteOffset, 0, 0, 0);
    if (inUse === 0) {
        return 'free';
    }
    if (/RwLock$/.test(kind) && inUse <= RWLOCK_MOST) {
        return 'shared';
    }
    return isDead(inUse) ? 'abandoned' : 'exclusive';
}
