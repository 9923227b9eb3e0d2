/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { LockSpace, Mutex } from '../../../js-glue/index.js';
import { attach } from '../../../js-glue/memory/attachment.js';

/* Runs the program of threads.c (its path is the first argument) in the memory of a space, where it lies
 * above the space's own words. Prints as JSON the identities of both sides, and the results after a death. */

const PAGES = 256; // Emscripten's default, 16 MiB
/** The same number as in threads.c. */
const RETURNS = 0;
const ONLY_LOCKS = 6;
const LIVES = 3;

const space = new LockSpace({ pages: PAGES, threads: 8 });
const createProgram = createRequire(import.meta.url)(/** @type {string} */ (process.argv[2]));
const program = await createProgram({ wasmMemory: space.memory });
const mutex = Mutex.at(space.memory, program._program_mutex());

/** @param {number} way */
async function live(way) {
    program._program_start(way);
    while (program._program_result() < 0) {
        await sleep(1);
    }
    return program._program_identity();
}

const selves = [attach(space.memory).self];
for (let life = 0; life < LIVES; life += 1) {
    selves.push(await live(ONLY_LOCKS));
}
await live(RETURNS);
const told = await mutex
    .execAsync(() => {})
    .then(
        () => 'none',
        ({ code }) => code,
    );
console.log(JSON.stringify({ selves, told }));
process.exit(0);
