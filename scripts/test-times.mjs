/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/* Loaded into each test file's process by `npm test -- --times`: notes what that and its children have taken. */

const TICKS_A_SECOND = 100; // of Linux
/** Of /proc/self/stat, behind the name in parentheses: utime, stime, and those of children that have ended. */
const [FIRST_TIME, TIMES] = [11, 4];

const timesFile = process.env.HOLDFAST_TEST_TIMES;

if (timesFile !== undefined && isMainThread && process.argv[1]?.endsWith('.test.js')) {
    const file = relative(process.cwd(), process.argv[1]);
    process.on('exit', () => {
        const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
        const ticks = fields
            .slice(FIRST_TIME, FIRST_TIME + TIMES)
            .reduce((sum, each) => sum + Number(each), 0);
        const times = { file, cpuSeconds: ticks / TICKS_A_SECOND, wallSeconds: process.uptime() };
        appendFileSync(timesFile, `${JSON.stringify(times)}\n`);
    });
}
