/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment, yieldToLoop } from './environment.js';
import { isIn } from './tag.js';
import { BURST_MS, LONGEST_DELAY_MS, SWEEP_MS } from './times.js';

/* How all requests of this thread share its event loop: one timer, bursts of work, one sweep of pending waits. */

/* The loop of a window that is no more (a removed iframe, a closed popup) runs no tasks, but Chromium still runs there
 * what a wake resolves. */

let isOver = false;

export function endLoop() {
    isOver = true;
}

export function isLoopOver() {
    // Outside windows, a document is a library's.
    return isOver || (globalThis.document?.defaultView === null && isIn(/Window/));
}

export const NO_TIMERS = 'This thread has no timers: use tryLock() without a timeout.';

/** An audio worklet has no timers to watch a wait by. */
export function hasTimers() {
    return typeof environment.setTimeout === 'function' && !isLoopOver();
}

/** A polyfill has to be loaded before this package. */
export function hasWaitAsync() {
    return typeof environment.waitAsync === 'function';
}

/* Alarms: one timer for all. Never early, though setTimeout is in Node, where it counts from the beginning of the
 * running job. In hidden pages late by a second and more. */

/**
 * @typedef {object} Alarm
 * @property {number} time of `environment.now()`
 * @property {() => void} ring
 */

/** The earliest first. @type {Alarm[]} */
const alarms = [];
/** @type {any} */
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

/** @param {Alarm} alarm rings once */
export function setAlarm(alarm) {
    // Most are the latest. Those of one time ring in the order made.
    const place = alarms.findLastIndex(({ time }) => time <= alarm.time) + 1;
    alarms.splice(place, 0, alarm);
    if (place === 0) {
        startTimer();
    }
}

/** @param {Alarm} alarm */
export function clearAlarm(alarm) {
    const place = alarms.indexOf(alarm);
    if (place >= 0) {
        alarms.splice(place, 1);
    }
    if (place === 0) {
        startTimer();
    }
}

/* Bursts: this thread works for its requests for BURST_MS at a time, and then lets other tasks go first. */

/**
 * @typedef {object} Listener
 * @property {() => boolean | void} hear true: more is to do, after what this has resolved
 */

/** The first of them have been heard in this burst. @type {Listener[]} */
const news = [];
/** How many. They are taken out together: engines move all that is left of a long array. */
let heard = 0;
let burstEnd = 0;
/** Whether the loop is in the turn in which the burst began. */
let isMarked = false;
/** Whether `hearNews` is under way: a second one would double the work of a turn. */
let isScheduled = false;

function isBurstOver() {
    return environment.now() > burstEnd;
}

/** A job begins. Node, Bun and Deno run all jobs of one turn in one burst; pages all that woke together. */
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
    if (isLoopOver()) {
        void Promise.resolve().then(hearNews); // no turn comes any more
    } else if (!isScheduled) {
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

/** @param {Listener} listener */
function hear(listener) {
    if (!listener.hear()) {
        return;
    }
    news.splice(heard, 0, listener);
    if (isBurstOver()) {
        scheduleTurn();
    } else {
        environment.queueMicrotask(hearNews); // after what has resolved by now, which counts too
        isScheduled = true;
    }
}

/** @param {Listener} listener hears in a later turn */
export function tellLater(listener) {
    news.push(listener);
    scheduleTurn();
}

/** @param {Listener} listener hears at once, if this burst has time left, else in a later turn */
export function tell(listener) {
    beginBurst();
    if (!news[heard] && !isBurstOver()) {
        hear(listener);
    } else {
        tellLater(listener);
    }
}

/* In Node, Bun and Deno a pending waitAsync does not keep the process alive (Node ends with code 13). While requests
 * are pending, one timer of this thread does. */

let pending = 0;
/** @type {ReturnType<typeof environment.setInterval> | undefined} */
let handle;

export function keepAlive() {
    if (pending === 0) {
        handle = environment.setInterval(() => {}, LONGEST_DELAY_MS);
    }
    pending += 1;
}

export function keepAliveNoMore() {
    pending -= 1;
    if (pending === 0) {
        environment.clearInterval(handle);
        handle = undefined;
    }
}

/* Turns of calls that need not wait. A loop that awaits nothing else would be microtasks only, and freeze the page. So
 * about every BURST_MS the promise of such a call comes after a turn. The clock is read once in as many calls as take about
 * a millisecond. */

const MOST_CALLS = 64;
let pace = 1;
let callsLeft = 0;
let lookedAt = 0;

/** True if other work of this thread has had no turn for BURST_MS. */
export function isTurnDue() {
    callsLeft -= 1;
    return callsLeft < 0 && looksDue();
}

function looksDue() {
    const now = environment.now();
    pace = Math.min(isMarked ? pace / (now - lookedAt) : pace * 2, MOST_CALLS) | 0 || 1;
    callsLeft = pace - 1;
    lookedAt = now;
    if (!isMarked) {
        beginBurst(); // the loop has turned by itself
    }
    return now > burstEnd && hasTimers();
}

/** @returns {Promise<unknown>} of the next turn */
export function nextTurn() {
    return new Promise((resolve) => tellLater({ hear: () => resolve(undefined) }));
}

/**
 * Other work first: a turn is due.
 *
 * @template T
 * @param {Promise<T>} promise of what holds nothing any more
 */
export function afterTurn(promise) {
    const turn = nextTurn();
    return promise.finally(() => turn);
}

/**
 * For a call that has not waited. Classes that care for nanoseconds have this inline.
 *
 * @template T
 * @param {Promise<T>} promise
 */
export function settled(promise) {
    return isTurnDue() ? afterTurn(promise) : promise;
}

/* Pending waits. A wake may have gone to a thread that died, so all are looked at from time to time. A limit for each
 * would cost a processor where thousands wait: so one waitAsync on a word that nobody wakes has a limit, whose end starts
 * a sweep. Entries that nobody needs are taken back, for their memory. The limit is the engine's, since hidden pages have a timer once a second or less
 * (in Firefox the engine's, too). Workers of browsers have a timer, since WebKit's do not hear of that limit
 * (`endsWaits`). */

/**
 * @typedef {'turn' | 'line'} Word that a waitAsync is for
 *
 * @typedef {object} Waiter
 * @property {(word: Word) => unknown} look whether a wake was lost
 * @property {boolean} isIdle whether it needs no entries
 * @property {(word: Word) => void} woken
 *
 * @typedef {object} Entry
 * @property {Waiter} waiter
 * @property {Word} word
 * @property {Int32Array} words
 * @property {number} index
 * @property {boolean} isIdle whether nobody needed it at the last sweep
 */

/** @type {Set<Entry>} */
const armed = new Set();
/** @type {Int32Array | undefined} */
let neverWoken;
let isSweeping = false;

/** @returns {Int32Array} shared, also where SharedArrayBuffer has no name */
export function someWords() {
    const buffer =
        'SharedArrayBuffer' in globalThis
            ? new SharedArrayBuffer(4)
            : new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer;
    return new Int32Array(buffer);
}

/**
 * @param {Waiter} waiter
 * @param {Word} word
 * @param {{ words: Int32Array, index: number }} place
 * @param {number} expected
 * @returns {boolean} false: the word has another value
 */
export function arm(waiter, word, place, expected) {
    neverWoken ??= someWords();
    const entry = environment.waitAsync(place.words, place.index, expected);
    if (!entry.async) {
        return false;
    }
    const one = { waiter, word, words: place.words, index: place.index, isIdle: false };
    armed.add(one);
    entry.value.then(() => {
        armed.delete(one);
        waiter.woken(word);
    });
    if (!isSweeping) {
        sweepLater(neverWoken);
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

/** @param {Waiter} waiter who waits no longer, and whose words may be used by others: its entries are taken back */
export function disarm(waiter) {
    for (const one of armed) {
        if (one.waiter === waiter) {
            environment.notify(one.words, one.index);
        }
    }
}
