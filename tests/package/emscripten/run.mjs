/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { createRequire } from 'node:module';

import { Mutex } from '../../../js-glue/index.js';
import { RESULT_OK } from '../../../js-glue/memory/layout.js';

/* Runs the program of program.c (its path is the first argument), takes part in its lock from this thread's
 * event loop, and prints the results as JSON. */

const REQUESTS = 200;
const INITIAL_PAGES = 256; // Emscripten's default, 16 MiB

const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: INITIAL_PAGES, shared: true });
const createProgram = createRequire(import.meta.url)(/** @type {string} */ (process.argv[2]));
const program = await createProgram({ wasmMemory: memory });

const words = new Int32Array(memory.buffer);
const address = program._program_mutex();
const counters = program._program_counters() / Int32Array.BYTES_PER_ELEMENT;
const mutex = Mutex.at(memory, address);

const watchdog = setTimeout(() => {
    console.error('no end in sight; the words are', [...words.slice(address / 4, address / 4 + 4)]);
    process.exit(1);
}, 30_000);

let torn = 0;
let sectionsHere = 0;
function count() {
    sectionsHere += 1;
    words[counters] = (words[counters] ?? 0) + 1;
    torn += words[counters] === (words[counters + 1] ?? 0) + 1 ? 0 : 1;
    words[counters + 1] = (words[counters + 1] ?? 0) + 1;
}

/** Each side's results while the other side of this very thread holds the lock. */
function twoOwners() {
    const lockedInC = program._program_trylock() === RESULT_OK;
    const whileC = [mutex.tryLock(), codeOf(() => mutex.unlock())];
    const unlockedInC = program._program_unlock() === RESULT_OK;
    const lockedHere = mutex.tryLock();
    const whileHere = [program._program_trylock(), program._program_unlock()];
    mutex.unlock();
    return { lockedInC, whileC, unlockedInC, lockedHere, whileHere };
}

/** @param {() => void} callback */
function codeOf(callback) {
    try {
        callback();
        return undefined;
    } catch (error) {
        return /** @type {{ code?: string }} */ (error).code;
    }
}

const owners = twoOwners();
program._program_start();
while (program._program_sections() === 0) {
    await new Promise((resolve) => setTimeout(resolve, 1));
}
let refused = 0;
for (let request = 0; request < REQUESTS; request += 1) {
    await mutex.execAsync(() => {
        count();
        refused += mutex.tryLock() ? 0 : 1;
    });
    if (mutex.tryLock(5)) {
        count();
        mutex.unlock();
    }
    // A pause lets the other threads in; otherwise this loop would mostly find the lock free.
    await new Promise((resolve) => setImmediate(resolve));
}
program._program_stop();

// The threads leave their loops within a section of each other; only then do counters and words stand still.
let before = -1;
while (before !== words[counters] || Atomics.load(words, address / 4) !== 0) {
    before = words[counters] ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 20));
}
clearTimeout(watchdog);
console.log(
    JSON.stringify({
        failures: program._program_failures(),
        sections: program._program_sections(),
        torn,
        sectionsHere,
        refused,
        requests: REQUESTS,
        owners,
        counters: [words[counters], words[counters + 1]],
        words: [...words.slice(address / 4, address / 4 + 4)],
    }),
);
process.exit(0);
