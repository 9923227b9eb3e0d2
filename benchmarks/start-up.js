/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A program that begins to use a lock, in a process or worker of its own: `node benchmarks/start-up.js holdfast worker`. It
 * prints how many milliseconds passed from the import to the end of the first section. With the word `parts` it looks when the
 * engine is asked for what, too, which takes time itself. */
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { STARTS } from './starts.js';

/** @typedef {{ what: string, begin: number, end: number }} Call of a constructor of WebAssembly's */

/** @returns {Call[]} that will be there */
function watchConstructors() {
    /** @type {Call[]} */
    const calls = [];
    for (const what of ['Memory', 'Module', 'Instance']) {
        const whole = /** @type {any} */ (WebAssembly);
        whole[what] = new Proxy(whole[what], {
            construct(Class, given) {
                const begin = performance.now();
                const made = new Class(...given);
                calls.push({ what, begin, end: performance.now() });
                return made;
            },
        });
    }
    return calls;
}

/** @param {Call[]} calls */
function partsOf(calls) {
    const timeIn = (/** @type {string} */ what) =>
        calls.filter((call) => call.what === what).reduce((sum, { begin, end }) => sum + end - begin, 0);
    const [memory, module] = ['Memory', 'Module'].map((what) => calls.find((call) => call.what === what));
    return {
        'making the memory': timeIn('Memory'),
        'decoding the module': (module?.begin ?? NaN) - (memory?.end ?? NaN), // nothing else is between
        'compiling it': timeIn('Module'),
        'instantiating it': timeIn('Instance'),
    };
}

/** @param {string[]} words */
async function begin([name = '', ...words]) {
    const { from, before, start } = STARTS[/** @type {import('./starts.js').StartName} */ (name)];
    before?.();
    const calls = words.includes('parts') ? watchConstructors() : [];
    const began = performance.now();
    const all = await import(from);
    const imported = performance.now();
    await start(all);
    const total = performance.now() - began;
    return { total, importing: imported - began, ...(calls.length > 0 && { parts: partsOf(calls) }) };
}

/** @param {unknown} result */
function print(result) {
    process.stdout.write(JSON.stringify(result), () => process.exit());
}

const words = isMainThread ? process.argv.slice(2) : workerData;
if (isMainThread && words.includes('worker')) {
    new Worker(fileURLToPath(import.meta.url), { workerData: words }).once('message', print);
} else {
    const result = await begin(words);
    (isMainThread ? print : (/** @type {unknown} */ each) => parentPort?.postMessage(each))(result);
}
