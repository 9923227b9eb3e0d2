/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { explore } from '../explorer/explore.js';
import { MUTEX_SCENARIOS } from '../programs/mutex.scenarios.js';
import { sitesByAddress, withWindows } from './order-sites.js';
import { partsOf } from '../explorer/scenario.js';
import { decode } from '../wasm/decoder.js';
import { interpreterOf } from '../wasm/interpreter.js';
import { WeakMachine } from './weak-machine.js';

/* The scenarios explored with the orders of the C sources. The native build has no event loops, so most
 * threads here block; scenarios with loops show that another kind of driver could rely on the same orders. */

const NAMES = [
    '2 workers, 3 rounds',
    '3 workers',
    'a try, 2 workers',
    '2 workers with 2 rounds, slices',
    '2 time limits, 1 worker',
    '1 worker, 2 loops',
    'a try that watches, 2 workers, slices',
];

/** Scenarios that only `npm run orders` explores: each mistake is also found without them. */
const LONG_NAMES = [
    '3 workers, slices',
    'a time limit, 2 workers, one with 2 rounds',
    '3 workers, 2 rounds',
    '2 workers, 1 loop that polls',
    '2 workers, 1 loop with 2 requests',
    '1 worker, 2 loops with aborts',
];

/** @param {{ long?: boolean }} [options] */
export function weakScenarios({ long = false } = {}) {
    return [...NAMES, ...(long ? LONG_NAMES : [])].map((name) => {
        const scenario = MUTEX_SCENARIOS.find((known) => known.name === name);
        if (!scenario) {
            throw new Error(`there is no scenario ${name}`);
        }
        return scenario;
    });
}

const PROBING = ['c-src/gate_block.c', 'c-src/waiting.c'];
const LOOKS = /(SPINS_BEFORE_SLEEP|SPINS_FOR_A_CHANGE) = \d+/g;

/**
 * The module with its orders in its addresses, and with one read a spin loop: one later read stands for many
 * (shipped-module.js).
 * @param {import('../mutants/mutant-build.js').MutantBuild} build
 * @param {import('../mutants/mutant-build.js').Edit[]} [edits] changed sources
 */
export function moduleWithOrders(build, edits = sitesByAddress()) {
    const looking = PROBING.map((file) => {
        const text = edits.find((edit) => edit.file === file)?.text ?? sourceOf(file);
        return { file, text: text.replace(LOOKS, '$1 = 1') };
    });
    const others = edits.filter(({ file }) => !PROBING.includes(file));
    return decode(build.bytesWith(withWindows([...others, ...looking])));
}

/** @param {string} file */
function sourceOf(file) {
    return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

/**
 * @param {import('../wasm/decoder.js').Module} module
 * @param {import('../explorer/scenario.js').Scenario} scenario
 * @param {import('./weak-machine.js').Rules} [rules]
 */
export function exploreWeakly(module, scenario, rules = {}) {
    const runner = interpreterOf(module);
    const parts = partsOf(module, scenario, () => runner);
    return explore(new WeakMachine(parts, { ...scenario, ...rules }));
}

/**
 * The first scenario with a violation, and the violation.
 * @param {import('../wasm/decoder.js').Module} module
 * @param {import('./weak-machine.js').Rules} [rules]
 */
export function firstFailure(module, rules = {}) {
    for (const scenario of weakScenarios()) {
        const { failure, schedule } = exploreWeakly(module, scenario, rules);
        if (failure) {
            return { scenario: scenario.name, failure, schedule };
        }
    }
    return undefined;
}
