/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment, yieldToLoop } from './environment.js';
import { isIn } from './tag.js';
import { BURST_MS, LONGEST_DELAY_MS, SWEEP_MS } from './times.js';

/* How all requests of this thread share its event loop: one timer, bursts of work, and one sweep over the waits that are
 * pending in the engine. */

/* Whether the loop runs. That of a window that is no more (an iframe that was removed, a popup that was closed) runs no
 * tasks, but Chromium still runs there what a wake resolves. */

let isOver = false;

/** The window of this realm goes. */
export function endLoop() {
    isOver = true;
}

export function isLoopOver() {
    // Outside windows, a document is a library's.
    return isOver || (globalThis.document?.defaultView === null && isIn(/Window/));
}

/** Whether waiting through the event loop is possible at all: an audio worklet has no timers to watch a wait by. */
export function hasTimers() {
    return typeof environment.setTimeout === 'function' && !isLoopOver();
}

/** Whether `Atomics.waitAsync` is there. A polyfill has to be loaded before this package. */
export function hasWaitAsync() {
    return typeof environment.waitAsync === 'function';
}

/* Alarms: one timer for all of them. None rings early, though setTimeout is early in Node, where it counts from the
 * beginning of the running job. In hidden pages they are late, by a second and more. */

/**
 * @typedef {object} Alarm
 * @property {number} time as `environment.now()` has it
 * @property {() => void} ring
 */

/** The earliest first. @type {Alarm[]} */
const alarms = [];
/** @type {any} for the first of them */
let timer;
let isRinging = false;

function startTimer() {
    if (isRinging) {
        return; // until all have rung
    }
    environment.clearTimeout(timer);
    const [first] = alarms;
    if (first !== undefined) {
        const left = Math.max(Math.ceil(first.time - environment.now()), 0);
        timer = environment.setTimeout(ringAlarms, Math.min(left, LONGEST_DELAY_MS));
    }
}

/** Rings all that are due. */
function ringAlarms() {
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

/* Bursts: what this thread does for its requests in one go takes no longer than BURST_MS, whatever the requests are for. The
 * rest comes after the other tasks that the event loop has ready, in the order in which it came. */

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
/** When the last burst is over. */
let burstEnd = 0;
/** Whether the event loop has been in this turn since the burst began. */
let isMarked = false;
/** Whether `hearNews` is on its way: a second one would double what is done in one turn of the loop. */
let isScheduled = false;

/** Whether the other work of this thread should have a turn. */
export function isBurstOver() {
    return environment.now() > burstEnd;
}

/**
 * A job begins that came by itself. Node, Bun and Deno run all that are ready in one turn of the loop: in one burst. Pages
 * run all that were woken together in one task.
 */
function beginBurst() {
    if (isMarked && hasTimers()) {
        return;
    }
    burstEnd = environment.now() + BURST_MS;
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
    beginBurst();
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
    beginBurst();
    if (!news[heard] && !isBurstOver()) {
        hear({ listener, event });
    } else {
        tellLater(listener, event);
    }
}

/* Pending waits: each is looked at from time to time, since its wake may have gone to a thread that died of it. A limit for
 * each would cost a processor where thousands wait: instead one entry of this thread that nobody wakes has a limit, and then
 * all others are looked at. They have no limit, so the thread takes back those that nobody waits for any more, which would
 * keep their memory. It is the engine's time and not a timer's, which hidden pages get once a second or more seldom (in
 * Firefox the engine's, too); but a worker in WebKit does not hear of the engine's time while nothing else wakes it, so
 * workers of browsers have a timer. */

/**
 * @typedef {'turn' | 'line'} Word of an object, where a waitAsync can be pending
 *
 * @typedef {object} Waiter
 * @property {(word: Word) => unknown} look whether a wake of that word was lost
 * @property {boolean} isIdle whether nobody needs its entries
 * @property {(event: { type: 'woken', word: Word }) => void} hear
 */

/** A waitAsync that is pending. */
class Entry {
    /** Nobody waited there at the last sweep. */
    isIdle = false;

    /**
     * @param {Waiter} waiter
     * @param {Word} word
     * @param {{ words: Int32Array, index: number }} place
     */
    constructor(waiter, word, { words, index }) {
        this.waiter = waiter;
        this.word = word;
        this.words = words;
        this.index = index;
    }
}

/** @type {Set<Entry>} */
const armed = new Set();
/** @type {Int32Array | undefined} */
let clock;
let isSweeping = false;

/**
 * Shared memory of this thread's own: a few bytes, where there is a constructor for that.
 *
 * @returns {Int32Array}
 */
export function someWords() {
    const buffer =
        'SharedArrayBuffer' in globalThis
            ? new SharedArrayBuffer(4)
            : new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer;
    return new Int32Array(buffer);
}

/**
 * Waits for a wake on that word.
 *
 * @param {Waiter} waiter that is told of it
 * @param {Word} word
 * @param {{ words: Int32Array, index: number }} place of the word
 * @param {number} expected
 * @returns {boolean} whether it waits: not if the word has another value
 */
export function arm(waiter, word, place, expected) {
    clock ??= someWords(); // which may find no memory: before anything waits
    const entry = environment.waitAsync(place.words, place.index, expected);
    if (!entry.async) {
        return false;
    }
    const one = new Entry(waiter, word, place);
    armed.add(one);
    entry.value.then(() => {
        armed.delete(one);
        tell(waiter, { type: 'woken', word });
    });
    if (!isSweeping) {
        sweepLater(clock);
    }
    return true;
}

/** @param {Int32Array} on */
function sweepLater(on) {
    isSweeping = armed.size > 0;
    if (!isSweeping) {
        return;
    }
    if (environment.endsWaits) {
        const { value } = environment.waitAsync(on, 0, 0, SWEEP_MS);
        void Promise.resolve(value).then(() => {
            sweep(on);
            ringAlarms(); // whose timer may be late
        });
    } else {
        setAlarm({ time: environment.now() + SWEEP_MS, ring: () => sweep(on) });
    }
}

/** @param {Int32Array} on */
function sweep(on) {
    sweepLater(on);
    for (const one of armed) {
        one.waiter.look(one.word);
        const { isIdle } = one.waiter;
        if (isIdle && one.isIdle) {
            environment.notify(one.words, one.index); // a wake is for all, so nobody is robbed of one
        }
        one.isIdle = isIdle;
    }
}
