/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Draw } from './draw.js';

/* Adds a recursive mutex to programs whose threads may block. It has random numbers of its own, so a seed's
 * program is otherwise the same as before. It is last in the order of locks, so waits inside it are short. */

/**
 * @typedef {import('./program.js').Program} Program
 * @typedef {import('./program.js').Step} Step
 * @typedef {import('./objects.js').ObjectSpec} ObjectSpec
 */

const NAME = 'nested';
const CONDITION_NAME = 'nestedTold';
/** The genres to which a recursive mutex is added. */
const GENRES = ['mixed', 'queued'];
const SHARE = 0.4;
const MOST_DEPTH = 4;
const MOST_OBJECTS_BEFORE = 6;
/** A seed for separate draws. */
const OTHER_SEEDS = 0x5eed;

const LOCKS = ['Mutex', 'OneKey', 'RwLock', 'BinarySemaphore', 'CountingSemaphore'];
const WAITS_MS = [0.5, 2, 12, 1e6];

/** @param {Draw} draw @param {ObjectSpec[]} locks @param {number} depth @returns {Step} */
function nest(draw, locks, depth) {
    const steps = Array.from({ length: draw.random.below(4) }, () => {
        if (depth < MOST_DEPTH && draw.chance(0.6)) {
            return nest(draw, locks, depth + 1);
        }
        return locks.length > 0 && draw.chance(0.7)
            ? draw.block(draw.pick(locks))
            : { do: 'busy', work: draw.pick([0.1, 1]) };
    });
    return {
        do: 'nest',
        object: NAME,
        how: draw.pick(['lock', 'lock', 'try', 'tryFor', 'exec']),
        timeout: draw.pick([0.5, 2, 12, 1e6]),
        ends: draw.pick(['returns', 'returns', 'throws']),
        ...(draw.chance(0.3) && { condition: CONDITION_NAME, wait: draw.pick(WAITS_MS) }),
        ...(draw.chance(0.1) && { unlocksAgain: true }),
        steps,
    };
}

/**
 * @param {Program} program
 * @param {string} genre
 * @param {number} seed
 * @param {import('./switches.js').On} on
 * @returns {Program}
 */
export function withNests(program, genre, seed, on) {
    const draw = new Draw((seed ^ OTHER_SEEDS) >>> 0, on);
    if (!GENRES.includes(genre) || program.objects.length > MOST_OBJECTS_BEFORE || !draw.chance(SHARE)) {
        return program;
    }
    const locks = program.objects.filter(({ kind }) => LOCKS.includes(kind));
    const threads = program.threads.map((thread, index) => {
        if (program.firstIsHost && index === 0) {
            return thread;
        }
        const steps = [...thread.steps];
        for (let count = 1 + draw.random.below(3); count > 0; count -= 1) {
            steps.splice(draw.random.below(steps.length + 1), 0, nest(draw, locks, 1));
        }
        return { ...thread, steps };
    });
    const space = draw.random.below(2);
    const objects = [
        ...program.objects,
        { name: NAME, kind: 'RecursiveMutex', space },
        { name: CONDITION_NAME, kind: 'Condition', space, mutex: NAME },
    ];
    return { ...program, objects, threads };
}
