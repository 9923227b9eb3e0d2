/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* 50 players, never more than 5 on the ice. 40 of them share ten workers, whose threads block at the door; 10 live on
 * this thread, which may be a page's and never blocks. */
import { CountingSemaphore } from 'holdfast';
import { check, print } from '../report.js';
import { inWorker } from '../threads.js';

const PLACES = 5;
const WORKERS = 10;
const PLAYERS_PER_WORKER = 4;
const PLAYERS_HERE = 10;
const SHIFTS = 10;
const SHIFT_MS = 1;

const places = new CountingSemaphore({ max: PLACES });
const onIce = new Int32Array(new SharedArrayBuffer(4));

/** @returns {Promise<number>} the most players that this one has seen on the ice */
async function play() {
    let most = 0;
    for (let shift = 0; shift < SHIFTS; shift += 1) {
        await places.execAsync(async () => {
            most = Math.max(most, Atomics.add(onIce, 0, 1) + 1);
            await new Promise((resolve) => setTimeout(resolve, SHIFT_MS));
            Atomics.sub(onIce, 0, 1);
        });
    }
    return most;
}

const elsewhere = Array.from({ length: WORKERS }, () =>
    inWorker(new URL('./worker.js', import.meta.url), {
        places: places.handle,
        onIce,
        shifts: PLAYERS_PER_WORKER * SHIFTS,
        shiftMs: SHIFT_MS,
    }),
);
const here = Array.from({ length: PLAYERS_HERE }, play);
const most = Math.max(...(await Promise.all([...elsewhere, ...here])));

check(most <= PLACES, `${PLACES} places, ${most} players on the ice`);
check(places.value === PLACES, `all places are free again, not ${places.value}`);
const players = WORKERS * PLAYERS_PER_WORKER + PLAYERS_HERE;
print(`${players} players, ${players * SHIFTS} shifts: at most ${most} on the ice`);
