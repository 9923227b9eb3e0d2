/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GAMES } from '../games/games.js';
import { CONTESTS } from '../games/contests.js';
import { askAmongHammers } from '../games/hammer.js';
import { lendThreads } from '../games/lent-threads.js';
import { playIn, THREADS } from '../games/tour.js';
import { buildEndlessModule } from '../stress/endless-module.js';
import { startNodeThread } from '../stress/node-threads.js';
import { jobEnds } from '../support/event-loop.js';
import { seedFor } from '../support/seed.js';
import { isQuick } from '../support/tier.js';

/* The matrix of the other classes: games x threads. A game detects each broken promise of its class. Workers
 * block and await, the main event loop awaits too, and waits end at random. `npm run stress -- --games
 * 100000` plays longer ones. */

const OPERATIONS = isQuick ? 500 : 2000;
const ASKS = isQuick ? 40 : 300;
const COUNTS = isQuick ? [3] : THREADS;

const endless = new WebAssembly.Module(/** @type {Uint8Array<ArrayBuffer>} */ (buildEndlessModule()));
/* Two kinds of threads, since those that play have waits without a limit. */
const [players, hammers] = [lendThreads(startNodeThread), lendThreads(startNodeThread)];
const place = { endless, startThread: players.startThread };
after(() => Promise.all([players.end(), hammers.end()]));

for (const name of GAMES.keys()) {
    for (const count of COUNTS) {
        test(`games: ${name}: ${count} workers and the main event loop find no broken promise`, async (t) => {
            await playIn(place, { name, count, operations: OPERATIONS, seed: seedFor(t) });
        });
    }
}

/** Sections of 50 us by others during one wait: 250 ms of them. */
const TOO_OFTEN_OVERTAKEN = 5000;

/** This many waits may be longer: a busy machine delays a thread now and then. */
const BUSY = 3;

for (const name of Object.keys(CONTESTS)) {
    test(`games: the event loop acquires a lock that two workers hammer: ${name}`, async (t) => {
        const options = { name, startThread: hammers.startThread, asks: ASKS, pause: jobEnds };
        const { torn, overtaken, answered, sections } = await askAmongHammers(options);
        t.diagnostic(`${answered} answers, overtaken by ${overtaken[0]} of ${sections} sections at most`);
        assert.equal(torn, 0);
        assert.ok(Number(overtaken[BUSY]) < TOO_OFTEN_OVERTAKEN);
    });
}
