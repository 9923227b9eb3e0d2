/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { interleave } from '../rounds.js';

/** Until the engine has compiled the loops, and the module's functions for the second time. */
export const WARM_UP_TURNS = 15;

/**
 * Lets loops take turns, after some that do not count.
 *
 * @template {string} Name
 * @param {number} turns
 * @param {Record<Name, () => number | Promise<number>>} loops
 */
export async function takeTurns(turns, loops) {
    await interleave(WARM_UP_TURNS, loops);
    return interleave(turns, loops);
}
