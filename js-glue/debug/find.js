/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RWLOCK_SHARED, THREAD_MASK } from '../memory/layout.js';
import { attachmentFor, offsetFor } from '../memory/placed.js';
import { environment } from '../thread/environment.js';
import { SUSPECTED_AFTER_MS } from '../thread/times.js';
import { holding, mayNotAwait, waiting } from './calls.js';
import { sectionsIn } from './awaiters.js';

/* Finds deadlocks of a thread with itself. */

/** @typedef {import('./call.js').Call} Call */

/** True if only the owner can release what the call takes. @param {Call} call */
function isOwned({ kind }) {
    return kind !== 'Semaphore';
}

/**
 * True if one of these holders certainly still holds the lock. A condition's wait, or an unlock() elsewhere, may have
 * released the lock since. It may then be held by another section or guard of this thread, or by lock(), which makes
 * no Call.
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
 * True if the holders block a request that already waits. A shared holder of an `RwLock` blocks every waiter:
 * writers, and the readers behind them. A semaphore's waiter is blocked if it and the holders need more than `max`
 * permits: then other threads cannot give enough back.
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

/** This thread's pending exclusive requests that were made before the waiter. @param {Call} waiter */
function writersBefore(waiter) {
    const calls = [...waiting];
    return calls
        .slice(0, calls.indexOf(waiter))
        .filter((call) => call.waits && !call.isShared && call.isOfSameLock(waiter));
}

/** True if only the lock can end the wait: it has neither a timeout nor a signal. @param {Call} waiter */
function isPatient({ request }) {
    return request?.timeout === Infinity && !request.signal;
}

/**
 * True if the waiter can be granted only after the holders end. A reader behind readers may wait only for a writer of
 * another thread, which ends soon.
 * @param {Call} waiter
 * @param {Call[]} holders that block it
 */
function waitsForTheirEnd(waiter, holders) {
    return [waiter, ...holders].some(({ isShared }) => !isShared) || writersBefore(waiter).length > 0;
}

/**
 * Returns the chain from the section that holds the lock to the waiting call, if each section awaits the next call. A
 * pair is a section and the call that it awaits; the outermost section is first.
 * @param {Call} waiter
 * @returns {[Call, Call][]} [] if the chain does not close
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

/**
 * True if neither a time limit nor another thread can end the wait, so its request may be rejected.
 * @param {Call} waiter
 */
export function isHopeless(waiter) {
    const { lock, kind, request } = waiter;
    const { exports, self } = attachmentFor(lock);
    // A writer that waits between two readers may give up, unless it is this thread's and has no limit.
    const isBetweenReaders =
        kind === 'RwLock' &&
        request?.ask === RWLOCK_SHARED &&
        exports.owned_is_by(offsetFor(lock), self) === 0 &&
        !writersBefore(waiter).some(isPatient);
    // A recoverable semaphore's permits that this thread holds: no other thread can give them back.
    const hasOwners =
        isOwned(waiter) ||
        mayNotAwait(/** @type {any} */ (request?.queue ?? {}), /** @type {any} */ (lock).max);
    return isPatient(waiter) && hasOwners && !isBetweenReaders;
}

/** True if the section's code is known to have made the call. @param {Call} section @param {Call} call */
export function hasMade(section, call) {
    const { within, isOwn, origin } = call;
    return within === section || (isOwn && sectionsIn(String(origin.stack)).includes(section));
}

/** @returns {[Call, Call][]} holders and waiters that have both lasted for a second; forgets those that have ended */
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
