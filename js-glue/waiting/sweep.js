/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { someWords } from '../thread/agent.js';
import { ring, setAlarm } from '../thread/alarms.js';
import { environment } from '../thread/environment.js';
import { SWEEP_MS } from '../thread/times.js';
import { tell } from './turns.js';

/* The entries of this thread in the engine's queues of waiters. A wake may have gone to a thread that died of it, so each
 * wait is looked at from time to time. A limit for each entry would cost a processor where thousands wait: instead one
 * entry of this thread that nobody wakes has a limit, and then all others are looked at. They have no limit, so the thread
 * takes back itself those that nobody waits for any more: they would keep their memory. It is the engine's time and not a
 * timer's, which hidden pages get once a second or more seldom (in Firefox the engine's, too); but a worker of a browser, which
 * in WebKit does not hear of the engine's time while nothing else wakes it, has a timer. */

/** @typedef {import('./decide.js').Word} Word */

/** A waitAsync of a queue that is pending. */
class Entry {
    /** Nobody waited there at the last sweep. */
    isIdle = false;

    /**
     * @param {import('./queue.js').RequestQueue} queue
     * @param {Word} word
     * @param {{ words: Int32Array, index: number }} place
     */
    constructor(queue, word, { words, index }) {
        this.queue = queue;
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
 * Waits for a wake on that word.
 *
 * @param {import('./queue.js').RequestQueue} queue that is told of it
 * @param {Word} word
 * @param {{ words: Int32Array, index: number }} place of the word
 * @param {number} expected
 * @returns {boolean} whether it waits: not if the word has another value
 */
export function arm(queue, word, place, expected) {
    clock ??= someWords(); // which may find no memory: before anything waits
    const entry = environment.waitAsync(place.words, place.index, expected);
    if (!entry.async) {
        return false;
    }
    const one = new Entry(queue, word, place);
    armed.add(one);
    entry.value.then(() => {
        armed.delete(one);
        tell(queue, { type: 'woken', word });
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
            ring();
        });
    } else {
        setAlarm({ time: environment.now() + SWEEP_MS, ring: () => sweep(on) });
    }
}

/** @param {Int32Array} on */
function sweep(on) {
    sweepLater(on);
    for (const one of armed) {
        one.queue.look(one.word);
        const { isIdle } = one.queue;
        if (isIdle && one.isIdle) {
            environment.notify(one.words, one.index); // a wake is for all, so nobody is robbed of one
        }
        one.isIdle = isIdle;
    }
}
