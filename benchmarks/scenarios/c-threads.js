/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { contestantsInC, runContendedInC, runRoundsInC } from '../c-programs.js';
import { interleave } from '../rounds.js';
import { gridFigures } from './grid-figures.js';

/** @typedef {import('../c-programs.js').Target} Target */
/** @typedef {{ threads: number, sectionMicroseconds: number }} Load */

/** @type {readonly Load[]} */
const ALL_LOADS = [0, 1, 5, 20, 100].flatMap((sectionMicroseconds) =>
    [2, 4, 8].map((threads) => ({ threads, sectionMicroseconds })),
);

/** @type {readonly Load[]} as many threads as cores, and more */
const QUICK_LOADS = [
    { threads: 2, sectionMicroseconds: 5 },
    { threads: 4, sectionMicroseconds: 5 },
];

const PLACES = { wasm: 'in C', native: 'in native C' };

/** @param {Load} load */
function describe({ threads, sectionMicroseconds }) {
    return `${threads} threads, ${sectionMicroseconds} µs`;
}

/**
 * The rates of one load. In full each run has a process of its own, which takes as long to start as a quick run.
 *
 * @param {Target} target
 * @param {Load} load
 * @param {readonly string[]} contestants
 * @param {import('./scenarios.js').Options} options
 */
function runLoad(target, load, contestants, { full, rounds, seconds }) {
    const timed = { ...load, seconds: seconds / 2 };
    if (!full) {
        return runRoundsInC(target, 'mutex', { ...timed, contestants, rounds });
    }
    const runs = contestants.map((contestant) => [
        contestant,
        () => runContendedInC(target, { ...timed, contestant }),
    ]);
    return interleave(rounds, Object.fromEntries(runs));
}

/**
 * @param {Target} target
 * @param {readonly Load[]} loads
 * @param {import('./scenarios.js').Options} options
 */
async function runGrid(target, loads, options) {
    const contestants = Object.entries(await contestantsInC(target));
    const able = contestants.filter(([, { cannot }]) => cannot === undefined).map(([name]) => name);
    const settings = [];
    for (const load of loads) {
        settings.push({
            what: describe(load),
            threads: load.threads,
            panel: `${PLACES[target]}, sections of ${load.sectionMicroseconds} µs`,
            results: await runLoad(target, load, able, options),
        });
    }
    const cannot = Object.fromEntries(
        contestants.flatMap(([name, { cannot }]) => (cannot ? [[name, cannot]] : [])),
    );
    return gridFigures(settings, cannot, { where: `${PLACES[target]}, `, bounded: target === 'wasm' });
}

/** @type {import('./scenarios.js').Scenario} */
export const cThreads = {
    name: 'c-threads',
    inOtherProcesses: true,
    title: 'threads in C that lock again and again: sections per second',
    async run(options) {
        const wasm = await runGrid('wasm', options.full ? ALL_LOADS : QUICK_LOADS, options);
        if (!options.full) {
            return wasm;
        }
        const native = await runGrid('native', ALL_LOADS, options);
        return {
            figures: [...wasm.figures, ...native.figures],
            series: [...wasm.series, ...native.series],
        };
    },
};
