/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { clearAlarm, setAlarm } from '../thread/event-loop.js';
import { HURRIED_POLL_MS, LONGEST_POLL_MS, POLL_MS } from '../thread/times.js';

/* Where no entry wakes this thread, one alarm polls for all queues: soon at first, and more seldom while nothing changes. */

/** @type {Set<import('./queue.js').Queue>} */
const polled = new Set();
const alarm = { time: Infinity, ring: pollAll };
/** Until the next poll. */
let pause = 0;

/** @param {number} milliseconds */
function pollIn(milliseconds) {
    pause = milliseconds;
    const time = environment.now() + pause;
    if (time < alarm.time) {
        clearAlarm(alarm);
        alarm.time = time;
        setAlarm(alarm);
    }
}

/** @param {import('./queue.js').Queue} queue polled until `pollNoMore` */
export function poll(queue) {
    if (!polled.has(queue)) {
        polled.add(queue);
        pollIn(POLL_MS);
    }
}

/** @param {import('./queue.js').Queue} queue */
export function pollNoMore(queue) {
    if (polled.delete(queue) && polled.size === 0) {
        clearAlarm(alarm);
        alarm.time = Infinity;
    }
}

function pollAll() {
    alarm.time = Infinity;
    const before = pause;
    let longest = LONGEST_POLL_MS;
    let hasChanged = false;
    for (const queue of [...polled]) {
        hasChanged = queue.look() || hasChanged;
        longest = queue.hurries ? HURRIED_POLL_MS : longest;
    }
    if (polled.size > 0) {
        pollIn(hasChanged ? POLL_MS : Math.min(2 * before, longest));
    }
}
