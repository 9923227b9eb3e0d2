/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { controlOf, lockWordsOf, pairOf } from './arena.js';
import { sectionsOf } from './counters.js';

/* The report of a watchdog on a run that hangs. */

/** @param {Int32Array} words */
function hexadecimal(words) {
    return Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, '0')).join(' ');
}

/**
 * @param {import('./arena.js').Arena} arena
 * @returns {string[]} lines
 */
export function describeArena(arena) {
    const tallies = Array.from({ length: arena.threads }, (_, thread) => sectionsOf(arena, thread));
    return [
        `  lock      ${hexadecimal(lockWordsOf(arena))}`,
        `  control   ${hexadecimal(controlOf(arena))}`,
        `  counters  ${pairOf(arena).join(' ')}`,
        `  sections  ${tallies.join(' ')}`,
    ];
}
