/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { contendInC, contendInJs, EQUAL } from './contended.js';

const meeting = (/** @type {number} */ threads) => ({ what: `${threads} threads`, threads, us: 0 });

/** All threads pass in each round. */
const ROUNDS = {
    counted: 'rounds',
    ratesOf: (/** @type {number[]} */ rates) => rates.map((rate) => rate / rates.length),
    leastRatio: EQUAL,
};

const IN_C = {
    ...ROUNDS,
    primitive: /** @type {const} */ ('barrier'),
    all: [2, 4, 8].map(meeting),
    quick: [meeting(4)],
};

/** With four threads, runs of the same barrier differ by half, as the system happens to place the threads on the cores. */
const RUNS_A_ROUND = 3;

const IN_JS = {
    ...ROUNDS,
    keys: ['barrier', 'multithreadingBarrier'],
    settings: [2, 4, 8].map((threads) => ({
        ...meeting(threads),
        job: () => /** @type {const} */ ('rounds'),
    })),
};

/** @type {import('./scenarios.js').Scenario} */
export const barrier = {
    name: 'barrier',
    inOtherProcesses: true,
    title: 'threads that meet at a barrier, round after round',
    async run(options) {
        const more = { ...options, rounds: options.rounds * RUNS_A_ROUND };
        const inJs = options.full ? await contendInJs(IN_JS, more) : [];
        return { figures: [...(await contendInC(IN_C, options)), ...inJs] };
    },
};
