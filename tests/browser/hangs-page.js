/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import * as classes from '../../js-glue/index.js';
import { makeBoard } from '../support/board.js';
import { HANGS } from '../support/hangs.js';

/* Runs on the page of hangs.test.js: the programs that hang, all at once, each in workers of its own. */

const MOST_STAGES = 4;

const LONGEST_MS = 40_000;

/**
 * @typedef {object} Seen of a program
 * @property {{ code: string, message: string, text: string, ms: number }[]} told its reports, and the errors
 *     that ended threads; `ms` counts from the start of its last thread
 * @property {number} started the number of threads that have started
 * @property {number} ended the number of threads that have run to their end
 */

/**
 * @param {number} hang
 * @param {unknown} options of debug(); undefined: the program runs without debug()
 */
function start(hang, options) {
    const { share, threads } = /** @type {import('../support/hangs.js').Hang} */ (HANGS[hang]);
    const handles = Object.fromEntries(
        Object.entries(share(classes)).map(([name, { handle }]) => [name, handle]),
    );
    const board = makeBoard(MOST_STAGES);
    /** @type {Seen} */
    const seen = { told: [], started: 0, ended: 0 };
    let begin = 0;
    const workers = threads.map((_, at) => {
        const url = new URL('./hang-worker.js', import.meta.url);
        const worker = new Worker(url, { type: 'module', name: `worker ${at + 1}` });
        worker.onmessage = ({ data }) => {
            if (data === 'started') {
                seen.started += 1;
                begin = performance.now();
            } else if (data === 'ended') {
                seen.ended += 1;
            } else {
                seen.told.push({ ...data, ms: performance.now() - begin });
            }
        };
        worker.postMessage({ hang, at, board, handles, options });
        return worker;
    });
    return { seen, workers };
}

/**
 * @param {{ options?: unknown, codes: string[], silentMs?: number }} task `codes`: for each program the code of the
 *     report to wait for; `started` and `ended` wait for all its threads instead
 * @returns {Promise<Seen[]>} after `silentMs` more
 */
export async function runAll({ options, codes, silentMs = 0 }) {
    const programs = HANGS.map((_, hang) => start(hang, options));
    const isSeen = (/** @type {typeof programs[number]} */ { seen, workers }, /** @type {any} */ code) =>
        code === 'started' || code === 'ended'
            ? seen[/** @type {'started'} */ (code)] === workers.length
            : seen.told.some((told) => told.code === code);
    const end = performance.now() + LONGEST_MS;
    while (performance.now() < end && !programs.every((program, hang) => isSeen(program, codes[hang]))) {
        await sleep(50);
    }
    await sleep(silentMs);
    programs.forEach(({ workers }) => workers.forEach((worker) => worker.terminate()));
    return programs.map(({ seen }) => seen);
}

const sleep = (/** @type {number} */ milliseconds) =>
    new Promise((resolve) => {
        setTimeout(resolve, milliseconds);
    });
