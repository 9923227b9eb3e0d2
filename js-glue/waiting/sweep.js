/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { someWords } from '../thread/agent.js';
import { environment } from '../thread/environment.js';
import { SWEEP_MS } from '../thread/times.js';

/* The entries of this thread in the engine's queues of waiters. A wake may have gone to a thread that died of it, so each
 * wait is looked at from time to time. A limit for each entry would cost a processor where thousands wait: instead one
 * entry of this thread that nobody wakes has a limit, and then all others are looked at. They have no limit, so the thread
 * takes back itself those that nobody waits for any more: they would keep their memory. It is the engine's time and not a
 * timer's, which hidden pages get once a second or more seldom. */

/**
 * @typedef {object} Armed
 * @property {Int32Array} words
 * @property {number} index
 * @property {() => boolean} look sees to it that a wait goes on whose wake was lost; whether anybody waits still
 * @property {boolean} isIdle nobody waited at the last sweep
 */

/** @type {Set<Armed>} */
const armed = new Set();
/** @type {Int32Array | undefined} */
let clock;
let isSweeping = false;

/**
 * Waits for a wake on that word.
 *
 * @param {Int32Array} words
 * @param {number} index
 * @param {number} expected
 * @param {() => void} onWoken
 * @param {Armed['look']} look
 * @returns {boolean} whether it waits: not if the word has another value
 */
export function arm(words, index, expected, onWoken, look) {
    const entry = environment.waitAsync(words, index, expected);
    if (!entry.async) {
        return false;
    }
    const one = { words, index, look, isIdle: false };
    armed.add(one);
    entry.value.then(() => {
        armed.delete(one);
        onWoken();
    });
    if (!isSweeping) {
        sweepLater();
    }
    return true;
}

function sweepLater() {
    isSweeping = false; // also if what follows finds no memory
    if (armed.size > 0) {
        clock ??= someWords();
        const { value } = environment.waitAsync(clock, 0, 0, SWEEP_MS);
        isSweeping = true;
        void Promise.resolve(value).then(sweep);
    }
}

function sweep() {
    sweepLater();
    for (const one of armed) {
        const isIdle = !one.look();
        if (isIdle && one.isIdle) {
            environment.notify(one.words, one.index); // a wake is for all, so nobody is robbed of one
        }
        one.isIdle = isIdle;
    }
}
