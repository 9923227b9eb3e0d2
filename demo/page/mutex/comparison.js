/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { element } from '../elements.js';
import { fillTable } from '../table.js';
import { count, duration, percent } from '../wording.js';

/* The table of figures: a column a lock, so that both stand side by side for the same settings. */

/**
 * @typedef {object} Figures
 * @property {number | undefined} median in ms; undefined before the first request
 * @property {number | undefined} p99
 * @property {number | undefined} worst
 * @property {number} unanswered
 * @property {number} sections of workers, per second
 * @property {{ workers: number[], page: number }} shares
 */

/** @param {number | undefined} ms */
function durationOrNothing(ms) {
    return ms === undefined ? '–' : duration(ms);
}

/**
 * The rows of the table, by the ids that their cells begin with.
 * @type {Record<string, { title: string, words: (figures: Figures) => string }>}
 */
const ROWS = {
    median: { title: 'The page’s wait, median', words: ({ median }) => durationOrNothing(median) },
    p99: { title: '99th percentile', words: ({ p99 }) => durationOrNothing(p99) },
    worst: { title: 'worst', words: ({ worst }) => durationOrNothing(worst) },
    unanswered: { title: 'Requests unanswered', words: ({ unanswered }) => count(unanswered) },
    sections: { title: 'Workers’ sections per second', words: ({ sections }) => count(sections) },
    workers: {
        title: 'Held by each worker',
        words: ({ shares }) => (shares.workers.length === 0 ? '–' : shares.workers.map(percent).join(' · ')),
    },
    page: { title: 'Held by the page', words: ({ shares }) => percent(shares.page) },
};

const LOCKS = /** @type {const} */ (['holdfast', 'textbook']);

fillTable(
    'column',
    Object.fromEntries(LOCKS.map((lock) => [lock, lock])),
    Object.fromEntries(Object.entries(ROWS).map(([row, { title }]) => [row, title])),
    (row, lock) => `${row}-${lock}`,
);

/**
 * Shows the present figures of a lock; the other lock's column keeps its last figures.
 * @param {import('../../contestants.js').ContestantName} lock @param {Figures} figures
 */
export function showColumn(lock, figures) {
    for (const [row, { words }] of Object.entries(ROWS)) {
        element(`${row}-${lock}`).textContent = words(figures);
    }
}

/** Marks the column of the running lock. @param {import('../../contestants.js').ContestantName} lock */
export function markColumn(lock) {
    for (const name of LOCKS) {
        element(`column-${name}`).toggleAttribute('data-runs', name === lock);
    }
}

/** Clears all figures after a change of the settings. */
export function clearColumns() {
    for (const row of Object.keys(ROWS)) {
        LOCKS.forEach((lock) => (element(`${row}-${lock}`).textContent = '–'));
    }
}
