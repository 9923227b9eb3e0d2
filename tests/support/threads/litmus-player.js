/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { waitWithoutLimit } from '../endless.js';
import { LINE, LITMUS } from '../litmus.js';
import { randomOf } from '../seed.js';

/* One of the two threads of a litmus test. Posts the verdict of the round that failed, or ''. */

const { number, words } = workerData;
const LOOKS_BEFORE_YIELD = 2000;
const YIELD_MS = 0.05;
const LONGEST_PAUSE = 60;

/** Larger than the caches: a write to it has to wait for memory, and so do the writes after it. */
const COLD_ELEMENTS = 2 ** 23;
const STALLS = 4;

waitWithoutLimit();
const [steps, data, seen] = words;
const cold = new Int32Array(COLD_ELEMENTS).fill(1);
const own = number * LINE;
const other = LINE - own;
let step = 0;

/** Spins until both threads are here. */
function meet() {
    step += 1;
    Atomics.store(steps, own, step);
    for (let look = 1; Atomics.load(steps, other) < step; look += 1) {
        if (look % LOOKS_BEFORE_YIELD === 0) {
            Atomics.wait(steps, 2 * LINE, 0, YIELD_MS);
        }
    }
}

/** @param {import('../seed.js').Random} random */
function pauseALittle(random) {
    for (let left = random.below(LONGEST_PAUSE); left > 0; left -= 1) {
        Atomics.load(steps, own);
    }
}

/** @param {{ name: string, handle: any, awaits: boolean, rounds: number, seed: number }} told */
async function play({ name, handle, awaits, rounds, seed }) {
    const litmus = /** @type {import('../litmus.js').Litmus} */ (LITMUS[name]);
    const object = litmus.from(handle);
    const table = { data, seen, object };
    const part = (awaits && litmus.awaiting) || litmus.parts[number];
    const random = randomOf(seed + number);
    const stall = () => {
        for (let left = STALLS; left > 0; left -= 1) {
            cold[random.below(COLD_ELEMENTS)] = left;
        }
    };
    data[own] = 0;
    for (let round = 1; round <= rounds; round += 1) {
        if (number === 0) {
            litmus.prepare?.(object);
        }
        meet();
        pauseALittle(random);
        const ending = part?.(table, { own, other, round, random, stall });
        if (awaits) {
            await ending;
        }
        meet();
        const complaint = litmus.verdict(table, round);
        if (complaint) {
            return `round ${round}: ${complaint}`;
        }
        meet();
    }
    return '';
}

parentPort?.on('message', async (told) => parentPort?.postMessage(await play(told)));
