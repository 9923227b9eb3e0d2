/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { contendInC, EQUAL } from './contended.js';

const meeting = (/** @type {number} */ threads) => ({ what: `${threads} threads`, threads, us: 0 });

const IN_C = {
    primitive: /** @type {const} */ ('barrier'),
    counted: 'rounds',
    /** All threads pass in each round. */
    ratesOf: (/** @type {number[]} */ rates) => rates.map((rate) => rate / rates.length),
    leastRatio: EQUAL,
    all: [2, 4, 8].map(meeting),
    quick: [meeting(4)],
};

/** @type {import('./scenarios.js').Scenario} */
export const barrier = {
    name: 'barrier',
    inOtherProcesses: true,
    title: 'threads that meet at a barrier, round after round',
    run: async (options) => ({ figures: await contendInC(IN_C, options) }),
};
