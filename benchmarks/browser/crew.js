/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { letGo } from '../arena.js';

/* The workers of a run on a page; ../crew.js for browsers. */

/** @typedef {import('../jobs/sections.js').Task} Task */

/** @param {Task} task */
function start(task) {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    /** @type {PromiseWithResolvers<void>} */
    const ready = Promise.withResolvers();
    /** @type {PromiseWithResolvers<void>} */
    const ended = Promise.withResolvers();
    const fail = (/** @type {unknown} */ error) => {
        ready.reject(error);
        ended.reject(error);
    };
    worker.onerror = ({ message }) => fail(new Error(`a worker ended: ${message}`));
    worker.onmessage = ({ data }) => {
        if (data.ready) {
            ready.resolve();
        } else if (data.done) {
            ended.resolve();
            worker.terminate();
        } else {
            fail(data.error);
        }
    };
    ended.promise.catch(() => {}); // whoever awaits it sees the error; a run that ends by another error does not
    worker.postMessage(task);
    return { ready: ready.promise, ended: ended.promise, terminate: () => worker.terminate() };
}

/**
 * Starts a worker a task, and waits until all are about to begin.
 *
 * @param {Task[]} tasks in one arena
 */
export async function gather(tasks) {
    const workers = tasks.map(start);
    await Promise.all(workers.map(({ ready }) => ready));
    const ended = Promise.all(workers.map(({ ended }) => ended));
    ended.catch(() => {});
    return {
        go() {
            tasks.forEach(({ arena }) => letGo(arena));
        },
        ended,
        abandon: async () => workers.forEach(({ terminate }) => terminate()),
    };
}
