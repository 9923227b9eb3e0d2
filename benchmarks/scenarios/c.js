/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runUncontendedInC } from '../c-programs.js';
import { atMost } from '../figures.js';
import { interleave } from '../rounds.js';
import { loopTurns } from './loop-turns.js';
import { pairFigures } from './pair-figures.js';

/** V8 of Node 20 keeps a loop's counter in memory around the calls of slow paths, two in holdfast's pair. */
const MOST_OF_PTHREAD = Number(process.versions.node.split('.')[0]) < 22 ? 1.05 : 0.95;

/** @type {Record<string, import('../figures.js').Bound>} */
const BOUNDS_IN_WASM = {
    'bare instructions': atMost(1.1),
    pthread_mutex: atMost(MOST_OF_PTHREAD),
    emscripten_lock: atMost(1),
};

/** @type {import('./scenarios.js').Scenario} */
export const c = {
    name: 'c',
    inOtherProcesses: true,
    title: 'a pair of calls in C, with nobody else there',
    async run(options) {
        const turns = loopTurns(options);
        const { wasm, native } = await interleave(options.rounds, {
            wasm: () => runUncontendedInC('wasm', turns),
            native: () => runUncontendedInC('native', turns),
        });
        return {
            figures: [
                ...pairFigures('lock and unlock, in wasm', wasm, BOUNDS_IN_WASM),
                ...pairFigures('lock and unlock, native', native, {}),
            ],
        };
    },
};
