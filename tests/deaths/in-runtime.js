/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { startLimitedThread, startNodeThread } from '../stress/node-threads.js';
import { endsItself, measureDeaths, nested, terminated } from './deaths.js';
import { STATES } from './mortal.js';
import { probe } from './probes.js';

/* The program that runs in Node, Bun and Deno. It takes its task as JSON, and prints the outcome in its last
 * line. */

const SMALL_HEAP_MB = 16;

const { names, deaths, probes, seed } = JSON.parse(process.argv[2] ?? '{}');
const tell = (/** @type {string} */ line) => console.error(line);

/** @type {import('../stress/member.js').StartThread} */
const startSmall = (...listeners) =>
    startLimitedThread({ maxOldGenerationSizeMb: SMALL_HEAP_MB }, ...listeners);

const ways = [
    ...STATES.map((state) => terminated(startNodeThread, state)),
    ...STATES.map((state) => nested(startNodeThread, state)),
    endsItself(startNodeThread, 'uncaught error', 'throws'),
    endsItself(startNodeThread, 'process.exit()', 'exits'),
    endsItself(startNodeThread, 'end of its program', 'ends'),
    endsItself(startSmall, 'out of memory', 'exhausts'),
].filter(({ name }) => names.includes(name));

const result = {
    deaths: await measureDeaths({ ways, deaths, startThread: startNodeThread, seed, tell }),
    probes: await probe({ probes, startThread: startNodeThread, seed, tell }),
};
console.log(JSON.stringify(result));
process.exit(0);
