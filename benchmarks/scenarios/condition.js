/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { contendInC } from './family-in-c.js';
import { contendInJs } from './family-in-js.js';

const IN_C = {
    primitive: /** @type {const} */ ('condition'),
    counted: 'turns of all threads',
    all: [2, 4].map((threads) => ({ what: `${threads} threads in turn`, threads })),
    quick: [{ what: '2 threads in turn', threads: 2 }],
};

const JOBS = /** @type {const} */ (['alternate', 'alternateAsync']);

const TO_EVENT_LOOP = {
    what: 'a worker and an event loop in turn',
    workers: 2,
    sectionMs: 0,
    job: (/** @type {number} */ thread) => JOBS[thread] ?? 'alternate',
};

const BETWEEN_WORKERS = {
    what: '2 workers in turn',
    workers: 2,
    sectionMs: 0,
    job: () => /** @type {const} */ ('alternate'),
};

const IN_JS = {
    keys: ['condition', 'multithreadingCondition'],
    counted: 'turns of both',
    settings: [TO_EVENT_LOOP, BETWEEN_WORKERS],
};

/** @type {import('./scenarios.js').Scenario} */
export const condition = {
    name: 'condition',
    inOtherProcesses: true,
    title: 'threads that take turns by a mutex and a condition',
    async run(options) {
        const inJs = options.full ? await contendInJs(IN_JS, options) : [];
        return { figures: [...(await contendInC(IN_C, options)), ...inJs] };
    },
};
