/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runUncontendedInC } from '../c-programs.js';
import { atMost, figureOf } from '../figures.js';
import { interleave } from '../rounds.js';
import { loopTurns } from './loop-turns.js';

/** @typedef {import('../c-programs.js').Target} Target */

/** @type {Record<string, import('../figures.js').Bound>} */
const BOUNDS_IN_WASM = {
    'bare instructions': atMost(1.15),
    pthread_mutex: atMost(1),
    emscripten_lock: atMost(1),
};

/**
 * @param {string} what
 * @param {Awaited<ReturnType<typeof runUncontendedInC>>[]} runs
 * @param {Record<string, import('../figures.js').Bound>} bounds
 */
function figuresOf(what, runs, bounds) {
    const names = Object.keys(runs[0] ?? {});
    /** @param {string} name */
    const turnsOf = (name) => runs.flatMap((run) => run[name]?.nanoseconds ?? []);
    return names
        .filter((name) => name !== 'holdfast')
        .map((name) => {
            const cannot = runs[0]?.[name]?.cannot;
            const other = cannot === undefined ? { name, rounds: turnsOf(name) } : { name, cannot };
            return figureOf(
                what,
                'ns',
                turnsOf('holdfast'),
                other,
                cannot === undefined ? bounds[name] : undefined,
            );
        });
}

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
                ...figuresOf('lock and unlock, in wasm', wasm, BOUNDS_IN_WASM),
                ...figuresOf('lock and unlock, native', native, {}),
            ],
        };
    },
};
