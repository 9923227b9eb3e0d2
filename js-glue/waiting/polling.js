/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { clearAlarm, setAlarm } from '../thread/event-loop.js';
import { HURRIED_POLL_MS, LONGEST_POLL_MS, POLL_MS } from '../thread/times.js';

/* Without waitAsync one alarm looks at all queues that wait: soon at first, and more seldom while nothing changes. */

/** @typedef {import('./queue.js').Queue} Queue */

/** @type {Set<Queue>} */
const waiting = new Set();
const alarm = { time: 0, ring: look };
/** Between two looks. */
let delay = 0;

/** @param {number} milliseconds */
function lookIn(milliseconds) {
    delay = milliseconds;
    const time = environment.now() + delay;
    if (alarm.time === 0 || time < alarm.time) {
        clearAlarm(alarm);
        alarm.time = time;
        setAlarm(alarm);
    }
}

/** @param {Queue} queue looked at until `pollNoMore` */
export function poll(queue) {
    waiting.add(queue);
    lookIn(POLL_MS);
}

/** @param {Queue} queue */
export function pollNoMore(queue) {
    waiting.delete(queue);
    if (waiting.size === 0) {
        clearAlarm(alarm);
        alarm.time = delay = 0;
    }
}

function look() {
    alarm.time = 0;
    const before = delay;
    const queues = [...waiting];
    const hasChanged = queues.filter((queue) => queue.look()).length > 0; // all look, unlike with some()
    if (waiting.size > 0) {
        const longest = queues.some((queue) => queue.hurries) ? HURRIED_POLL_MS : LONGEST_POLL_MS;
        lookIn(hasChanged ? POLL_MS : Math.min(2 * before, longest));
    }
}
