/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { makeBoard, reach } from '../support/board.js';
import { Detector } from '../support/detector.js';
import { waitWithoutLimit } from '../support/endless.js';
import { useInEveryWay } from '../support/mixed-use.js';
import { seedFor } from '../support/seed.js';
import { messageOf, startThread } from '../support/thread.js';
import { isQuick } from '../support/tier.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* The matrix: threads x length of a section x number of locks. In each cell workers block and await, the main
 * event loop awaits too, waits end at random, and at the end each lock is all zero. No thread dies here, so
 * no wake may be lost: a thread that misses one waits for ever. */

waitWithoutLimit();

const THREADS = isQuick ? [2, 8] : [1, 2, 4, 8];
const SECTIONS_MS = [0, 0.005, 0.05];
const LOCKS = [1, 3];
const CELL_MS = isQuick ? 200 : 800;

/** Each cell uses the first of these locks. */
const workers = Array.from({ length: Math.max(...THREADS) }, () =>
    startThread({ after }, 'mixed', undefined),
);
const starts = Promise.all(workers.map((worker) => messageOf(worker, 'a start', [])));
before(() => starts);

/** @param {number} index which worker: every third one only awaits */
const blocks = (index) => index % 3 !== 2;

/**
 * @param {import('node:test').TestContext} t
 * @param {{ threads: number, section: number, locks: number, seed: number }} cell
 */
async function runCell(t, { threads, section, locks, seed }) {
    const space = new LockSpace();
    const mutexes = Array.from({ length: locks }, () => new Mutex({ space }));
    const pairs = new SharedArrayBuffer(locks * Detector.BYTES);
    const stop = 0;
    const board = makeBoard(1);
    const shared = { handles: mutexes.map(({ handle }) => handle), pairs, board, stop, section };

    const reports = workers.slice(0, threads).map((worker, index) => {
        worker.postMessage({ ...shared, seed: seed + index, blocks: blocks(index) });
        return messageOf(worker, `worker ${index}`, mutexes, 20_000);
    });
    const own = useInEveryWay({ ...shared, seed: seed - 1, blocks: false });
    setTimeout(() => reach(board, stop), CELL_MS);
    const all = await Promise.all([...reports, within(own, 'the main event loop', mutexes, 20_000)]);

    for (const [index, mutex] of mutexes.entries()) {
        const sections = all.map((report) => report.sections[index]);
        const sum = sections.reduce((total, count) => total + count, 0);
        assert.equal(new Detector(pairs, index).total, sum, `lost sections of lock ${index}`);
        assert.ok(sum > 0);
        assertFree(mutex);
    }
    for (const report of all) {
        assert.equal(report.torn, 0, 'two sections overlapped');
    }
    const total = all.flatMap((report) => report.sections).reduce((sum, count) => sum + count, 0);
    const ended = all.reduce((sum, report) => sum + report.ended, 0);
    t.diagnostic(`${total} sections, ${ended} waits ended`);
}

for (const threads of THREADS) {
    for (const section of SECTIONS_MS) {
        for (const locks of LOCKS) {
            const what = `${threads} workers and the main event loop, sections of ${section * 1000} us, ${locks} locks`;
            test(`mutex: all methods exclude each other under contention: ${what}`, (t) =>
                runCell(t, { threads, section, locks, seed: seedFor(t) }));
        }
    }
}
