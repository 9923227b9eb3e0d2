/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runContended } from '../contended-run.js';
import { valueAtMost } from '../figures.js';
import { contend, quantile } from '../rounds.js';
import { waitPoints } from '../wait-points.js';

/* The waits of an event loop that requests a lock, beside workers that lock again and again. */

/**
 * @typedef {object} Load
 * @property {number} workers
 * @property {number} sectionMs
 * @property {import('../event-loop.js').Cycle} cycle
 *
 * @typedef {{ key: string, title: string, asks?: boolean }} Contestant `asks`: false if the event loop does not request the lock
 */

export const ASK_EVERY_MS = 4;
export const ASKING = { everyMs: ASK_EVERY_MS };
export const BUSY = { everyMs: 60, busyMs: 50 };

/** Long enough for 100 requests: with fewer, the 99th percentile is the slowest request. */
export const LEAST_SECONDS = (100 * ASK_EVERY_MS) / 1000;

export const SILENT = { key: 'holdfast', title: 'without requests', asks: false };

/** @param {boolean} full @returns {readonly Load[]} */
export function loadsOf(full) {
    const all = [1, 2].flatMap((workers) => [0.005, 0.05, 1].map((sectionMs) => ({ workers, sectionMs })));
    return (full ? all : [{ workers: 2, sectionMs: 0.05 }]).map((load) => ({ ...load, cycle: ASKING }));
}

/** @param {readonly number[]} workers @returns {readonly Load[]} */
export const busyLoads = (workers) =>
    workers.map((some) => ({ workers: some, sectionMs: 0.05, cycle: BUSY }));

export const P99 = 'wait, 99th percentile';
export const SECTIONS = 'sections of all workers';

/** @param {Load} load */
export function describeLoad({ workers, sectionMs }) {
    const section = sectionMs < 1 ? `${sectionMs * 1000} µs` : `${sectionMs} ms`;
    return `${workers} ${workers === 1 ? 'worker' : 'workers'}, ${section}`;
}

/**
 * Runs contestants beside each load, in turns. A rival that fails drops out.
 * @param {readonly { load: Load, contestants: readonly Contestant[] }[]} all holdfast is the first contestant
 * @param {{ rounds: number, seconds: number }} options @param {typeof runContended} [run]
 */
export async function runBeside(all, { rounds, seconds }, run = runContended) {
    const variants = all.flatMap(({ load, contestants }) =>
        contestants.map((contestant) => ({ ...contestant, load, what: describeLoad(load) })),
    );
    const { results, failed } = await contend(rounds, variants, ({ key, asks, load }) =>
        run({ ...load, contestant: key, seconds, cycle: { ...load.cycle, asks } }),
    );
    const loads = all.map(({ load }) => ({
        load,
        what: describeLoad(load),
        contestants: results.filter((one) => one.load === load),
    }));
    return { loads, failed };
}

/** The time to wake and to run a task of the event loop, in addition to one section of every thread that may be ahead. */
const SLACK_MS = 0.5;

/** The time that an operating system's scheduler may add if threads share a core. */
const SHARED_CORE_MS = 4;

/**
 * A bound of the 99th percentile of an event loop's wait, for any object.
 * @param {Load} load @param {readonly { runs: readonly { cores: number }[] }[]} contestants @param {number} [slackMs]
 */
export function waitBound({ workers, sectionMs }, contestants, slackMs = SLACK_MS) {
    const bound = (workers + 1) * sectionMs + slackMs;
    return workers + 1 > Math.min(...contestants.flatMap(({ runs }) => runs.map(({ cores }) => cores)))
        ? valueAtMost(bound + SHARED_CORE_MS, `${SHARED_CORE_MS} of it for a shared core`)
        : valueAtMost(bound);
}

/** @param {{ waits: number[] }} run in ms */
export const percentile = ({ waits }) => quantile(waits, 0.99);

/**
 * A picture's lines, one for each contestant.
 * @param {string} panel @param {readonly { title: string, runs: { waits: number[] }[] }[]} contestants
 * @returns {import('../figures.js').Series[]}
 */
export function waitSeries(panel, contestants) {
    return contestants.map(({ title, runs }) => ({
        panel,
        contestant: title,
        points: waitPoints(runs.flatMap(({ waits }) => waits)),
    }));
}
