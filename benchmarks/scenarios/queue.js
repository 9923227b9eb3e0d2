/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf, makeArena } from '../arena.js';
import { openHoldfast } from '../contestants.js';
import { checkCounters, Counters } from '../counters.js';
import { gather } from '../crew.js';
import { interleave, median } from '../rounds.js';
import { watched } from '../watchdog.js';

/** How many requests wait at a time, and how often that is measured in a round. */
const SIZES = [
    { size: 100, times: 50 },
    { size: 1_000, times: 10 },
    { size: 10_000, times: 3 },
    { size: 100_000, times: 1 },
];

/** @typedef {import('../arena.js').Arena} Arena */

/**
 * Waits until a control word has a value, without blocking this thread.
 *
 * @param {Int32Array} control
 * @param {number} word
 * @param {number} value
 */
async function reached(control, word, value) {
    for (let found = Atomics.load(control, word); found !== value; found = Atomics.load(control, word)) {
        await Atomics.waitAsync(control, word, found).value;
    }
}

/** Asks many times while a worker holds the lock, lets it go, and waits for all answers. */
class Drain {
    #control;
    #mutex;
    #counters;
    #time = 0;

    /** @param {Arena} arena */
    constructor(arena) {
        this.#control = controlOf(arena);
        this.#mutex = openHoldfast(arena);
        this.#counters = new Counters(arena, 0);
    }

    /**
     * @param {number} size
     * @returns {Promise<number>} µs a request: to ask, and from the first section to the last. The time to
     *     wake this thread is left out, for it comes once however many wait.
     */
    async run(size) {
        this.#time += 1;
        await reached(this.#control, CONTROL.ANSWER, this.#time);
        let first = 0;
        let last = 0;
        const section = () => {
            this.#counters.enter();
            last = performance.now();
            first ||= last;
            this.#counters.leave();
        };
        const start = performance.now();
        const requests = Array.from({ length: size }, () => this.#mutex.executeLocked(section));
        const asked = performance.now();
        this.#step();
        await Promise.all(requests);
        this.#step();
        return ((asked - start + (last - first)) * 1000) / size;
    }

    #step() {
        Atomics.add(this.#control, CONTROL.STEP, 1);
        Atomics.notify(this.#control, CONTROL.STEP);
    }
}

/**
 * @param {Drain} drain
 * @param {{ size: number, times: number }} queue
 */
async function costOf(drain, { size, times }) {
    const costs = [];
    for (let time = 0; time < times; time += 1) {
        costs.push(await drain.run(size));
    }
    return median(costs);
}

/** @param {number} rounds */
async function measure(rounds) {
    const arena = makeArena(1);
    const times = (rounds + 1) * SIZES.reduce((sum, queue) => sum + queue.times, 0);
    return watched('queue', arena, 2 * rounds, async () => {
        const crew = await gather([{ job: 'hold', arena, thread: 0, options: { times } }]);
        const drain = new Drain(arena);
        const variants = Object.fromEntries(SIZES.map((queue) => [queue.size, () => costOf(drain, queue)]));
        crew.go();
        await interleave(1, variants); // to warm up
        const costs = await interleave(rounds, variants);
        await crew.ended;
        checkCounters(arena);
        return costs;
    });
}

/** @type {import('./scenarios.js').Scenario} */
export const queue = {
    name: 'queue',
    title: 'many pending requests of one thread, from asking to the last answer',
    async run({ rounds }) {
        const costs = await measure(rounds);
        const medians = SIZES.map(({ size }) => median(costs[size] ?? []));
        const smallest = medians[0] ?? NaN;
        return SIZES.map(({ size }, index) => ({
            what: `${size.toLocaleString('en')} requests: each`,
            unit: 'µs',
            value: medians[index] ?? NaN,
            beside: { name: 'of 100', value: smallest },
            ratio: (medians[index] ?? NaN) / smallest,
        }));
    },
};
