/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runUncontendedInC } from '../c-programs.js';
import { atMost } from '../figures.js';
import { interleave } from '../rounds.js';
import { loopTurns } from './loop-turns.js';
import { pairFigures } from './pair-figures.js';

/** @type {Record<string, import('../figures.js').Bound>} */
const BOUNDS_IN_WASM = {
    'bare instructions': atMost(1.15),
    pthread_mutex: atMost(1),
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
