/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../js-glue/index.js';
import { Detector } from './detector.js';
import { isEndOfWait, limitOf, timeoutOf } from './limits.js';
import { randomOf } from './seed.js';

/* One thread's part in a cell of the matrix: takes locks in every way, drawn at random. */

/**
 * @typedef {object} Cell
 * @property {import('../../js-glue/index.js').HandleOf<import('../../js-glue/index.js').Mutex>[]} handles
 * @property {SharedArrayBuffer} pairs the detectors' counters
 * @property {Int32Array} board
 * @property {number} stop the stage that ends it
 * @property {number} section milliseconds
 * @property {number} seed
 * @property {boolean} blocks whether this thread uses the methods that block
 *
 * @typedef {{ sections: number[], torn: number, ended: number }} CellReport
 */

/** @param {Mutex} mutex @param {Detector} detector @param {number} section @param {import('./seed.js').Random} random */
export function blockOnce(mutex, detector, section, random) {
    switch (random.below(4)) {
        case 0:
            if (!mutex.tryLock(random.chance(0.3) ? 0 : timeoutOf(random))) {
                return;
            }
            break;
        case 1:
            mutex.exec(() => detector.section(section));
            return;
        case 2: {
            const guard = mutex.acquire();
            detector.section(section);
            guard.release();
            return;
        }
        default:
            mutex.lock();
    }
    detector.section(section);
    mutex.unlock();
}

/** @param {Mutex} mutex @param {Detector} detector @param {number} section @param {import('./seed.js').Random} random */
export async function awaitOnce(mutex, detector, section, random) {
    const limit = limitOf(random);
    switch (random.below(3)) {
        case 0:
            await mutex.execAsync(() => detector.section(section), limit);
            return;
        case 1:
            await mutex.execAsync(async () => {
                detector.begin(section);
                await undefined;
                detector.end();
            }, limit);
            return;
        default: {
            const guard = await mutex.acquireAsync(limit);
            detector.section(section);
            guard.release();
        }
    }
}

/**
 * @param {Cell} cell
 * @returns {Promise<CellReport>}
 */
export async function useInEveryWay({ handles, pairs, board, stop, section, seed, blocks }) {
    const random = randomOf(seed);
    const locks = handles.map((handle, index) => ({
        mutex: Mutex.from(handle),
        detector: new Detector(pairs, index),
    }));
    let ended = 0;
    for (let round = 1; Atomics.load(board, stop) === 0; round += 1) {
        const batch = Array.from({ length: blocks ? 1 : 1 + random.below(3) }, async () => {
            const { mutex, detector } = /** @type {(typeof locks)[0]} */ (locks[random.below(locks.length)]);
            try {
                if (blocks && random.chance(0.8)) {
                    blockOnce(mutex, detector, section, random);
                } else {
                    await awaitOnce(mutex, detector, section, random);
                }
            } catch (error) {
                if (!isEndOfWait(error)) {
                    throw error;
                }
                ended += 1;
            }
        });
        await Promise.all(batch);
        if (round % 64 === 0) {
            await new Promise((resolve) => setImmediate(resolve));
        }
    }
    return {
        sections: locks.map(({ detector }) => detector.sections),
        torn: locks.reduce((sum, { detector }) => sum + detector.torn, 0),
        ended,
    };
}
