/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How contestants look: the same colour and the same name in all pictures. */

export const HOLDFAST = 'holdfast';
export const TEXTBOOK = 'textbook';
export const STOCK = "SQLite's own mutexes";

/** Blue and orange are told apart by the colour-blind too. */
const COLOURS = { [HOLDFAST]: '#0b57d0', [TEXTBOOK]: '#c4570c', [STOCK]: '#c4570c' };

/** Muted, and dark enough to be read as text on white. */
const OTHERS = [
    '#4f7d5b',
    '#8265a0',
    '#3d8089',
    '#8f7320',
    '#a3556f',
    '#75665a',
    '#64748b',
    '#6f7d2a',
    '#b0604f',
    '#5a6bb0',
    '#8b5a8b',
    '#3f8f6f',
    '#946b2d',
];

/** @typedef {ReturnType<typeof looksOf>} Looks */

/** @param {Iterable<string>} contestants that are in any picture */
export function looksOf(contestants) {
    const others = [...new Set(contestants)].filter((name) => !(name in COLOURS)).sort();
    const colours = new Map([
        ...Object.entries(COLOURS),
        ...others.map(
            (name, index) => /** @type {[string, string]} */ ([name, OTHERS[index % OTHERS.length]]),
        ),
    ]);
    return {
        /** @param {string} contestant */
        colour: (contestant) => colours.get(contestant),
        /** @param {string} contestant */
        width: (contestant) => (contestant === HOLDFAST ? 3.5 : contestant === TEXTBOOK ? 2.5 : 1.75),
        /** @param {string} contestant */
        weight: (contestant) => (contestant === HOLDFAST ? 700 : 400),
    };
}

/** @param {string} contestant */
export function nameOf(contestant) {
    return contestant === TEXTBOOK ? 'textbook lock' : contestant;
}

/** The name as a part of a sentence. @param {string} contestant */
export function theNameOf(contestant) {
    return contestant === TEXTBOOK ? `the ${nameOf(contestant)}` : contestant;
}

/**
 * holdfast comes last, to be drawn over all others.
 *
 * @template {{ contestant: string }} T
 * @param {readonly T[]} series
 */
export function holdfastLast(series) {
    return series.toSorted((a, b) => Number(a.contestant === HOLDFAST) - Number(b.contestant === HOLDFAST));
}
