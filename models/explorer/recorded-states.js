/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync, writeFileSync } from 'node:fs';

/* How many states each scenario had when it was recorded; null: its search never finished. A model that
 * explores fewer states would find less; these numbers reveal it. */

/** @typedef {Record<string, number | null | undefined>} Recorded by a scenario's name */

const FILE = new URL('../programs/states.json', import.meta.url);
const JSON_INDENT = 4;

/** The module of another compiler may have a few more or fewer states. */
const LEAST_SHARE = 0.9;

/** Larger scenarios are left to the full run. */
const MOST_QUICK_STATES = 150_000;

/** @returns {Recorded} */
export function recordedStates() {
    return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** @param {Recorded} statesOf */
export function recordStates(statesOf) {
    writeFileSync(FILE, `${JSON.stringify(statesOf, null, JSON_INDENT)}\n`);
}

/** A scenario without a recorded number counts as not large. @param {{ name: string }} scenario @param {Recorded} recorded */
export function isLarge({ name }, recorded) {
    const states = recorded[name];
    return states === null || Number(states) > MOST_QUICK_STATES;
}

/**
 * The complaint about a number of states; '' if there is none.
 * @param {number} states
 * @param {number | null | undefined} recorded
 */
export function shrinkage(states, recorded) {
    if (recorded === undefined) {
        return 'its states are not recorded; `npm run model -- --record` does that';
    }
    if (recorded !== null && states < recorded * LEAST_SHARE) {
        return `${states} states, but ${recorded} are recorded: if that is meant, \`npm run model -- --record\``;
    }
    return '';
}
