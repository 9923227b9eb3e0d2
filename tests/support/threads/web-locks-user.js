/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { Event } from '../../../js-glue/index.js';
import { locksOf } from '../web-locks-shape.js';

/* Requests locks as messages `{ id, name, options }` say, and posts the outcome with that `id`: `granted`, `null`, `done` or the
 * error's name. It holds a lock until it gets `{ release: id }`; with a word `when`, it first blocks on that. With `stuck: true`
 * it stops for ever where it would notify the next holder, and posts `stuck`. */

const locks = locksOf(workerData.locks);
/** @type {Map<number, (value: unknown) => void>} */
const releases = new Map();

/** @param {{ id: number, name: string, options?: object }} message */
async function ask({ id, name, options = {} }) {
    const tell = (/** @type {string} */ what) => parentPort?.postMessage({ id, what });
    try {
        await locks.request(name, options, (/** @type {unknown} */ lock) => {
            tell(lock === null ? 'null' : 'granted');
            return lock && new Promise((resolve) => releases.set(id, resolve));
        });
        tell('done');
    } catch (error) {
        tell(/** @type {Error} */ (error).name);
    }
}

/** Counts in `count` sections, without a pause. @param {{ id: number, count: number, name: string, words: Int32Array }}
 * message */
async function count({ id, count: times, name, words }) {
    let torn = 0;
    for (let time = 0; time < times; time += 1) {
        await locks.request(name, async () => {
            const before = words[0] ?? 0;
            await undefined;
            torn += Number(words[1] !== before);
            words[0] = before + 1;
            words[1] = before + 1;
        });
    }
    parentPort?.postMessage({ id, what: torn });
}

parentPort?.on('message', (message) => {
    if (message.release !== undefined) {
        if (message.when !== undefined) {
            Atomics.wait(message.when, 0, 0); // this thread receives no message until then
        }
        if (message.stuck) {
            Event.prototype.set = () => {
                parentPort?.postMessage({ id: message.release, what: 'stuck' });
                Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
            };
        }
        releases.get(message.release)?.(undefined);
    } else if (message.count !== undefined) {
        void count(message);
    } else {
        void ask(message);
    }
});
parentPort?.postMessage({ id: 'ready', what: 'ready' });
