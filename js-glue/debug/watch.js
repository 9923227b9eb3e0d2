/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { environment } from '../thread/environment.js';
import { SUSPECTED_AFTER_MS } from '../thread/times.js';
import { forgetCalls, holding, waiting } from './call.js';
import { isHopeless, longWaits, ringOf } from './find.js';
import { tell } from './listeners.js';
import { tellLongHolds } from './misuse.js';
import { lockNamed } from './notice.js';
import { reportOfLongWait, reportOfRing } from './report.js';

/* Looks at calls from time to time, and reports. */

/**
 * @typedef {import('./call.js').Call} Call
 * @typedef {import('./report.js').OwnDeadlockReport} OwnDeadlockReport
 */

const LOOK_MS = SUSPECTED_AFTER_MS / 4;

const WHAT_TO_DO =
    'This request is given up. Call what needs the lock directly, or ask after the section: locks are not recursive.';

/** @type {ReturnType<typeof environment.setInterval> | undefined} */
let timer;

export function endWatch() {
    forgetCalls();
    stopLooking();
}

function stopLooking() {
    environment.clearInterval(timer);
    timer = undefined;
}

/** As long as calls wait or hold. */
export function lookFromTimeToTime() {
    if (timer !== undefined) {
        return;
    }
    timer = environment.setInterval(() => {
        for (const [holder, waiter] of longWaits()) {
            if (!waiter.isTold) {
                waiter.tell();
                tell(reportOfLongWait(holder, waiter), false, false);
            }
        }
        tellLongHolds();
        if (waiting.size + holding.size === 0) {
            stopLooking();
        }
    }, LOOK_MS);
    /** @type {any} */ (timer).unref?.(); // what waits keeps the process alive itself
}

/** Behind what runs: a handler's code, or that of a request, does not run within an `await`. @param {Call} waiter */
export function lookSoon(waiter) {
    environment.queueMicrotask(() => lookAt(waiter));
}

/** @param {Call} waiter */
function lookAt(waiter) {
    const ring = waiter.isTold ? undefined : ringOf(waiter);
    if (ring === undefined) {
        return;
    }
    const report = reportOfRing(ring);
    waiter.tell();
    if (tell(report, isHopeless(waiter), false)) {
        waiter.request?.queue.giveUp(waiter.request, errorOf(report, waiter));
    }
}

/** @param {OwnDeadlockReport} report @param {Call} waiter */
function errorOf(report, { lock }) {
    const error = new HoldfastError('HF_DEADLOCK', `${report.message} ${WHAT_TO_DO}`, lockNamed(lock));
    error.stack = `${error.name}: ${error.message}\n${report.members.at(-1)?.askedFrom}`;
    error.cause = report;
    return error;
}
