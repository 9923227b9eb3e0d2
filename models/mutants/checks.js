/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { recordedStates } from '../explorer/recorded-states.js';
import { ALL_SCENARIOS } from '../programs/scenarios.js';

/* The names of checks. */

const KINDS = /** @type {const} */ (['specification', 'litmus', 'scenario', 'native', 'test']);
const NATIVE = /_(?:test|matrix|lives)$|^lifetimes$/;
export const FUZZER = /^fuzzer(?: with (?<switched>\w+))?$/;
/** More states than any scenario has. */
const MOST_STATES = 1e9;

const recorded = recordedStates();
const scenarios = new Set(ALL_SCENARIOS.map(({ name }) => name));

/** @param {string} check @returns {typeof KINDS[number]} */
export function kindOf(check) {
    if (check === 'specification' || check === 'litmus') {
        return check;
    }
    return scenarios.has(check) ? 'scenario' : NATIVE.test(check) ? 'native' : 'test';
}

/**
 * The file of a check, if it is a test of the glue, and the text in the names of its tests that are run.
 * @param {string} check
 */
export function testsOf(check) {
    const [name = '', text = ''] = check.split(': ');
    const folder = name.endsWith('-model') ? 'verification' : 'glue';
    const isTest = kindOf(check) === 'test' && !FUZZER.test(check);
    return isTest ? { file: `tests/${folder}/${name}.test.js`, text } : undefined;
}

/** Orders checks by how long they take. @param {string} check */
export function costOf(check) {
    const states = kindOf(check) === 'scenario' ? (recorded[check] ?? MOST_STATES) : 0;
    return KINDS.indexOf(kindOf(check)) * 2 * MOST_STATES + states;
}

/** The largest scenarios that `npm test` explores, in states. @type {[RegExp, number][]} */
const QUICK_STATES = [
    [/^(?:agents|holds), /, 40_000],
    [/^recursive mutex, /, 1000],
    [/^barrier of C, /, 4000],
    [/^/, 6000],
];

/** True if `npm test` runs this check. @param {string} check */
export function isQuick(check) {
    const most = QUICK_STATES.find(([names]) => names.test(check))?.[1] ?? 0;
    return (
        kindOf(check) !== 'litmus' &&
        (kindOf(check) !== 'scenario' || (recorded[check] ?? MOST_STATES) <= most)
    );
}
