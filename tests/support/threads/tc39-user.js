/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { shape } from '../tc39-shape.js';

/* Uses a mutex and a condition of tc39-shape.js in the given way. `words` is an Int32Array: a pair that the mutex guards, and a
 * gate that the parent opens. */

const { does, rounds, words, ...posted } = workerData;
const mutex = shape.mutexOf(posted.mutex);
const condition = posted.condition && shape.conditionOf(posted.condition);

const GATE = 2;

/** @type {Record<string, () => unknown>} */
const DOES = {
    count() {
        let torn = 0;
        for (let round = 0; round < rounds; round += 1) {
            shape.lock(mutex, () => {
                torn += Number(words[0] !== words[1]);
                words[0] += 1;
                words[1] += 1;
            });
        }
        return torn;
    },
    hold() {
        return shape.lock(mutex, () => {
            parentPort?.postMessage('holds');
            Atomics.wait(words, GATE, 0);
        });
    },
    wait() {
        return shape.lock(mutex, (held) => {
            words[0] += 1;
            shape.wait(condition, held);
            words[1] += 1;
        });
    },
};

parentPort?.postMessage({ done: DOES[does]?.() });
