/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { LockSpace, Mutex } from '../../../js-glue/index.js';
import { attach } from '../../../js-glue/memory/attachment.js';
import { inOneFile } from '../../support/one-file.js';
import { drawAlways } from '../../support/program-memory.js';

/* Runs the program of program.c (its path is the first argument), and holds its lock while many workers try
 * to unlock it, all of which draw the same number as this thread. Prints the results as JSON: first without
 * an attach, then with all threads attached by the address that the program gives. */

/** One thread for each slot of the table, besides this thread. */
const WORKERS = 15;
const DRAWN = 7;
const INITIAL_PAGES = 256; // Emscripten's default, 16 MiB
const WORKER = inOneFile(new URL('../../support/threads/program-user.js', import.meta.url));

const watchdog = setTimeout(() => {
    console.error('no end in sight');
    process.exit(1);
}, 90_000);

async function startProgram() {
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: INITIAL_PAGES, shared: true });
    const createProgram = createRequire(import.meta.url)(/** @type {string} */ (process.argv[2]));
    return { memory, program: await createProgram({ wasmMemory: memory }) };
}

/** @param {object} workerData */
async function tellOf(workerData) {
    const worker = new Worker(WORKER, { workerData });
    const [told] = await once(worker, 'message');
    return { worker, told };
}

/** @param {boolean} counted whether all threads attach with the address that the program gives */
async function holdAmongWorkers(counted) {
    const { memory, program } = await startProgram();
    const threads = counted ? program._hf_threads() : undefined;
    LockSpace.attach(memory, { threads });
    const byteOffset = program._program_mutex();
    Mutex.at(memory, byteOffset).lock();
    const data = { memory, byteOffset, threads, drawn: DRAWN, calls: 'unlock' };
    const workers = await Promise.all(Array.from({ length: counted ? WORKERS : 2 }, () => tellOf(data)));
    await Promise.all(workers.map(({ worker }) => worker.terminate()));
    return {
        again: program._hf_threads() === threads,
        selves: [attach(memory).self, ...workers.map(({ told }) => told.self)],
        came: workers.map(({ told }) => told.came),
        isHeld: Mutex.at(memory, byteOffset).tryLock() === false,
    };
}

drawAlways(DRAWN);
const drawn = await holdAmongWorkers(false);
const counted = await holdAmongWorkers(true);
clearTimeout(watchdog);
console.log(JSON.stringify({ drawn, counted }));
process.exit(0);
