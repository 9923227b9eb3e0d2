/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';
import { LONGEST_DELAY_MS } from './times.js';

/* One timer of this thread for all that is to happen at a time. It is never early, and takes any time. setTimeout is
 * early in Node: it counts from the beginning of the running job. In hidden pages it is late, by a second and more. */

/**
 * @typedef {object} Alarm
 * @property {number} time as `environment.now()` has it
 * @property {() => void} ring
 */

/** The earliest first. @type {Alarm[]} */
const alarms = [];
/** @type {any} of the timer that runs for the first of them */
let handle;
let isRinging = false;

function startTimer() {
    if (isRinging) {
        return; // until all have rung
    }
    environment.clearTimeout(handle);
    const [first] = alarms;
    if (first !== undefined) {
        const left = Math.max(Math.ceil(first.time - environment.now()), 0);
        handle = environment.setTimeout(ring, Math.min(left, LONGEST_DELAY_MS));
    }
}

/** Rings all that are due. The sweep calls it, too, since the timer may be late. */
export function ring() {
    const now = environment.now();
    isRinging = true;
    try {
        for (let first; (first = alarms[0]) && first.time <= now;) {
            alarms.shift();
            first.ring();
        }
    } finally {
        isRinging = false;
        startTimer();
    }
}

/** @param {Alarm} alarm that is to ring once */
export function setAlarm(alarm) {
    // Most are later than all others. Of one time, they ring in the order made.
    const place = alarms.findLastIndex(({ time }) => time <= alarm.time) + 1;
    alarms.splice(place, 0, alarm);
    if (place === 0) {
        startTimer();
    }
}

/** @param {Alarm} alarm that is not to ring, if it is set */
export function clearAlarm(alarm) {
    const place = alarms.indexOf(alarm);
    if (place >= 0) {
        alarms.splice(place, 1);
    }
    if (place === 0) {
        startTimer();
    }
}
