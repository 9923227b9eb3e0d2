/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { EndGroup } from './end-group.js';
import { callersTimers, environment } from '../thread/environment.js';
import { Timer } from '../thread/timer.js';

/* One timer for all requests whose time is up in the same millisecond: so they end in the order made, and in turns. */

/** @type {Map<number, EndGroup>} by the time at which they end */
const limits = new Map();

/** Timers may come in another order than they should. @param {number} time */
function endUntil(time) {
    limits.forEach((limit, itsTime) => itsTime <= time && limit.end());
}

/**
 * What ends that many milliseconds from now, or less than one later. It follows the caller's clock: each that a test has
 * replaced is on its own.
 *
 * @param {number} milliseconds
 */
export function limitIn(milliseconds) {
    const timers = callersTimers();
    const isShared = timers === environment;
    const time = Math.ceil(environment.now() + milliseconds);
    const there = isShared && limits.get(time);
    if (there) {
        return there;
    }
    const timer = new Timer();
    const limit = new EndGroup(() => {
        timer.stop();
        if (isShared) {
            limits.delete(time);
        }
    });
    if (isShared) {
        limits.set(time, limit);
        timer.start(time - environment.now(), () => endUntil(time));
    } else {
        timer.start(milliseconds, () => limit.end(), timers);
    }
    return limit;
}
