/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';
import { HURRIED_POLL_MS, LONGEST_POLL_MS, POLL_MS } from './times.js';

/* Where there is no waitAsync, one timer of this thread looks for all queues that wait: soon at first, and more seldom while
 * nothing changes. */

/**
 * @typedef {object} Polling
 * @property {boolean} isNext what it waits for will be reserved for it, but not for long
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
    if (!isLooking) {
        startTimer(POLL_MS);
    }
}

/** @param {Polling} queue */
export function pollNoMore(queue) {
    if (waiting.delete(queue) && waiting.size === 0) {
        environment.clearTimeout(timer);
    }
}

function look() {
    let hasChanged = false;
    isLooking = true;
    try {
        for (const queue of [...waiting]) {
            hasChanged = queue.lookByTimer() || hasChanged;
        }
    } finally {
        isLooking = false;
        if (waiting.size > 0) {
            const hurries = [...waiting].some(({ isNext }) => isNext);
            startTimer(
                hasChanged ? POLL_MS : Math.min(2 * delay, hurries ? HURRIED_POLL_MS : LONGEST_POLL_MS),
            );
        }
    }
}
