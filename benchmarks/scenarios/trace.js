/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atLeast } from '../figures.js';
import { compareLoops } from './loop-figures.js';

/** What is the same code comes to the same within what a machine does between two turns. */
const SAME = 0.95;

/** Calls that have met a traced object look for its shape, too. */
const ONE_SHAPE_MORE = 0.8;

/** @type {import('./scenarios.js').Scenario} */
export const trace = {
    name: 'trace',
    title: 'a pair of calls from JavaScript of a mutex that was never traced, beside tracing',
    async run(options) {
        const others = [
            { key: 'traceLoaded', bound: atLeast(SAME) },
            { key: 'besideTraced', bound: atLeast(ONE_SHAPE_MORE) },
            { key: 'tracedBefore', bound: atLeast(ONE_SHAPE_MORE) },
            { key: 'traced' },
            { key: 'tracedInFull' },
        ];
        return compareLoops('uncontended', 'blocks', 'lock and unlock', others, options);
    },
};
