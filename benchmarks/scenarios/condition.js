/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { contendInC, contendInJs, EQUAL } from './contended.js';

/* Each turn is a thread that falls asleep and one that is woken, so it is mostly the system's time for that. And it is
 * woken while the other one still holds the mutex, so that it may have to sleep once more: a program that notifies after
 * it has unlocked spares that, with any contestant. */

const inTurn = (/** @type {number} */ threads) => ({ what: `${threads} threads in turn`, threads, us: 0 });

const IN_C = {
    primitive: /** @type {const} */ ('condition'),
    counted: 'turns of all threads',
    leastRatio: EQUAL,
    all: [inTurn(2), inTurn(4)],
    quick: [inTurn(2)],
};

const JOBS = /** @type {const} */ (['alternate', 'alternateAsync']);

const IN_JS = {
    keys: ['condition', 'multithreadingCondition'],
    counted: 'turns of both',
    leastRatio: EQUAL,
    settings: [
        {
            ...inTurn(2),
            what: 'a worker and an event loop in turn',
            job: (/** @type {number} */ thread) => JOBS[thread] ?? 'alternate',
        },
        { ...inTurn(2), what: '2 workers in turn', job: () => /** @type {const} */ ('alternate') },
    ],
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
