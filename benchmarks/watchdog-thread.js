/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { describeArena } from './arena.js';

/* A message names the run that begins; an empty message says that the run has ended. Nothing here needs the
 * main thread. */

/** In a worker, process.stderr has no descriptor: it goes through the main thread, which may hang. */
const STANDARD_ERROR = 2;

/** @param {{ what: string, arena: import('./arena.js').Arena, seconds: number }} run */
function endProcess({ what, arena, seconds }) {
    const report = [
        `bench: ${what} hangs: it has not ended after ${seconds.toFixed(1)} s`,
        ...describeArena(arena),
    ];
    writeSync(STANDARD_ERROR, `${report.join('\n')}\n`);
    process.kill(process.pid, 'SIGTERM');
}

/** @type {NodeJS.Timeout | undefined} */
let timer;

parentPort?.on('message', (run) => {
    clearTimeout(timer);
    if (run !== undefined) {
        timer = setTimeout(() => endProcess(run), run.seconds * 1000);
    }
});
