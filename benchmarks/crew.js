/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import * as threads from 'node:worker_threads';
import { checkCounters, letGo } from './arena.js';
import { watched } from './watchdog.js';

/* The workers of a run, Node's or a page's. Every run has new workers, so that no contestant runs with the compiler's statistics
 * of another. */

/** @typedef {import('./jobs/jobs.js').Job} Job */

/**
 * The task of a worker.
 * @template {Job} [J=Job]
 * @typedef {object} Task
 * @property {J} job
 * @property {import('./arena.js').Arena} arena
 * @property {number} thread its number among the threads that count
 * @property {import('./jobs/jobs.js').OptionsOf<J>} options
 */

/** @param {Task} task */
function start(task) {
    const Worker = /** @type {any} */ (globalThis.Worker ?? threads.Worker);
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    /** Messages that were not awaited yet, and callbacks that await one. @type {[any[], ((message: any) => void)[]]} */
    const [messages, waiting] = [[], []];
    /** Passes on the bytes of the job messages. */
    const port = {
        postMessage: (/** @type {any} */ bytes) => worker.postMessage(bytes),
        onmessage: (/** @type {{ data: any }} */ _) => {},
    };
    const hear = (/** @type {any} */ message) =>
        ArrayBuffer.isView(message)
            ? port.onmessage({ data: message })
            : (waiting.shift() ?? messages.push.bind(messages))(message);
    const fail = (/** @type {{ name?: string, message: string }} */ error) => hear({ error });
    if (worker.on) {
        const ended = { message: 'A worker ended without a result.' };
        worker
            .on('message', hear)
            .on('error', fail)
            .on('exit', () => fail(ended));
    } else {
        worker.onmessage = (/** @type {MessageEvent} */ { data }) => hear(data);
        worker.onerror = fail;
    }
    worker.postMessage(task, /** @type {any} */ (task.options).ports);
    return {
        port,
        terminate: () => worker.terminate(),
        /** Resolves with the result of the next message. */
        async next() {
            const message = messages.shift() ?? (await new Promise((resolve) => void waiting.push(resolve)));
            if (message.error) {
                const { name = 'Error', message: text } = message.error;
                throw Object.assign(new Error(text), { name });
            }
            return message.result;
        },
    };
}

/**
 * Starts one worker per task, and waits until all are ready to begin.
 * @template {Job} J
 * @param {Task<J>[]} tasks in one arena
 */
export async function gather(tasks) {
    const workers = tasks.map(start);
    const terminate = () => Promise.all(workers.map((worker) => worker.terminate()));
    await Promise.all(workers.map((worker) => worker.next()));
    // Terminates the workers, since pending waits in them, or a rival's own threads, would keep them alive.
    const ended = Promise.all(workers.map((worker) => worker.next())).finally(terminate);
    ended.catch(() => {}); // callers that await it see the error; a run that ends by another error does not await it
    return {
        ports: workers.map(({ port }) => port),
        go() {
            tasks.forEach(({ arena }) => letGo(arena));
        },
        /** @type {Promise<import('./jobs/jobs.js').ResultOf<J>[]>} */
        ended,
        /** Terminates workers that hang. */
        abandon: terminate,
    };
}

/**
 * Runs jobs to their ends.
 * @template {Job} J
 * @param {string} what @param {number} seconds that they take @param {Task<J>[]} tasks in one arena
 */
export function perform(what, seconds, tasks) {
    const [{ arena }] = /** @type {[Task<J>]} */ (tasks);
    return watched(what, arena, seconds, async () => {
        const crew = await gather(tasks);
        crew.go();
        const results = await crew.ended;
        checkCounters(arena);
        return results;
    });
}
