/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Condition, Mutex } from '../../../js-glue/index.js';
import { KINDS_OF_WAIT } from '../kinds-of-wait.js';
import { randomOf } from '../seed.js';
import { startTicks } from '../ticks.js';

/* Waits with a time limit for objects whose words are garbage: each wait has to settle, and other jobs of this thread have to get
 * turns meanwhile. Prints the number of waits, or the first one that failed. */

const LIMIT_MS = 4;
/** Longer than a wait takes. A loop that gives no turns makes no ticks: the limit of this process ends it. */
const MOST_TICKS = 60;
const ROUNDS = 24;
const FILLS = [0xffff_ffff, 0x8000_0000, 0x7fff_ffff, 1];

/** @param {import('../../../js-glue/memory/placed.js').Placed} object */
function wordsIn({ memory, byteOffset, constructor }) {
    const { BYTES } = /** @type {typeof import('../../../js-glue/memory/placed.js').Placed} */ (constructor);
    return new Uint32Array(memory.buffer, byteOffset, BYTES / Uint32Array.BYTES_PER_ELEMENT);
}

/**
 * @param {Uint32Array} words
 * @param {number} round
 * @param {import('../seed.js').Random} random
 */
function spoil(words, round, random) {
    const fill = FILLS[round % FILLS.length] ?? 0;
    const only = round < FILLS.length ? -1 : random.below(words.length);
    words.forEach((_, index) => {
        const isHit = only < 0 || index === only || round % 3 === 0;
        if (isHit) {
            words[index] = round % 2 === 0 ? fill : random.below(2 ** 32);
        }
    });
}

/** @typedef {import('../kinds-of-wait.js').Wait} Wait */

const nothing = () => {};

/** @returns {Partial<Wait> & Pick<Wait, 'objects' | 'ask'>} */
function forLock() {
    const mutex = new Mutex();
    mutex.lock();
    return {
        objects: [mutex],
        ask: (options) => mutex.execAsync(nothing, options),
        block: (limit) => mutex.tryLock(limit),
    };
}

/** @returns {Partial<Wait> & Pick<Wait, 'objects' | 'ask'>} */
function forPredicate() {
    const mutex = new Mutex();
    const condition = new Condition();
    const predicate = () => false;
    return {
        objects: [mutex, condition],
        ask: (options) => mutex.execAsync(() => condition.waitAsync(mutex, { ...options, predicate })),
        block: (limit) => mutex.exec(() => condition.waitFor(mutex, { ...limit, predicate })),
    };
}

/** @type {{ name: string, make: (requests: number) => Partial<Wait> & Pick<Wait, 'objects' | 'ask'> }[]} */
const KINDS = [
    { name: 'mutex, blocking', make: forLock },
    { name: 'predicate', make: forPredicate },
    ...KINDS_OF_WAIT,
];

const ticks = startTicks();
const seed = Number(process.env['HOLDFAST_SEED'] ?? 1);
const random = randomOf(seed);
let waits = 0;
for (const { name, make } of KINDS) {
    process.stdout.write(`${name} `);
    for (let round = 0; round < ROUNDS; round += 1) {
        for (const when of ['before', 'during']) {
            const { objects, ask, block } = make(1);
            // Leaves out the mutex of a condition, since a wait for it has no limit.
            const waitedFor = /** @type {import('../../../js-glue/memory/placed.js').Placed} */ (
                objects.at(-1)
            );
            const spoilIt = () => spoil(wordsIn(waitedFor), round, random);
            if (when === 'before') {
                spoilIt();
            }
            const request = ask({ timeout: LIMIT_MS }).catch(() => {});
            const second = ask({ timeout: LIMIT_MS }).catch(() => {});
            if (when === 'during') {
                await new Promise((resolve) => setImmediate(resolve));
                spoilIt();
            }
            let isSettled = false;
            void Promise.all([request, second]).then(() => (isSettled = true));
            for (const begin = ticks(); !isSettled; await new Promise((resolve) => setTimeout(resolve, 1))) {
                if (ticks() - begin > MOST_TICKS) {
                    process.stdout.write(`${name}, round ${round}, ${when}: not settled`);
                    process.exit(1);
                }
            }
            waits += 2;
            try {
                block?.({ timeout: LIMIT_MS });
            } catch {
                // An error about the words is allowed.
            }
        }
    }
}
process.stdout.write(`${waits} settled`);
process.exit(0);
