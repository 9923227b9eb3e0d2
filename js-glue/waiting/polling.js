/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { clearAlarm, setAlarm } from '../thread/alarms.js';
import { environment } from '../thread/environment.js';
import { HURRIED_POLL_MS, LONGEST_POLL_MS, POLL_MS } from '../thread/times.js';

/* Where there is no waitAsync, one timer of this thread looks for all queues that wait: soon at first, and more seldom while
 * nothing changes. */

/** @typedef {import('./queue.js').RequestQueue} RequestQueue */

/** @type {Set<RequestQueue>} */
const waiting = new Set();
const alarm = { time: 0, ring: look };
/** How long it was from the last look to the next; 0: there is none. */
let delay = 0;
let isLooking = false;

/** @param {number} milliseconds */
function lookIn(milliseconds) {
    clearAlarm(alarm);
    delay = milliseconds;
    alarm.time = environment.now() + delay;
    setAlarm(alarm);
}

/** @param {RequestQueue} queue that is to be looked at until `pollNoMore` */
export function poll(queue) {
    waiting.add(queue);
    if (delay === 0 || (!isLooking && alarm.time > environment.now() + POLL_MS)) {
        lookIn(POLL_MS);
    } else if (!isLooking) {
        delay = POLL_MS; // after a look that comes sooner
    }
}

/** @param {RequestQueue} queue */
export function pollNoMore(queue) {
    waiting.delete(queue);
    stopIfIdle();
}

function stopIfIdle() {
    if (waiting.size === 0 && !isLooking) {
        clearAlarm(alarm);
        alarm.time = delay = 0;
    }
}

/**
 * What a look has come to, which may be later than the look. A queue that waits on by it does not begin to wait.
 *
 * @param {RequestQueue} queue
 * @param {import('./decide.js').WaitEvent} event
 */
export function afterLook(queue, event) {
    isLooking = true;
    try {
        queue.goOnWith(event);
    } finally {
        isLooking = false;
        stopIfIdle();
    }
}

function look() {
    let hasChanged = false;
    try {
        for (const queue of [...waiting]) {
            hasChanged = queue.lookByTimer() || hasChanged;
        }
    } finally {
        if (waiting.size > 0) {
            const hurries = [...waiting].some((queue) => queue.hurries);
            lookIn(hasChanged ? POLL_MS : Math.min(2 * delay, hurries ? HURRIED_POLL_MS : LONGEST_POLL_MS));
        } else {
            delay = 0;
        }
    }
}
