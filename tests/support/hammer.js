/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeBoard, reach, reached } from './board.js';
import { messageOf, startThread } from './thread.js';
import { until, within } from './watchdog.js';

/**
 * Starts threads that lock without a pause.
 *
 * @param {import('node:test').TestContext} t
 * @param {import('../../js-glue/index.js').Mutex} mutex
 * @param {string[]} programs one for each thread
 * @param {{ section: number, polls?: boolean }} options section: milliseconds
 */
export async function hammer(t, mutex, programs, { section, polls = false }) {
    const [ready, stop] = [0, 1];
    const board = makeBoard(2);
    const counts = makeBoard(programs.length);
    t.after(() => reach(board, stop));
    const workers = programs.map((program, index) =>
        startThread(t, program, { handle: mutex.handle, board, ready, stop, counts, index, section, polls }),
    );
    await within(reached(board, ready, programs.length), 'the threads', [mutex]);
    const sections = () => Array.from(counts, (_, index) => Atomics.load(counts, index));
    return {
        sections,
        /**
         * Waits until each thread has run `more` sections more.
         *
         * @param {string} what they are
         */
        goOn(what, more = 1) {
            const before = sections();
            const haveGoneOn = () => sections().every((count, index) => count >= (before[index] ?? 0) + more);
            return until(haveGoneOn, what, [mutex]);
        },
        async stop() {
            const reports = Promise.all(workers.map((worker) => messageOf(worker, 'a report', [mutex])));
            reach(board, stop);
            return reports;
        },
    };
}
