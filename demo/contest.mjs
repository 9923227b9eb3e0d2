/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createLock, openLock } from './contestants.js';
import {
    createLedger,
    enterPhase,
    lostUpdates,
    RUNNING,
    runSection,
    STOPPING,
    tallies,
    totalSections,
} from './ledger.js';
import { Waits } from './page/mutex/waits.js';

const ASK_EVERY_MS = 1000 / 60;
export const TICK_EVERY_MS = 2;
const PROGRESS_EVERY_MS = 100;
const DRAIN_AT_MOST_MS = 2000;

/* Sections of different lengths: with equal ones the threads would fall into step, unlike real threads. */
const SECTION_FACTORS = [1, 0.5, 2, 1.5];

/**
 * @typedef {object} ContestOptions
 * @property {number} workers
 * @property {number} sectionUs
 * @property {number} seconds
 * @property {(progress: Progress) => void} onProgress
 *
 * @typedef {object} Progress
 * @property {import('./contestants.js').ContestantName} name
 * @property {number} elapsedMs
 * @property {number} sections
 * @property {number} made requests of the event-loop thread
 * @property {number} unanswered of these
 *
 * @typedef {object} Result
 * @property {import('./contestants.js').ContestantName} name
 * @property {number} elapsedMs
 * @property {{ sectionUs: number, sections: number }[]} workers
 * @property {number} loopSections sections that the event-loop thread ran in the measured time
 * @property {{ made: number, unanswered: number, medianMs: number, p99Ms: number, worstMs: number }} requests of which one
 *     that was not answered counts with the time that it had waited: left out, a starved thread would look well served
 * @property {number} longestPauseMs
 * @property {number} sections of all threads, the end of the run included
 * @property {number} lost
 */

/**
 * Starts the workers and waits until each has loaded its modules, so that they begin together.
 * @param {import('./hammer.js').HammerOrder[]} orders
 */
async function startWorkers(orders) {
    const workers = orders.map(
        (workerData) => new Worker(new URL('./contest-worker.mjs', import.meta.url), { workerData }),
    );
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    return workers;
}

/**
 * Keeps a short timer going on this thread and measures the time between its ticks. A blocked event loop
 * gives no ticks.
 * @returns {() => number} ends it, and returns the longest pause between two ticks in milliseconds
 */
function startTicks() {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
    }, TICK_EVERY_MS);
    return () => {
        clearInterval(timer);
        return longest;
    };
}

/**
 * One run: workers hammer the lock, while this thread keeps its event loop going and asks for the lock sixty times a
 * second. It ends even if the lock never answers.
 * @param {import('./contestants.js').ContestantName} name @param {ContestOptions} options @returns {Promise<Result>}
 */
export async function runContest(name, { workers: count, sectionUs, seconds, onProgress }) {
    const ticket = createLock(name);
    const ledger = createLedger(count + 1);
    const loopThread = count;
    const orders = Array.from({ length: count }, (_, thread) => {
        const factor = SECTION_FACTORS[thread % SECTION_FACTORS.length] ?? 1;
        return { ticket, ledger, thread, sectionUs: sectionUs * factor };
    });
    const workers = await startWorkers(orders);
    const exits = workers.map((worker) => once(worker, 'exit'));

    const lock = openLock(ticket);
    const waits = new Waits();
    /** @type {Promise<void>[]} */
    const answers = [];
    const ask = () => {
        const wait = waits.ask(performance.now(), 0);
        const section = () => {
            waits.answer(wait, performance.now(), 0);
            runSection(ledger, loopThread, sectionUs);
        };
        answers.push(lock.execAsync(section));
    };
    const started = performance.now();
    const progress = () => {
        const sections = totalSections(ledger);
        const [made, unanswered] = [answers.length, waits.unanswered];
        onProgress({ name, elapsedMs: performance.now() - started, sections, made, unanswered });
    };

    enterPhase(ledger, RUNNING);
    const endTicks = startTicks();
    const asking = setInterval(ask, ASK_EVERY_MS);
    const reporting = setInterval(progress, PROGRESS_EVERY_MS);
    await Promise.race([delay(seconds * 1000), ...exits]);
    const elapsedMs = performance.now() - started;
    clearInterval(asking);
    clearInterval(reporting);
    const longestPauseMs = endTicks();
    const [made, unanswered, counts] = [answers.length, waits.unanswered, waits.countsAt(performance.now())];
    const measured = tallies(ledger);

    enterPhase(ledger, STOPPING);
    await Promise.all(exits);
    await Promise.race([Promise.all(answers), delay(DRAIN_AT_MOST_MS)]);
    return {
        name,
        elapsedMs,
        workers: orders.map((order, thread) => ({
            sectionUs: order.sectionUs,
            sections: measured[thread] ?? 0,
        })),
        loopSections: measured[loopThread] ?? 0,
        requests: {
            made,
            unanswered,
            medianMs: counts.percentile(0.5),
            p99Ms: counts.percentile(0.99),
            worstMs: counts.worst,
        },
        longestPauseMs,
        sections: totalSections(ledger),
        lost: lostUpdates(ledger),
    };
}
