/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @typedef {import('../../models/random.js').Random} Random */

export { randomOf } from '../../models/random.js';

/**
 * Returns a seed and prints it, so that a failure can be repeated: HOLDFAST_SEED sets the seed.
 *
 * @param {import('node:test').TestContext} t
 */
export function seedFor(t) {
    const given = process.env['HOLDFAST_SEED'];
    const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
    t.diagnostic(`seed ${seed} (HOLDFAST_SEED=${seed} runs it again)`);
    return seed;
}
