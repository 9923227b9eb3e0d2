/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { LockSpace, Mutex } from '../../../js-glue/index.js';
import { attach } from '../../../js-glue/memory/attachment.js';
import { startTicks } from '../../support/ticks.js';

/* Runs the program of threads.c (its path is the first argument), whose threads die, and prints as JSON the
 * results of the others. */

/** The same number as in threads.c. */
const WAYS = {
    returns: 0,
    exits: 1,
    'is cancelled': 2,
    'releases in a destructor': 3,
    waits: 4,
    'is told and ends': 5,
    'only locks': 6,
};
const NOTHING_YET = -1;
const INITIAL_PAGES = 256; // Emscripten's default, 16 MiB
/** More than there are slots. */
const LIVES = 80;
const LATER_MS = 100;

const watchdog = setTimeout(() => {
    console.error('no end in sight; the words are', [...words.slice(byteOffset / 4, byteOffset / 4 + 4)]);
    process.exit(1);
}, 60_000);

const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: INITIAL_PAGES, shared: true });
const createProgram = createRequire(import.meta.url)(/** @type {string} */ (process.argv[2]));
const program = await createProgram({ wasmMemory: memory });
const words = new Int32Array(memory.buffer);
const space = LockSpace.attach(memory, { threads: program._hf_threads() });
const byteOffset = program._program_mutex();
const mutex = Mutex.at(memory, byteOffset);

/** @param {keyof typeof WAYS} way */
function start(way) {
    if (program._program_start(WAYS[way]) !== 0) {
        throw new Error(`no thread that ${way}`);
    }
}

async function result() {
    while (program._program_result() === NOTHING_YET) {
        await sleep(1);
    }
    return program._program_result();
}

/** This thread's error from the mutex, and whether it could recover the mutex. */
async function told() {
    const ticks = startTicks();
    try {
        await mutex.execAsync(() => {});
        return { code: 'none' };
    } catch (error) {
        const { code, since } = /** @type {import('../../../js-glue/errors.js').AbandonedError} */ (error);
        const waited = ticks();
        const age = Date.now() - (since ?? 0);
        return { code, waited, age, recovered: await mutex.recoverAsync(() => {}) };
    }
}

/** @param {'returns' | 'exits' | 'is cancelled'} way */
async function die(way) {
    start(way);
    await result();
    if (way === 'is cancelled' && program._program_cancel() !== 0) {
        throw new Error('it cannot be cancelled');
    }
}

async function tellOfDeaths() {
    /** @type {Record<string, object>} */
    const deaths = {};
    for (const way of /** @type {const} */ (['returns', 'exits', 'is cancelled'])) {
        await die(way);
        deaths[way] = await told();
    }
    return deaths;
}

/** The thread that gets HF_ABANDONED ends without a recovery. */
async function tellOfTwoDeaths() {
    await die('exits');
    start('is told and ends');
    const second = await result();
    return { second, third: await told() };
}

/** Only a C thread waits while the holder dies. @param {() => Promise<() => unknown>} hold */
async function tellOne(hold) {
    const kill = await hold();
    start('waits');
    await sleep(LATER_MS);
    const before = program._program_result();
    const ticks = startTicks();
    await kill();
    return { before, after: await result(), waited: ticks(), held: mutex.tryLock() };
}

async function holdInC() {
    start('is cancelled');
    await result();
    return program._program_cancel;
}

async function holdInWorker() {
    const worker = new Worker(new URL('holder.mjs', import.meta.url), {
        workerData: { space: space.handle, byteOffset },
    });
    await once(worker, 'message');
    return () => worker.terminate();
}

async function identities() {
    const all = [];
    for (let life = 0; life < LIVES; life += 1) {
        start('only locks');
        await result();
        all.push(program._program_identity());
        await sleep(0);
    }
    return all;
}

async function identityInAFullTable() {
    const { exports, table } = attach(memory);
    for (let self = exports.agents_join(table, 0); self !== 0; self = exports.agents_join(table, 0)) {
        const slot = exports.agents_slot(table, self);
        exports.agent_arms(slot, self);
        exports.agent_credit(slot, self, 0);
    }
    start('only locks');
    return { result: await result(), identity: program._program_identity() };
}

const deaths = await tellOfDeaths();
const twice = await tellOfTwoDeaths();
program._program_make_key();
start('releases in a destructor');
const released = { result: await result(), words: [...words.slice(byteOffset / 4, byteOffset / 4 + 4)] };
const byC = await tellOne(holdInC);
mutex.unlock();
const byWorker = await tellOne(holdInWorker);
mutex.unlock();
const selves = await identities();
const full = await identityInAFullTable();
clearTimeout(watchdog);
console.log(JSON.stringify({ deaths, twice, released, byC, byWorker, selves, full }));
process.exit(0);
