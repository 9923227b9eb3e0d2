/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { availableParallelism } from 'node:os';
import * as place from './arena.js';
import { openLock, prepareLock } from './contestants.js';
import { gather } from './crew.js';
import { Asker, repeatCycle } from './event-loop.js';
import { GRACE_SECONDS, watched } from './watchdog.js';

const { checkCounters, CONTROL, controlOf, Counters, describeArena, makeArena, sectionsOf, takeLongest } =
    place;

/**
 * Plain data, since a page gets it from another process.
 * @typedef {object} ContendedRun
 * @property {string} contestant its key
 * @property {number} workers that lock again and again
 * @property {number} sectionMs
 * @property {readonly ('sections' | 'readWrite' | 'alternate' | 'alternateAsync')[]} [jobs] of the workers, the last one of all
 *     others too; by default they lock again and again
 * @property {number} [readsIn100] of the job readWrite
 * @property {number} seconds that are measured
 * @property {import('./event-loop.js').Cycle} [cycle] what the event loop does, if anything
 *
 * @typedef {object} Measured
 * @property {number[]} waits of the event loop's requests, in ms
 * @property {number[]} rates sections per second, by worker
 * @property {number} longest of the workers' waits for a section, in ms
 * @property {number} cores that the runtime says the machine has
 */

/** Node has no navigator before version 21. */
const CORES = globalThis.navigator?.hardwareConcurrency ?? availableParallelism();

/** The time before the measurement, in which each worker's engine compiles the loops. */
const WARM_UP_SECONDS = 0.2;

/**
 * Runs workers that lock again and again, and this thread's event loop beside them.
 * @param {ContendedRun} run @returns {Promise<Measured>} @throws {import('./arena.js').LostUpdateError}
 */
export async function runContended(run) {
    const { contestant, workers, sectionMs, seconds, readsIn100 = 0, jobs = ['sections'] } = run;
    const arena = makeArena(workers + 1);
    const workersOfACore = Math.max(1, workers / CORES);
    const warmUp = Math.min(WARM_UP_SECONDS * workersOfACore, seconds);
    const what = `${contestant}, ${workers} workers, sections of ${sectionMs * 1000} µs`;
    return watched(what, arena, warmUp + seconds, async () => {
        await prepareLock(contestant, arena);
        const options = { contestant, sectionMs, readsIn100, parties: workers };
        const crew = await gather(
            Array.from({ length: workers }, (_, thread) => ({
                job: jobs[thread] ?? jobs.at(-1) ?? 'sections',
                ...{ arena, thread, options },
            })),
        );
        const asker = new Asker(await openLock(contestant, arena), new Counters(arena, workers));
        crew.go();
        const stop = run.cycle && repeatCycle(asker, run.cycle);
        await sleep(warmUp * 1000);

        takeLongest(arena);
        const before = readSections(arena, workers);
        asker.restart();
        await sleep(seconds * 1000);
        const after = readSections(arena, workers);
        const waits = asker.waits();
        const longest = takeLongest(arena);

        stop?.();
        Atomics.store(controlOf(arena), CONTROL.STOP, 1);
        await endedInTime(crew, asker, arena);
        checkCounters(arena);

        const elapsed = (after.at - before.at) / 1000;
        const rates = after.sections.map(
            (count, thread) => (count - (before.sections[thread] ?? NaN)) / elapsed,
        );
        return { waits, rates, longest, cores: CORES };
    });
}

/** The time for threads to end; the watchdog waits three times as long. */
const PATIENCE_MS = (GRACE_SECONDS * 1000) / 3;

/** The time for a termination, which takes much less. */
const TERMINATION_MS = 2_000;

/** Thrown if workers that were told to end have not ended, or a request is never granted. */
export class HungError extends Error {
    /** @override */
    name = 'HungError';
}

/** @param {number} milliseconds */
function sleep(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * @param {Awaited<ReturnType<typeof gather>>} crew @param {Asker} asker @param {import('./arena.js').Arena} arena
 * @throws {HungError}
 */
async function endedInTime(crew, asker, arena) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const hangs = new Promise((resolve) => {
        timer = setTimeout(() => resolve(true), PATIENCE_MS);
    });
    const ends = crew.ended.then(() => asker.settled()).then(() => false);
    if (await Promise.race([ends, hangs])) {
        const words = describeArena(arena).join('\n');
        await Promise.race([crew.abandon(), sleep(TERMINATION_MS)]); // a thread that hangs in its runtime does not end
        throw new HungError(`the run hangs: a thread or a request did not end\n${words}`);
    }
    clearTimeout(timer);
}

/** @param {import('./arena.js').Arena} arena @param {number} workers */
function readSections(arena, workers) {
    return {
        at: performance.now(),
        sections: Array.from({ length: workers }, (_, thread) => sectionsOf(arena, thread)),
    };
}
