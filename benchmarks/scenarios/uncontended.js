/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atMost } from '../figures.js';
import { compareLoops } from './pairs.js';

const RIVALS = [
    { key: 'bare', bound: atMost(1.15) },
    { key: 'textbook', bound: atMost(0.4) },
    { key: 'threeState' },
    { key: 'multithreading', bound: atMost(1) },
    { key: 'atomicsMutex', bound: atMost(1) },
];

/** @type {import('./scenarios.js').Scenario} */
export const uncontended = {
    name: 'uncontended',
    title: 'a pair of calls from JavaScript, with nobody else there',
    async run(options) {
        return { figures: await compareLoops('pairs', 'lock and unlock', RIVALS, options) };
    },
};
