/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { createRequire } from 'node:module';
import {
    Barrier,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
} from '../../../js-glue/index.js';

/* Takes turns with the thread of C in kinds.c (the path of its program is the first argument), by each primitive, and
 * prints the results as JSON. */

const ROUNDS = 40;
const INITIAL_PAGES = 256; // Emscripten's default, 16 MiB

const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: INITIAL_PAGES, shared: true });
const createProgram = createRequire(import.meta.url)(/** @type {string} */ (process.argv[2]));
const program = await createProgram({ wasmMemory: memory });

let place = 0;
/** @template {new (...args: any) => any} Class @param {Class} Class @returns {InstanceType<Class>} */
const next = (Class) => /** @type {any} */ (Class).at(memory, program._place(place++));

program._start(ROUNDS);
const begin = next(Event);
const stays = next(Event);
const answered = next(CountingSemaphore);
const mutex = next(Mutex);
const changed = next(Condition);
const rwlock = next(RwLock);
const sum = next(RecursiveMutex);
const meeting = next(Barrier);
const end = next(Latch);
const once = next(Once);
const told = new Int32Array(memory.buffer, program._place(place));
const [ROUND, TURN_OF_C, TURN_OF_JS, LEFT, RIGHT, SUM, DONE, FAILURES] = [0, 1, 2, 3, 4, 5, 6, 7];

/** @param {number} at @param {number} [by] */
const add = (at, by = 1) => (told[at] = (told[at] ?? 0) + by);

const watchdog = setTimeout(() => {
    console.error('no end in sight; what was told is', [...told.slice(0, FAILURES + 1)]);
    process.exit(1);
}, 30_000);

await stays.waitAsync();
let ranHere = 0;
const isDone = once.runAsync(() => (ranHere += 1)); // while C does it
begin.set();
await isDone;

/* A section lasts until C asks for its own, so a section of C that did not wait would be detected. */
const A_WHILE_MS = 1;
const cell = new Int32Array(new SharedArrayBuffer(4));
const stand = () => Atomics.wait(cell, 0, 0, A_WHILE_MS);

let torn = 0;
for (let round = 1; round <= ROUNDS; round += 1) {
    told[ROUND] = round;
    begin.set();
    sum.exec(() =>
        sum.exec(() => {
            const before = told[SUM] ?? 0;
            stand();
            told[SUM] = before + 1;
        }),
    );
    await rwlock.execAsync(
        () => {
            const left = told[LEFT];
            stand();
            torn += left === told[RIGHT] ? 0 : 1;
        },
        { mode: 'shared' },
    );
    await answered.enterAsync({ permits: 2 });
    await mutex.execAsync(() => (told[TURN_OF_C] = round));
    changed.notify();
    await mutex.execAsync(() =>
        changed.waitAsync(mutex, { predicate: () => (told[TURN_OF_JS] ?? 0) >= round }),
    );
    await rwlock.execAsync(() => {
        add(LEFT);
        stand();
        add(RIGHT);
    });
    await meeting.arriveAndWaitAsync();
}
await end.waitAsync();
clearTimeout(watchdog);
console.log(
    JSON.stringify({
        ...{ torn, ranHere, done: told[DONE], failures: told[FAILURES] },
        ...{ pair: [told[LEFT], told[RIGHT]], sum: told[SUM], expected: 2 * ROUNDS },
    }),
);
process.exit(0);
