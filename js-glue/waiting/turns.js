/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment, yieldToLoop } from '../thread/environment.js';
import { BURST_MS } from '../thread/times.js';
import { hasTimers } from '../thread/window.js';

/* What this thread does for its requests in one go: no more than a burst, whatever the requests are for. The rest comes
 * after the other tasks that the event loop has ready, in the order in which it came. */

/**
 * Who is told of an event that came by itself.
 *
 * @typedef {object} Listener
 * @property {(event: any) => boolean | void} hear true: it has more to do, after what this has resolved
 *
 * @typedef {{ listener: Listener, event: unknown }} News
 */

/** What has not been heard yet, behind what this burst has heard. @type {News[]} */
const news = [];
/** How much of that has been heard. Taken out once a burst: engines move all that is left of a long array. */
let heard = 0;
/** When the burst is over that has begun last. */
let end = 0;
/** Whether the event loop has been in this turn since then. */
let isMarked = false;
/** Whether `hearNews` is on its way: a second one would double what is done in one turn of the loop. */
let isScheduled = false;

/** Whether the other work of this thread should have a turn. */
export function isBurstOver() {
    return environment.now() > end;
}

/**
 * A job begins that came by itself. Node, Bun and Deno run all that are ready in one turn of the loop: in one burst. Pages
 * run all that were woken together in one task. A window that is gone has no turns.
 */
function begin() {
    if (isMarked && hasTimers()) {
        return;
    }
    end = environment.now() + BURST_MS;
    const mark = environment.setImmediate ?? environment.postTask;
    isMarked = mark !== undefined;
    mark?.(() => (isMarked = false));
}

function scheduleTurn() {
    if (!isScheduled) {
        isScheduled = true;
        yieldToLoop(beginTurn);
    }
}

function beginTurn() {
    isMarked = false;
    begin();
    hearNews();
}

function hearNews() {
    isScheduled = false;
    try {
        for (let next; !isScheduled && (next = news[heard]);) {
            heard += 1;
            hear(next);
            if (isBurstOver()) {
                break;
            }
        }
    } finally {
        news.splice(0, heard);
        heard = 0;
        if (news[heard]) {
            scheduleTurn();
        }
    }
}

/** @param {News} one */
function hear(one) {
    if (!one.listener.hear(one.event)) {
        return;
    }
    news.splice(heard, 0, one);
    if (isBurstOver()) {
        scheduleTurn();
    } else {
        isScheduled = true;
        environment.queueMicrotask(hearNews); // after what has been resolved by now: that counts, too
    }
}

/**
 * Tells it after the other tasks that are ready, and after what is to be told already.
 *
 * @param {Listener} listener
 * @param {unknown} event
 */
export function tellLater(listener, event) {
    news.push({ listener, event });
    scheduleTurn();
}

/**
 * Tells of an event that came by itself: at once, if there is time left.
 *
 * @param {Listener} listener
 * @param {unknown} [event]
 */
export function tell(listener, event) {
    begin();
    if (!news[heard] && !isBurstOver()) {
        hear({ listener, event });
    } else {
        tellLater(listener, event);
    }
}
