/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawnSync } from 'node:child_process';
import { linesOf } from '../../browsers/example-output.js';
import { launchBrowser } from '../../browsers/launch.js';
import { startServer } from '../../docs/examples/serve.js';
import { build, FOLDER, MUTEXES } from '../../docs/examples/sqlite/build.mjs';
import { inBrowsers, TITLES } from '../browser/driver.js';
import { WITHOUT_FETCH } from '../c-programs.js';
import { atLeast, compare, valueAtMost } from '../figures.js';
import { waitSeries } from '../frames/loop-waits.js';
import { quantile } from '../rounds.js';

/* The program of docs/examples/sqlite, in Node and as a page. A query of the main thread holds the connection as long as a
 * thread's scan: the more queries are answered, the less is left for the threads. */

/** @typedef {{ mutexes: string, calls: number[], statementsPerSecond: number, queries: number }} Run */

const STOCK = "SQLite's own mutexes";

/** A frame at 60 Hz. */
const MOST_MS = 16;

/** Runs are longer than those of other scenarios, which are too short for a rare long call. */
const TIMES_LONGER = 4;
const LEAST_SECONDS = 1;

/** Extra time, after which a run counts as hung. */
const GRACE_MS = 60_000;

/** @param {number} seconds @returns {Run[]} */
function runInNode(seconds) {
    return MUTEXES.map((mutexes) => {
        const words = [...WITHOUT_FETCH, `${FOLDER}/${mutexes}.js`, `${seconds}`, 'calls'];
        const timeout = seconds * 1000 + GRACE_MS;
        const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout });
        if (status !== 0) {
            throw new Error(`build/sqlite/${mutexes}.js: ${status}\n${stdout}\n${stderr}`);
        }
        return JSON.parse(stdout);
    });
}

/**
 * @param {string} where @param {number} rounds @param {number} seconds of each
 * @param {() => Run[] | Promise<Run[]>} run runs the program with both kinds of mutexes
 * @returns {Promise<import('../figures.js').Results>}
 */
async function measure(where, rounds, seconds, run) {
    /** @type {Run[]} */
    const runs = [];
    for (let round = 0; round < rounds; round += 1) {
        runs.push(...(await run()));
    }
    const both = MUTEXES.map((mutexes, index) => ({
        title: index === 0 ? 'holdfast' : STOCK,
        runs: runs.filter((one) => one.mutexes === mutexes),
    }));
    /** @param {string} what @param {string} unit @param {(run: Run) => number} of @param {import('../figures.js').Bound} [bound] */
    const figure = (what, unit, of, bound) => compare(`${where}: ${what}`, unit, of, both, bound);
    const longest = 'longest call of the main thread in a round';
    return {
        figures: [
            figure(longest, 'ms', ({ calls }) => Math.max(...calls), valueAtMost(MOST_MS)),
            figure('call of the main thread, 99th percentile', 'ms', ({ calls }) => quantile(calls, 0.99)),
            figure('statements of all threads', '/s', (one) => one.statementsPerSecond, atLeast(1)),
            figure('queries of the main thread', '/s', ({ queries }) => queries / seconds),
        ].flat(),
        series: waitSeries(
            where,
            both.map((one) => ({ ...one, runs: one.runs.map(({ calls: waits }) => ({ waits })) })),
        ),
    };
}

/** @param {import('../browser/driver.js').MeasuredBrowser} name @param {number} rounds @param {number} seconds */
async function measureInBrowser(name, rounds, seconds) {
    const timeout = MUTEXES.length * seconds * 1000 + GRACE_MS;
    const server = await startServer();
    try {
        const browser = await launchBrowser(name, { protocolTimeout: timeout });
        try {
            const page = await browser.newPage();
            const address = `${server.page}sqlite/?${seconds}&calls`;
            return await measure(TITLES[name], rounds, seconds, async () =>
                (await linesOf(page, address, timeout)).map((line) => JSON.parse(line)),
            );
        } finally {
            await browser.close();
        }
    } finally {
        await server.close();
    }
}

/** @type {import('../scenarios.js').Scenario} */
export const sqlite = {
    name: 'sqlite',
    inOtherProcesses: true,
    title: 'how long the main thread stands still in a query, while four threads write to the same SQLite connection',
    async run({ full, rounds, seconds: ofOthers }) {
        try {
            build();
        } catch (error) {
            process.stderr.write(`bench: sqlite: ${error}; continuing without it\n`);
            return { figures: [] };
        }
        const seconds = Math.max(LEAST_SECONDS, TIMES_LONGER * ofOthers);
        const { figures, series = [] } = await measure('Node.js', rounds, seconds, () => runInNode(seconds));
        const others = await inBrowsers(full, (name) => measureInBrowser(name, rounds, seconds));
        return { figures: [...figures, ...others.figures], series: [...series, ...others.series] };
    },
};
