/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RWLOCK_SHARED, THREAD_MASK } from '../memory/layout.js';
import { attachmentFor, offsetFor } from '../memory/placed.js';
import { environment } from '../thread/environment.js';
import { SUSPECTED_AFTER_MS } from '../thread/times.js';
import { holding, mayNotAwait, waiting } from './calls.js';
import { sectionsIn } from './awaiters.js';

/* Finds a thread's deadlocks with itself. */

/** @typedef {import('./call.js').Call} Call */

/** True if only its owner releases it. @param {Call} call */
function isOwned({ kind }) {
    return kind !== 'Semaphore';
}

/**
 * True if one of the holders surely still holds the lock. A condition's wait, or unlock() elsewhere, may have released it;
 * then another section or guard of this thread, or lock(), which is no call here, may hold it.
 *
 * @param {Call[]} holders of one lock, which has an owner
 */
function isHeldBy(holders) {
    const [first] = /** @type {[Call]} */ (holders);
    if (holders.every(({ isShared }) => isShared)) {
        const { words } = attachmentFor(first.lock);
        return (environment.load(words, offsetFor(first.lock) / 4) & THREAD_MASK) !== 0;
    }
    const alone = [...holding].filter((call) => !call.isShared && call.isOfSameLock(first));
    return alone.length === 1 && first.isHeldAlone;
}

/**
 * True if the holders keep out a request that already waits. A shared holder of an `RwLock` keeps out every waiter:
 * writers, and the readers behind those. Permits may come free from other threads, unless there are too few of them.
 *
 * @param {Call} waiter
 * @param {Call[]} holders of the same lock
 */
function keepOut(waiter, holders) {
    if (holders.length === 0) {
        return false;
    }
    if (isOwned(waiter)) {
        return isHeldBy(holders);
    }
    const permits = [waiter, ...holders].reduce((sum, call) => sum + call.permits, 0);
    return permits > /** @type {any} */ (waiter.lock).max;
}

/** The exclusive requests of this thread that wait and were made before. @param {Call} waiter */
function writersBefore(waiter) {
    const calls = [...waiting];
    return calls
        .slice(0, calls.indexOf(waiter))
        .filter((call) => call.waits && !call.isShared && call.isOfSameLock(waiter));
}

/** True if only the lock ends the wait: no timeout and no signal do. @param {Call} waiter */
function isPatient({ request }) {
    return request?.timeout === Infinity && !request.signal;
}

/**
 * True if only the end of the holders lets the waiter through. A reader behind readers may wait for another thread's short
 * turn.
 *
 * @param {Call} waiter
 * @param {Call[]} holders that keep it out
 */
function waitsForTheirEnd(waiter, holders) {
    return [waiter, ...holders].some(({ isShared }) => !isShared) || writersBefore(waiter).length > 0;
}

/**
 * Returns the calls from a waiting call out to the section that holds what it waits for, if each section awaits the next
 * call: each section with what it awaits, the outermost first.
 *
 * @param {Call} waiter
 * @returns {[Call, Call][]} [] if there is none
 */
export function ringOf(waiter) {
    const sections = waiter.waits ? waiter.awaitedBy : [];
    const last = sections.findIndex((section, at) => {
        const holders = sections.slice(0, at + 1).filter((one) => one.isOfSameLock(waiter));
        return holders.includes(section) && keepOut(waiter, holders) && waitsForTheirEnd(waiter, holders);
    });
    return sections
        .slice(0, last + 1)
        .map((section, at) => /** @type {[Call, Call]} */ ([section, sections[at - 1] ?? waiter]))
        .reverse();
}

/** True if neither a time limit nor another thread can end the wait, so its request may be rejected. @param {Call} waiter */
export function isHopeless(waiter) {
    const { lock, kind, request } = waiter;
    const { exports, self } = attachmentFor(lock);
    // A writer between two readers may give up, unless it is one of this thread that does not.
    const isBetweenReaders =
        kind === 'RwLock' &&
        request?.ask === RWLOCK_SHARED &&
        exports.owned_is_by(offsetFor(lock), self) === 0 &&
        !writersBefore(waiter).some(isPatient);
    // Of permits that have owners, this thread alone gives back its own.
    const hasOwners =
        isOwned(waiter) ||
        mayNotAwait(/** @type {any} */ (request?.queue ?? {}), /** @type {any} */ (lock).max);
    return isPatient(waiter) && hasOwners && !isBetweenReaders;
}

/** True if code of that section has made the call, as far as is known. @param {Call} section @param {Call} call */
export function hasMade(section, call) {
    const { within, isOwn, origin } = call;
    return within === section || (isOwn && sectionsIn(String(origin.stack)).includes(section));
}

/** @returns {[Call, Call][]} who holds and who waits, if both have lasted for a second; forgets those that are over */
export function longWaits() {
    const before = environment.now() - SUSPECTED_AFTER_MS;
    for (const holder of holding) {
        if (holder.isFreed && holder.holdsBy === 'guard') {
            holding.delete(holder); // a guard of such a lock need not be released
        }
    }
    return [...waiting].flatMap((waiter) => {
        if (!waiter.waits) {
            waiting.delete(waiter);
        } else if (waiter.since <= before) {
            const holders = [...holding].filter((one) => one.since <= before && one.isOfSameLock(waiter));
            const [holder] = keepOut(waiter, holders) ? holders : [];
            return holder ? [[holder, waiter]] : [];
        }
        return [];
    });
}
