/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AbandonedError } from '../../js-glue/index.js';
import { randomOf } from './seed.js';

/* The stress of keys, as each thread runs it. Each key guards two words, which are equal outside of its
 * sections. */

/**
 * The words of the board: the number of threads that have begun, whether to stop, and the number of sections
 * that found another section in their key.
 */
export const BEGUN = 0;
export const STOP = 1;
export const WRONG = 2;

export const KEYS = 24;

/**
 * @param {{ keyed: import('../../js-glue/keyed.js').KeyedMutex, board: Int32Array, words: Int32Array, seed: number,
 *     waits: 'blocking' | 'async' | 'tries' }} options
 * @returns {Promise<number>} how many sections it ran
 */
export async function hammerKeys({ keyed, board, words, seed, waits }) {
    const random = randomOf(seed);
    let sections = 0;
    /** @param {number} at */
    const section = (at) => {
        const [one = 0, other = 0] = [words[2 * at], words[2 * at + 1]];
        if (one !== other) {
            Atomics.add(board, WRONG, 1);
        }
        words[2 * at] = one + 1;
        for (let spin = random.below(200); spin > 0; spin -= 1) {
            Atomics.load(board, STOP);
        }
        words[2 * at + 1] = one + 1;
        sections += 1;
    };
    /** @param {number} at @param {string} key */
    const lock = async (at, key) => {
        if (waits === 'async') {
            const timeout = random.chance(0.2) ? random.below(3) : Infinity;
            await keyed.execAsync(key, () => section(at), { timeout });
        } else if (waits === 'blocking') {
            keyed.exec(key, () => section(at));
        } else if (keyed.tryLock(key, random.below(3))) {
            try {
                section(at);
            } finally {
                keyed.unlock(key);
            }
        }
    };
    while (Atomics.load(board, STOP) === 0) {
        const at = random.chance(0.3) ? 0 : random.below(KEYS);
        const key = `key ${at}`;
        try {
            await lock(at, key);
            if (random.chance(0.5)) {
                const other = `once ${seed} ${random.below(1e6)}`;
                await (waits === 'async' ? keyed.execAsync(other, () => {}) : keyed.exec(other, () => {}));
            }
        } catch (error) {
            if (error instanceof AbandonedError) {
                await keyed.recoverAsync(key, () => {
                    words[2 * at + 1] = words[2 * at] ?? 0;
                });
            } else if (/** @type {any} */ (error).code !== 'HF_TIMEOUT') {
                throw error;
            }
        }
    }
    return sections;
}
