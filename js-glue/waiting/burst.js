/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { BURST_MS } from '../thread/times.js';
import { yieldToLoop } from '../thread/yield-to-loop.js';

/* What this thread does for its requests in one go: no more than a burst, whatever the requests are for. The rest comes
 * after the other tasks that the event loop has ready, in the order in which it came. */

let end = 0;
let isMarked = false;
/** @type {Set<() => void>} */
const later = new Set();
/** Whether a turn for them is on its way: a second one would double what is done in one turn of the loop. */
let isScheduled = false;

/** Whether the other work of this thread should have a turn. */
export function isOver() {
    return environment.now() > end;
}

/** A job begins that came by itself. Node, Bun and Deno run all that are ready in one turn of the loop: in one burst. */
function begin() {
    if (isMarked) {
        return;
    }
    end = environment.now() + BURST_MS;
    if (environment.setImmediate) {
        isMarked = true;
        environment.setImmediate(() => (isMarked = false));
    }
}

function schedule() {
    if (!isScheduled) {
        isScheduled = true;
        yieldToLoop(runLaterOnes);
    }
}

function runLaterOnes() {
    isScheduled = false;
    isMarked = false;
    begin();
    try {
        for (const job of later) {
            later.delete(job);
            job();
            if (isOver()) {
                break;
            }
        }
    } finally {
        if (later.size > 0) {
            schedule();
        }
    }
}

/**
 * Runs a job after the other tasks that are ready, and after those that wait for that already.
 *
 * @param {() => void} job
 */
export function runLater(job) {
    schedule();
    later.add(job);
}

/**
 * Runs a job that came by itself: at once, if there is time left.
 *
 * @param {() => void} job
 */
export function runInTurn(job) {
    begin();
    if (later.size === 0 && !isOver()) {
        job();
    } else {
        runLater(job);
    }
}

/** So many calls, before what they resolve goes on: that counts, too. */
const AT_ONCE = 64;

/** @type {Set<Set<() => void>>} */
const due = new Set();

/**
 * Calls all of them in their order, after those of calls before, and takes them out.
 *
 * @param {Set<() => void>} calls
 */
export function callInTurns(calls) {
    due.add(calls);
    if (due.size === 1) {
        runInTurn(callSome);
    }
}

function callSome() {
    let left = AT_ONCE;
    for (const calls of due) {
        for (const call of calls) {
            if (left === 0) {
                return isOver() ? runLater(callSome) : environment.queueMicrotask(callSome);
            }
            left -= 1;
            calls.delete(call);
            call();
        }
        due.delete(calls);
    }
}
