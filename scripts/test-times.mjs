/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/* Loaded into each test file's process by `npm test -- --times`: notes the time of the process, its children and its shared
 * browsers. */

const TICKS_A_SECOND = 100; // Linux's unit in /proc
/** Fields of /proc/<id>/stat, counted from behind the name in parentheses: the session, utime, stime, and the same two of
 * children that have ended. */
const [SESSION, FIRST_TIME, TIMES] = [3, 11, 4];

/** @param {string} id of a process */
function statOf(id) {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').pop()?.split(' ').map(Number) ?? [];
    const ticks = fields.slice(FIRST_TIME, FIRST_TIME + TIMES).reduce((sum, each) => sum + each, 0);
    return { session: fields[SESSION] ?? 0, seconds: ticks / TICKS_A_SECOND };
}

/** The sessions of the browsers that this process shares. */
const shared = Object.keys(process.env)
    .filter((name) => /^HOLDFAST_SHARED_.*_ID$/.test(name))
    .map((name) => Number(process.env[name]));

function secondsOfShared() {
    let sum = 0;
    for (const id of readdirSync('/proc').filter((name) => shared.length > 0 && /^\d+$/.test(name))) {
        try {
            const { session, seconds } = statOf(id);
            sum += shared.includes(session) ? seconds : 0;
        } catch {
            // The process has ended.
        }
    }
    return sum;
}

const timesFile = process.env.HOLDFAST_TEST_TIMES;

if (
    timesFile !== undefined &&
    isMainThread &&
    /\.test\.js$|test-together\.mjs$/.test(process.argv[1] ?? '')
) {
    const parts = process.argv.slice(2).filter((word) => word.endsWith('.test.js'));
    const names = parts.join(', ') || relative(process.cwd(), process.argv[1] ?? '');
    const { HOLDFAST_BROWSERS: browser } = process.env;
    const file = browser === undefined ? names : `${names} in ${browser}`;
    const before = secondsOfShared();
    process.on('exit', () => {
        const cpuSeconds = statOf('self').seconds + secondsOfShared() - before;
        appendFileSync(timesFile, `${JSON.stringify({ file, cpuSeconds, wallSeconds: process.uptime() })}\n`);
    });
}
