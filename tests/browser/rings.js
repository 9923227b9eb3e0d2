/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { debug } from '../../js-glue/debug.js';
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { within } from './page-threads.js';

/* Runs on the page: threads that wait for each other. */

const UNSHARED = { description: () => '' };

/** @param {string} name @param {any} task that it holds the first mutex, and will wait for the second */
function startMember(name, task) {
    const worker = new Worker(new URL('./ring-worker.js', import.meta.url), { type: 'module', name });
    const heard = /** @type {any[]} */ ([]);
    /** @param {string} what @param {string} key */
    const told = (what, key) =>
        within(
            UNSHARED,
            `${name} ${what}`,
            new Promise((resolve) => {
                worker.addEventListener('message', ({ data }) => {
                    if (key in data) {
                        resolve(data);
                    }
                });
            }),
        );
    worker.addEventListener('message', ({ data }) => heard.push(data));
    const holding = told('holds a mutex', 'holds');
    const ended = told('came to an end', 'end');
    worker.postMessage(task);
    return { worker, heard, holding, ended };
}

/** Workers that block. One throws. @param {{ size: number }} options */
export async function ringOfWorkers({ size }) {
    const mutexes = Array.from({ length: size }, () => new Mutex());
    const members = mutexes.map(({ handle }, at) =>
        startMember(`member ${at}`, {
            first: handle,
            second: mutexes[(at + 1) % size]?.handle,
        }),
    );
    await Promise.all(members.map(({ holding }) => holding));
    const begin = performance.now();
    members.forEach(({ worker }) => worker.postMessage({}));
    const ends = await Promise.all(members.map(({ ended }) => ended));
    members.forEach(({ worker }) => worker.terminate());
    return { ends, ms: performance.now() - begin };
}

/** A worker that blocks, and the page, whose event loop waits for that worker's lock. */
export async function ringThroughThePage() {
    const space = new LockSpace();
    const reports = /** @type {any[]} */ ([]);
    const stop = debug({
        throw: true,
        onReport: ({ certain, message }) => reports.push({ certain, message }),
    });
    const [mine, others] = [new Mutex({ space }), new Mutex({ space })];
    const guard = await mine.acquireAsync();
    const { worker, heard, holding, ended } = startMember('member', {
        first: others.handle,
        second: mine.handle,
    });
    await holding;
    worker.postMessage({});
    const end = await others.execAsync(() => 'got it', { timeout: 4000 }).catch(({ code }) => code);
    guard.release();
    const { end: endOfWorker } = await ended;
    worker.terminate();
    stop();
    return { end, endOfWorker, reports: [...reports, ...heard.flatMap(({ report = [] }) => report)] };
}
