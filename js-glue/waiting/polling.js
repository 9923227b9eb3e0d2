/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { HURRIED_POLL_MS, LONGEST_POLL_MS, POLL_MS } from '../thread/times.js';

/* Where there is no waitAsync, one timer of this thread looks for all queues that wait: soon at first, and more seldom while
 * nothing changes. */

/**
 * @typedef {object} Polling
 * @property {boolean} hurries what it waits for will be there for it, but not for long
 * @property {() => boolean} lookByTimer steps if the word that it waits for has changed; whether it has
 */

/** @type {Set<Polling>} */
const waiting = new Set();
/** @type {any} */
let timer;
let delay = POLL_MS;
let isLooking = false;

/** @param {number} milliseconds */
function startTimer(milliseconds) {
    environment.clearTimeout(timer);
    delay = milliseconds;
    timer = environment.setTimeout(look, delay);
}

/** @param {Polling} queue that is to be looked at until `pollNoMore` */
export function poll(queue) {
    waiting.add(queue);
    if (!isLooking || timer === undefined) {
        startTimer(POLL_MS);
    }
}

/** @param {Polling} queue */
export function pollNoMore(queue) {
    waiting.delete(queue);
    stopIfIdle();
}

function stopIfIdle() {
    if (waiting.size === 0 && !isLooking) {
        environment.clearTimeout(timer);
        timer = undefined;
    }
}

/**
 * Does what a look has come to, which may be later than the look. One that waits on by it does not begin to wait.
 *
 * @param {() => void} job
 */
export function afterLook(job) {
    isLooking = true;
    try {
        job();
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
            startTimer(
                hasChanged ? POLL_MS : Math.min(2 * delay, hurries ? HURRIED_POLL_MS : LONGEST_POLL_MS),
            );
        }
    }
}
