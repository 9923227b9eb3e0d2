/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atLeast } from '../figures.js';
import { compareLoops } from './pairs.js';

/** The bound of the ratio if both run the same code: 1 less the noise between two turns. */
const SAME = 0.95;

/**
 * The bound of the ratio after a call has seen a traced object: its compiled code then checks further shapes
 * of objects.
 */
const MORE_SHAPES = 0.7;

const OTHERS = [
    { key: 'traceLoaded', bound: atLeast(SAME) },
    { key: 'besideTraced', bound: atLeast(MORE_SHAPES) },
    { key: 'tracedBefore', bound: atLeast(MORE_SHAPES) },
];

/** @type {import('./scenarios.js').Scenario} */
export const trace = {
    name: 'trace',
    title: 'a pair of calls from JavaScript of a mutex that was never traced, beside tracing',
    async run(options) {
        const others = options.full ? [...OTHERS, { key: 'tracedInFull' }] : OTHERS;
        return { figures: await compareLoops('pairs', 'lock and unlock', others, options) };
    },
};
