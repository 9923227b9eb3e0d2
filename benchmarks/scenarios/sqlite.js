/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawnSync } from 'node:child_process';
import { linesOf } from '../../browsers/example-output.js';
import { launchBrowser, NoBrowserError } from '../../browsers/launch.js';
import { startServer } from '../../docs/examples/serve.js';
import { build, FOLDER, MUTEXES } from '../../docs/examples/sqlite/build.mjs';
import { MEASURED_BROWSERS } from '../../scripts/system-packages.mjs';
import { WITHOUT_FETCH } from '../c-programs.js';
import { atLeast, figureOf } from '../figures.js';
import { quantile } from '../rounds.js';
import { waitPoints } from '../wait-points.js';

/* The program of docs/examples/sqlite, in Node and as a page. A query of the main thread holds the connection as long as a
 * thread's scan: who answers more of them leaves the threads less. */

/** @typedef {{ mutexes: string, calls: number[], statementsPerSecond: number, queries: number, longestFrame?: number }} Run */

const STOCK = "SQLite's own mutexes";

/** A frame at 60 Hz. */
const MOST_MS = 16;

/** A run of the other scenarios is too short for a rare long call. */
const TIMES_LONGER = 4;
const LEAST_SECONDS = 1;

/** Beyond what a run takes anyway. */
const GRACE_MS = 60_000;

/** @param {number} seconds @returns {Run[]} */
function runInNode(seconds) {
    return MUTEXES.map((mutexes) => {
        const { status, stdout, stderr } = spawnSync(
            process.execPath,
            [...WITHOUT_FETCH, `${FOLDER}/${mutexes}.js`, `${seconds}`, 'calls'],
            { encoding: 'utf8', timeout: seconds * 1000 + GRACE_MS },
        );
        if (status !== 0) {
            throw new Error(`build/sqlite/${mutexes}.js: ${status}\n${stdout}\n${stderr}`);
        }
        return JSON.parse(stdout);
    });
}

/**
 * @param {import('../../browsers/launch.js').Page} page
 * @param {string} address of the examples
 * @param {number} seconds
 * @returns {Promise<Run[]>}
 */
async function runOnPage(page, address, seconds) {
    const timeout = MUTEXES.length * seconds * 1000 + GRACE_MS;
    const lines = await linesOf(page, `${address}sqlite/?${seconds}&calls`, timeout);
    return lines.map((line) => JSON.parse(line));
}

/** @param {Run} run */
const longest = ({ calls }) => Math.max(...calls);

/** @param {Run} run */
const p99 = ({ calls }) => quantile(calls, 0.99);

/** @param {Run} run */
const statements = ({ statementsPerSecond }) => statementsPerSecond;

/**
 * @param {string} where
 * @param {Run[]} runs
 * @param {number} seconds of each
 * @returns {import('../figures.js').Results}
 */
function resultsOf(where, runs, seconds) {
    const [ours, stock] = MUTEXES.map((mutexes) => runs.filter((run) => run.mutexes === mutexes));
    /** @param {string} what @param {string} unit @param {(run: Run) => number} measure @param {import('../figures.js').Bound} [bound] */
    const figure = (what, unit, measure, bound) =>
        figureOf(
            `${where}: ${what}`,
            unit,
            (ours ?? []).map(measure),
            { name: STOCK, rounds: (stock ?? []).map(measure) },
            bound,
        );
    return {
        figures: [
            figure('longest call of the main thread in a round', 'ms', longest, {
                of: 'value',
                most: MOST_MS,
            }),
            figure('call of the main thread, 99th percentile', 'ms', p99),
            figure('statements of all threads', '/s', statements, atLeast(1)),
            figure('queries of the main thread', '/s', ({ queries }) => queries / seconds),
        ],
        series: [
            ['holdfast', ours ?? []],
            [STOCK, stock ?? []],
        ].map(([contestant, some]) => ({
            panel: where,
            contestant: String(contestant),
            points: waitPoints(/** @type {Run[]} */ (some).flatMap(({ calls }) => calls)),
        })),
    };
}

/**
 * @param {number} rounds
 * @param {() => Run[] | Promise<Run[]>} run with both kinds of mutexes
 */
async function inRounds(rounds, run) {
    const runs = [];
    for (let round = 0; round < rounds; round += 1) {
        runs.push(...(await run()));
    }
    return runs;
}

/**
 * @param {keyof typeof MEASURED_BROWSERS} name
 * @param {number} rounds
 * @param {number} seconds
 */
async function runsInBrowser(name, rounds, seconds) {
    const server = await startServer();
    try {
        const browser = await launchBrowser(name, { protocolTimeout: 2 * seconds * 1000 + GRACE_MS });
        try {
            const page = await browser.newPage();
            return await inRounds(rounds, () => runOnPage(page, server.page, seconds));
        } finally {
            await browser.close();
        }
    } finally {
        await server.close();
    }
}

/** @type {Record<keyof typeof MEASURED_BROWSERS, string>} */
const TITLES = { chromium: 'Chromium', firefox: 'Firefox' };

/**
 * @param {keyof typeof MEASURED_BROWSERS} name
 * @param {number} rounds
 * @param {number} seconds
 * @returns {Promise<import('../figures.js').Results[]>} none where there is no such browser
 */
async function measuredIn(name, rounds, seconds) {
    try {
        return [resultsOf(TITLES[name], await runsInBrowser(name, rounds, seconds), seconds)];
    } catch (error) {
        if (error instanceof NoBrowserError) {
            process.stderr.write(`bench: sqlite: ${error.message}; the rest goes on\n`);
            return [];
        }
        throw error;
    }
}

/** @type {import('./scenarios.js').Scenario} */
export const sqlite = {
    name: 'sqlite',
    inOtherProcesses: true,
    title: 'how long the main thread stands still in a query, while four threads write to the same SQLite connection',
    async run({ full, rounds, seconds: ofOthers }) {
        try {
            build();
        } catch (error) {
            process.stderr.write(`bench: sqlite: ${error}; the rest goes on\n`);
            return { figures: [] };
        }
        const seconds = Math.max(LEAST_SECONDS, TIMES_LONGER * ofOthers);
        const results = [resultsOf('Node.js', await inRounds(rounds, () => runInNode(seconds)), seconds)];
        const names = /** @type {(keyof typeof MEASURED_BROWSERS)[]} */ (Object.keys(MEASURED_BROWSERS));
        for (const name of full ? names : names.slice(0, 1)) {
            results.push(...(await measuredIn(name, rounds, seconds)));
        }
        return {
            figures: results.flatMap(({ figures }) => figures),
            series: results.flatMap(({ series = [] }) => series),
        };
    },
};
