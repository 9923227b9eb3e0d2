/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runUncontendedInC } from '../c-programs.js';
import { atMost, figureOf } from '../figures.js';
import { interleave } from '../rounds.js';

/** Contestants take turns quickly here, so that a disturbance of the machine seldom falls on one only. */
const TURN_MILLISECONDS = 10;

/** A loop needs less time than threads that contend until its speed is known. */
const MOST_SECONDS = 0.15;

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
    async run({ rounds, seconds }) {
        const options = {
            turns: Math.ceil((Math.min(seconds, MOST_SECONDS) * 1000) / TURN_MILLISECONDS),
            milliseconds: TURN_MILLISECONDS,
        };
        const { wasm, native } = await interleave(rounds, {
            wasm: () => runUncontendedInC('wasm', options),
            native: () => runUncontendedInC('native', options),
        });
        return {
            figures: [
                ...figuresOf('lock and unlock, in wasm', wasm, BOUNDS_IN_WASM),
                ...figuresOf('lock and unlock, native', native, {}),
            ],
        };
    },
};
