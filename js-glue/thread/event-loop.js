/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment, yieldToLoop } from './environment.js';
import { isIn } from './tag.js';
import { BURST_MS, LONGEST_DELAY_MS, MOST_AT_ONCE, SWEEP_MS } from './times.js';

/* How all requests of this thread share its event loop: one timer, bursts of work, and one sweep of pending
 * waits. */

/* True if this loop runs no more tasks, since its window is gone (a removed iframe, a closed popup). Chromium
 * still runs the reactions to a wake there. */

let isOver = false;

export function endLoop() {
    isOver = true;
}

export function isLoopOver() {
    // In a worker, `document` is a library's imitation.
    return isOver || (globalThis.document?.defaultView === null && isIn(/Window/));
}

export const NO_TIMERS = 'This thread has no timers to wait with: try without a timeout.';

/** False in an audio worklet, which cannot watch a wait by a timer. */
export function hasTimers() {
    return Boolean(environment.setTimeout) && !isLoopOver();
}

/** True where requests wait by waitAsync; a polyfill must be loaded before this package. */
export function hasWaitAsync() {
    return Boolean(environment.waitAsync);
}

/* Alarms share one timer. They never ring early, although Node's setTimeout may, as it counts from the start
 * of the running job. In hidden pages they may be a second late or more. */

/** @typedef {{ ring: () => void }} Alarm */

/** The time at which each rings. @type {Map<Alarm, number>} */
const alarms = new Map();
/** Fires at `time`: when the first alarm is due, or earlier if that alarm was cleared. */
const timer = { time: Infinity, /** @type {any} */ handle: undefined };

function stopTimer() {
    environment.clearTimeout(timer.handle);
    timer.time = Infinity;
}

/** @param {number} time */
function startTimer(time) {
    if (time < timer.time) {
        stopTimer();
        timer.time = time;
        timer.handle = environment.setTimeout(ringAlarms, Math.max(Math.ceil(time - environment.now()), 0));
    }
}

function ringAlarms() {
    const now = environment.now();
    stopTimer();
    alarms.forEach((time, alarm) => {
        if (time <= now) {
            alarms.delete(alarm);
            alarm.ring();
        } else {
            startTimer(time);
        }
    });
}

/** @param {Alarm} alarm rings once, at the time set last @param {number} time of `environment.now()` */
export function setAlarm(alarm, time) {
    alarms.set(alarm, time);
    startTimer(time);
}

/** @param {Alarm} alarm */
export function clearAlarm(alarm) {
    if (alarms.delete(alarm) && alarms.size === 0) {
        stopTimer();
    }
}

/* Bursts: this thread works on its requests for BURST_MS at a time, and then lets other tasks run first. */

/**
 * @typedef {object} Task
 * @property {() => boolean | void} work true: more work remains after promise reactions have run
 */

/** Tasks for later, in order. While there are some, a callback is scheduled. @type {Set<Task>} */
const tasks = new Set();
let burstEnd = 0;
/** True during the turn of the loop in which the burst began. */
let isMarked = false;
/**
 * The scheduled callback that works on the tasks next. Only one: two would double a turn's work.
 * @type {object | undefined}
 */
let coming;

function isBurstOver() {
    return environment.now() > burstEnd;
}

/**
 * Begins a burst with this job, unless one runs. All jobs of a turn are one burst where setImmediate shows the turn's
 * end; a timer would show it too late.
 */
function beginBurst() {
    if (!isMarked || isLoopOver()) {
        burstEnd = environment.now() + BURST_MS;
        const mark = environment.setImmediate;
        isMarked = mark !== undefined && !isLoopOver();
        mark?.(() => (isMarked = false));
    }
}

function beginTurn() {
    isMarked = false;
    beginBurst();
    workOff();
}

// Go on when a page comes back from the back/forward cache: Firefox has dropped its posted tasks, and WebKit
// its messages. Not in WebKit's audio worklets, where addEventListener throws.
if ('document' in globalThis) {
    globalThis.addEventListener?.('pageshow', beginTurn);
}

function workOff() {
    coming = undefined;
    let left = MOST_AT_ONCE;
    for (const task of tasks) {
        tasks.delete(task);
        workOn(task); // even if the burst is over: each turn does at least one task
        left -= 1;
        if (coming || left === 0 || isBurstOver()) {
            break;
        }
    }
    if (tasks.size > 0) {
        scheduleRest(isBurstOver()); // promise reactions of these tasks run first
    }
}

/** @param {Task} task */
function workOn(task) {
    if (task.work()) {
        tasks.add(task);
        scheduleRest(isBurstOver());
    }
}

/** @param {boolean} isTurn in a later turn; false: in a microtask of this burst, after promise reactions */
function scheduleRest(isTurn) {
    const isLost = isLoopOver(); // no turn comes any more
    if (!coming || isLost) {
        const scheduled = (coming = {});
        (isTurn && !isLost ? yieldToLoop : environment.soon)(() => {
            if (scheduled === coming) {
                (isTurn ? beginTurn : workOff)();
            }
        });
    }
}

/** @param {Task} task works in a later turn */
export function scheduleLater(task) {
    tasks.add(task);
    scheduleRest(true);
}

/** @param {Task} task works at once if this burst has time left, else in a later turn */
export function schedule(task) {
    beginBurst();
    if (coming || isBurstOver()) {
        scheduleLater(task);
    } else {
        workOn(task);
    }
}

/* While requests are pending, one timer of this thread keeps the process alive: in Node, Bun and Deno a
 * pending waitAsync does not (Node exits with code 13). */

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

/* Lets other work run between calls that microtasks alone may serve: a loop that awaits only such calls would
 * freeze the page. When other work has not run for BURST_MS, the promises of these calls settle after it has.
 * The clock is read at each 16th call at least, more often if the calls take long, and at each call while a turn is
 * due, since a loop may await only some of its calls. */

/** The most calls between two readings of the clock. Small, since sections may suddenly become long. */
const MOST_CALLS = 16;
let pace = 1;
let callsLeft = 0;
let lookedAt = 0;

/** True if other work of this thread has had no turn for BURST_MS. */
export function isTurnDue() {
    callsLeft -= 1;
    return callsLeft <= 0 && looksDue();
}

function looksDue() {
    beginBurst(); // a new burst, if the loop has turned since the last one
    const now = environment.now();
    const isDue = isMarked && now > burstEnd && hasTimers();
    const millisecond = now | 0; // a small integer, which takes no memory
    callsLeft = pace = isDue || millisecond !== lookedAt ? 1 : Math.min(2 * pace, MOST_CALLS);
    lookedAt = millisecond;
    return isDue;
}

/** @type {Promise<void> | undefined} */
let turn;

/** @returns {Promise<void>} settles in the next turn */
export function nextTurn() {
    return (turn ??= new Promise((resolve) => {
        scheduleLater({
            work() {
                turn = undefined;
                resolve();
            },
        });
    }));
}

/**
 * Settles after the next turn, in which other work runs.
 * @template T
 * @param {Promise<T>} promise of a call that holds nothing any more
 */
export function afterTurn(promise) {
    const next = nextTurn();
    return promise.finally(() => next);
}

/**
 * Returns the promise of a call that has not waited, delayed if a turn is due. Classes that care for nanoseconds
 * inline this.
 * @template T
 * @param {Promise<T>} promise
 */
export function settled(promise) {
    return isTurnDue() ? afterTurn(promise) : promise;
}

/** True if promises of this thread wait for the next turn. */
export function isTurnAwaited() {
    return turn !== undefined;
}

/**
 * Calls a method that returns a promise, and rejects with what it throws.
 * @template T
 * @param {() => Promise<T>} call
 * @returns {Promise<T>}
 */
export function promised(call) {
    try {
        return call();
    } catch (error) {
        return settled(Promise.reject(error));
    }
}

/* Pending waits. A wake may have gone to a thread that died. So from time to time a sweep checks all waits,
 * and takes back unneeded entries to free their memory. A timeout on every entry would be too slow with
 * thousands of waits, so one waitAsync on a word that is never woken has a timeout, whose end starts a sweep.
 * The engine keeps that time even in hidden pages, whose timers fire once a second or less. Workers of
 * browsers use a timer, since WebKit's do not notice that timeout (`endsWaits`). */

/**
 * @typedef {'turn' | 'line'} Word that a waitAsync is for
 * @typedef {{ words: Int32Array, index: number }} Place
 * @typedef {object} Waiter
 * @property {(word: Word) => unknown} look checks whether a wake was lost
 * @property {boolean} isIdle whether it needs no entries now
 * @property {(word: Word) => void} woken
 *
 * @typedef {object} Entry
 * @property {Waiter} waiter
 * @property {Word} word
 * @property {Place} place
 * @property {boolean} isIdle whether it was unneeded at the last sweep
 */

/** @type {Set<Entry>} */
const armed = new Set();
/** @type {Int32Array | undefined} */
let neverWoken;
let isSweeping = false;

/** @returns {Int32Array} shared, even where SharedArrayBuffer has no global name */
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
 * @param {Place} place
 * @param {number} expected
 * @returns {boolean} false: the word has another value
 */
export function arm(waiter, word, place, expected) {
    neverWoken ??= someWords();
    const entry = environment.waitAsync(place.words, place.index, expected);
    if (!entry.async) {
        return false;
    }
    const one = { waiter, word, place, isIdle: false };
    armed.add(one);
    entry.value.then(() => {
        armed.delete(one);
        waiter.woken(word);
    });
    if (!isSweeping) {
        sweepLater();
    }
    return true;
}

function sweepLater() {
    isSweeping = armed.size > 0;
    if (isSweeping && environment.endsWaits) {
        const { value } = environment.waitAsync(/** @type {Int32Array} */ (neverWoken), 0, 0, SWEEP_MS);
        void (
            /** @type {Promise<unknown>} */ (value).then(() => {
                sweep();
                ringAlarms(); // the timer may be late
                if (!environment.setImmediate) {
                    beginTurn(); // here a timer begins turns, which may be late too
                }
            })
        );
    } else if (isSweeping) {
        setAlarm({ ring: sweep }, environment.now() + SWEEP_MS);
    }
}

function sweep() {
    sweepLater();
    for (const one of armed) {
        one.waiter.look(one.word);
        const { isIdle } = one.waiter;
        if (isIdle && one.isIdle) {
            environment.notify(one.place.words, one.place.index); // this wakes all waiters of the word: extra wakes are harmless
        }
        one.isIdle = isIdle;
    }
}

/**
 * Takes a waiter's entries back.
 * @param {Waiter} waiter has stopped waiting, and its words may be used for other locks
 */
export function disarm(waiter) {
    for (const one of armed) {
        if (one.waiter === waiter) {
            environment.notify(one.place.words, one.place.index);
        }
    }
}
