/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { test } from 'node:test';
import { GAMES } from './games/games.js';
import { playIn, THREADS } from './games/tour.js';
import { buildEndlessModule } from './stress/endless-module.js';
import { startNodeThread } from './stress/node-threads.js';
import { seedFor } from './support/seed.js';

/* The matrix of the family: games x threads. In each match workers block and await, the main event loop awaits too,
 * and waits end at random. `npm run stress -- --games 100000` plays longer ones. */

const OPERATIONS = 2000;

const endless = new WebAssembly.Module(/** @type {Uint8Array<ArrayBuffer>} */ (buildEndlessModule()));
const place = { endless, startThread: startNodeThread };

for (const name of GAMES.keys()) {
    for (const count of THREADS) {
        test(`games: ${name}, ${count} workers and the main event loop`, async (t) => {
            await playIn(place, { name, count, operations: OPERATIONS, seed: seedFor(t) });
        });
    }
}
