/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { environment } from '../thread/environment.js';
import { SUSPECTED_AFTER_MS } from '../thread/times.js';
import { findAwaiters } from './awaiters.js';
import { forgetCalls, holding, noteTime, waiting } from './calls.js';
import { hasMade, isHopeless, longWaits, ringOf } from './find.js';
import { tell } from './listeners.js';
import { tellLongHolds } from './misuse.js';
import { affordMore, stackOf } from './origin.js';
import { deadlock } from './report.js';
import { dateOf, lockNamed, nameOrPlace, seconds, thisThread } from './words.js';

/* Checks the pending calls from time to time, and reports those that seem to wait for themselves. */

/**
 * @typedef {import('./call.js').Call} Call
 * @typedef {import('../waiting/request.js').Request} Request
 * @typedef {import('./report.js').OwnDeadlockReport} OwnDeadlockReport
 */

const LOOK_MS = SUSPECTED_AFTER_MS / 4;

/**
 * How many requests' awaiters are searched at once. Few, since a search takes up to 50 µs. A request granted in its
 * turn or the next needs no search.
 */
const MOST_AT_ONCE = 4;

/** Requests whose wait was reported. @type {WeakSet<Request>} */
const told = new WeakSet();

const WHAT_TO_DO =
    'This request is given up: a section cannot take a lock that it holds. Make the request after the section.';

/** @type {any} */
let timer;

/** Calls that have begun to wait, and whose awaiters have not been looked up yet. @type {Call[]} */
let fresh = [];

/** @type {any} */
let soon;

export function endWatch() {
    forgetCalls();
    fresh = [];
    stopLooking();
}

function stopLooking() {
    environment.clearInterval(timer);
    timer = undefined;
}

/** Checks the calls regularly, as long as any of them waits or holds. */
function lookFromTimeToTime() {
    noteTime(waiting);
    noteTime(holding);
    for (const [holder, waiter] of longWaits()) {
        lookAtLong(holder, waiter);
    }
    tellLongHolds();
    if (waiting.size === 0 && holding.isEmpty) {
        stopLooking();
    }
}

/** Schedules the next check when a call has begun to hold or to wait. @param {Call} [waiter] */
export function lookSoon(waiter) {
    if (waiter) {
        fresh.push(waiter);
    }
    soon ??= environment.setTimeout?.(lookAtFresh, 1); // an audio worklet has no timers
}

function lookAtFresh() {
    affordMore();
    noteTime(fresh);
    noteTime(holding);
    let at = 0;
    for (let left = MOST_AT_ONCE; left > 0 && at < fresh.length; at += 1) {
        const waiter = /** @type {Call} */ (fresh[at]);
        if (waiter.waits) {
            lookAt(waiter);
            left -= 1;
        }
    }
    fresh.splice(0, at);
    soon = fresh.length === 0 ? undefined : environment.setTimeout(lookAtFresh, 1);
    if (timer === undefined && (waiting.size > 0 || !holding.isEmpty)) {
        timer = environment.setInterval(lookFromTimeToTime, LOOK_MS);
        timer.unref?.(); // the waits themselves keep the process alive
    }
}

/**
 * The report of a deadlock among calls of this thread. Each pair is a call that holds a lock, and a call that waits
 * while it is held.
 * @param {[Call, Call][]} pairs
 * @param {string} what the debugger has seen, for the message
 * @returns {OwnDeadlockReport}
 */
function reportOf(pairs, what) {
    const thread = thisThread();
    const members = pairs.map(([holder, waiter]) => ({
        thread,
        holds: titleOf(holder),
        heldBy: holder.method,
        heldFrom: stackOf(holder.origin),
        waitsFor: titleOf(waiter),
        askedBy: waiter.method,
        askedFrom: stackOf(waiter.origin),
        how: /** @type {const} */ ('awaits'),
        since: dateOf(waiter.since),
    }));
    return deadlock(false, members, `Perhaps a deadlock in ${thread}: ${what}.`);
}

/** @param {Call} call */
function titleOf({ lock }) {
    return nameOrPlace(lockNamed(lock));
}

/** @param {Call} waiter */
function lookAt(waiter) {
    const request = /** @type {Request} */ (waiter.request);
    findAwaiters(request, (sections) => {
        waiter.awaitedBy = sections;
        const ring = told.has(request) ? [] : ringOf(waiter);
        if (ring.length === 0) {
            return;
        }
        const chain = ring.map((pair) => {
            const [holds, awaits] = pair.map(titleOf);
            return `a section holds ${holds} and awaits ${awaits}`;
        });
        const report = reportOf(ring, chain.join('; '));
        told.add(request);
        if (tell(report, isHopeless(waiter), false)) {
            request.queue.giveUp(request, errorOf(report, waiter));
        }
    });
}

/**
 * Checks a section and a request that have both lasted: other code may wait for a section harmlessly.
 * @param {Call} holder
 * @param {Call} waiter
 */
function lookAtLong(holder, waiter) {
    const request = /** @type {Request} */ (waiter.request);
    if (told.has(request)) {
        return;
    }
    findAwaiters(request, (sections, isAwaited) => {
        const isOther = isAwaited && !sections.includes(holder) && !hasMade(holder, waiter);
        if (waiter.waits && !told.has(request) && (holder.holdsBy === 'guard' || !isOther)) {
            const who = holder.holdsBy === 'guard' ? 'a guard' : 'a section';
            const time = seconds(environment.now() - holder.since);
            const what = `${who} has held ${titleOf(holder)} for ${time}, and a request of the same thread waits for it`;
            told.add(request);
            tell(reportOf([[holder, waiter]], what), false, false);
        }
    });
}

/** @param {OwnDeadlockReport} report @param {Call} waiter */
function errorOf(report, { lock }) {
    const error = new HoldfastError('HF_DEADLOCK', `${report.message} ${WHAT_TO_DO}`, lockNamed(lock));
    error.stack = `${error.name}: ${error.message}\n${report.members.at(-1)?.askedFrom}`;
    error.cause = report;
    return error;
}
