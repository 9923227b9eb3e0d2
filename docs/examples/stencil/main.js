/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Heat spreads along a rod, round by round, in five strips: four by workers, which block at the barrier, one by this
 * thread, which may be a page's and never blocks. A round reads cells that all have written in the one before. */
import { Barrier } from 'holdfast';
import { check, print } from '../report.js';
import { inWorker } from '../threads.js';
import { spread } from './spread.js';

const THREADS = 5;
const CELLS_PER_THREAD = 2000;
const CELLS = THREADS * CELLS_PER_THREAD;
const ROUNDS = 300;

function makeRod() {
    const rod = new Float64Array(new SharedArrayBuffer(8 * CELLS));
    rod.set(Array.from(rod, (_, cell) => (cell * 7919) % 100));
    return rod;
}

/** @param {number} thread */
function stripOf(thread) {
    return { start: thread * CELLS_PER_THREAD, end: (thread + 1) * CELLS_PER_THREAD };
}

async function byManyThreads() {
    const barrier = new Barrier({ parties: THREADS });
    let [before, after] = [makeRod(), makeRod()];
    const workers = Array.from({ length: THREADS - 1 }, (_, index) =>
        inWorker(new URL('./worker.js', import.meta.url), {
            barrier: barrier.handle,
            before,
            after,
            strip: stripOf(index + 1),
            rounds: ROUNDS,
        }),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
        spread(before, after, stripOf(0));
        await barrier.arriveAndWaitAsync();
        [before, after] = [after, before];
    }
    await Promise.all(workers);
    return before;
}

function byOneThread() {
    let [before, after] = [makeRod(), makeRod()];
    for (let round = 0; round < ROUNDS; round += 1) {
        spread(before, after, { start: 0, end: CELLS });
        [before, after] = [after, before];
    }
    return before;
}

const expected = byOneThread();
const differences = (await byManyThreads()).filter((heat, cell) => heat !== expected[cell]).length;
check(differences === 0, `${THREADS} threads compute what one does; ${differences} cells differ`);
print(`${CELLS} cells, ${ROUNDS} rounds: ${THREADS} threads compute what one does, to the last bit`);
