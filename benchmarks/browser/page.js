/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf, makeArena } from '../arena.js';
import { describeArena } from '../arena-words.js';
import { contestantOf, openLock } from '../contestants.js';
import { checkCounters, Counters, sectionsOf } from '../counters.js';
import { askEvery, Asker, askWhileBusy } from '../event-loop.js';
import { gather } from './crew.js';
import { countFrames } from './frames.js';

/* A contended run on the page: ../contended-run.js for browsers. */

/**
 * Plain, since it comes from another process.
 *
 * @typedef {object} PageRun
 * @property {string} contestant its key
 * @property {number} workers that lock again and again
 * @property {number} sectionMs
 * @property {number} seconds that are measured
 * @property {boolean} asks whether the page does
 * @property {number} [everyMs] asks on this beat
 * @property {{ busyMs: number, cycleMs: number }} [busy] is busy, and asks once a cycle
 *
 * @typedef {object} PageMeasured
 * @property {number[]} waits of the page's requests, in ms
 * @property {number[]} rates sections per second, by worker
 * @property {import('./frames.js').Frames} frames
 * @property {number} cores that the browser says it has
 */

/** Until the engine has compiled the loops; not measured. */
const WARM_UP_MS = 300;

/** Beyond what a run takes anyway, before it counts as hung. */
const GRACE_MS = 20_000;

/** @param {number} milliseconds */
function sleep(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * The outcome, or an error with the words of the run's memory. For a page that itself hangs see driver.js.
 *
 * @template T
 * @param {import('../arena.js').Arena} arena
 * @param {number} milliseconds
 * @param {Promise<T>} outcome
 * @returns {Promise<T>}
 */
function within(arena, milliseconds, outcome) {
    const hang = sleep(milliseconds).then(() => {
        throw new Error(`it hangs: not ended after ${milliseconds} ms\n${describeArena(arena).join('\n')}`);
    });
    return Promise.race([outcome, hang]);
}

/**
 * @param {Asker} asker
 * @param {PageRun} run
 */
function startAsking(asker, { asks, everyMs, busy }) {
    if (busy !== undefined) {
        return askWhileBusy(asks ? asker : undefined, busy);
    }
    return asks && everyMs !== undefined ? askEvery(asker, everyMs) : () => {};
}

/**
 * @param {PageRun} run
 * @param {import('../arena.js').Arena} arena
 * @returns {Promise<PageMeasured>}
 */
async function measure(run, arena) {
    const { contestant, workers, sectionMs, seconds } = run;
    const threads = Array.from({ length: workers }, (_, thread) => thread);
    const crew = await gather(
        threads.map((thread) => ({ arena, thread, options: { contestant, sectionMs } })),
    );
    const asker = new Asker({
        lock: await openLock(contestant, arena),
        counters: new Counters(arena, workers),
    });
    const readSections = () => threads.map((thread) => sectionsOf(arena, thread));
    crew.go();
    const stop = startAsking(asker, run);
    await sleep(Math.min(WARM_UP_MS, seconds * 1000));

    const start = performance.now();
    const before = readSections();
    const endFrames = countFrames();
    asker.restart();
    await sleep(seconds * 1000);
    const elapsed = (performance.now() - start) / 1000;
    const after = readSections();
    const frames = endFrames();
    const waits = asker.waits().map(({ all }) => all);

    stop();
    Atomics.store(controlOf(arena), CONTROL.STOP, 1);
    await crew.ended;
    await asker.settled();
    checkCounters(arena);
    const rates = after.map((count, thread) => (count - (before[thread] ?? NaN)) / elapsed);
    return { waits, rates, frames, cores: navigator.hardwareConcurrency };
}

/** @param {PageRun} run */
export function runOnPage(run) {
    // Web Locks go by name, for all pages of an origin.
    const arena = { ...makeArena(run.workers + 1), name: crypto.randomUUID() };
    return within(arena, WARM_UP_MS + run.seconds * 1000 + GRACE_MS, measure(run, arena));
}

/**
 * The contestants that can take part in this browser, and why the others cannot.
 *
 * @param {readonly string[]} keys
 */
export function describeContestants(keys) {
    return Promise.all(
        keys.map(async (key) => {
            const { title, missing, shares, waits, blocks } = await contestantOf(key);
            return { key, title, cannot: missing ?? shares ?? waits, blocks: blocks === undefined };
        }),
    );
}
