/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atMost } from '../figures.js';
import { pairInC } from './pairs.js';

/** V8 of Node 20 keeps a loop's counter in memory around the calls of slow paths, two in holdfast's pair. */
const MOST_OF_PTHREAD = Number(process.versions.node.split('.')[0]) < 22 ? 1.05 : 0.95;

const bounds = { 'bare instructions': atMost(1.1), pthread_mutex: atMost(MOST_OF_PTHREAD) };

/** @type {import('./scenarios.js').Scenario} */
export const c = {
    name: 'c',
    inOtherProcesses: true,
    title: 'a pair of calls in C, with nobody else there',
    async run(options) {
        return { figures: await pairInC('mutex', 'lock and unlock', options, { bounds }) };
    },
};
