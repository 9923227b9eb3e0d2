/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HOLDFAST, nameOf } from './looks.js';
import { MARGIN, WIDTH } from './drawing.js';
import { groupBy } from './group-by.js';
import { linesWithNames } from './lines.js';
import { widthOfNames } from './side-labels.js';

/* Sections per second against threads: a panel a length of section, a line a contestant. */

/** @typedef {import('../figures.js').Series} Series */

const COLUMNS = 2;
const HEIGHT = 170;
const LEFT = 52;

/** Around the first and the last number of threads, so that their points are not on the border. */
const ROOM = 1.12;

/**
 * @param {readonly Series[]} series
 * @param {boolean} isBottom
 */
function axesOf(series, isBottom) {
    const threads = [...new Set(series.flatMap(({ points }) => points.map(([x]) => x)))].sort(
        (a, b) => a - b,
    );
    const most = Math.max(...series.flatMap(({ points }) => points.map(([, y]) => y)));
    return {
        x: {
            title: isBottom ? 'threads' : null,
            scale: /** @type {const} */ ('log'),
            domain: /** @type {const} */ ([(threads[0] ?? 1) / ROOM, (threads.at(-1) ?? 1) * ROOM]),
            values: threads,
            labelExpr: 'datum.label',
        },
        y: {
            title: null,
            scale: /** @type {const} */ ('linear'),
            domain: /** @type {const} */ ([0, most * 1.05]),
            labelExpr: "datum.value === 0 ? '0' : replace(format(datum.value, '~s'), /([kM])/, ' $1') + '/s'",
        },
    };
}

/**
 * @param {readonly Series[]} series
 * @param {import('./looks.js').Looks} looks
 * @param {{ where: string, caption: string[] }} words
 * @returns {import('./drawing.js').Picture}
 */
export function throughputPicture(series, looks, { where, caption }) {
    const panels = groupBy(series, ({ panel }) => panel);
    const columns = Math.min(COLUMNS, panels.size);
    const names = widthOfNames(series.map(({ contestant }) => nameOf(contestant)));
    const room = WIDTH - MARGIN.left - MARGIN.right - columns * (LEFT + names);
    const size = { width: Math.floor(room / columns), height: HEIGHT };
    return {
        title: finding([...panels.values()]),
        subtitle: `Sections per second of all threads together, ${where}. Higher is better.`,
        caption,
        layout: { ...size, columns, left: LEFT, gap: names + LEFT },
        panels: [...panels].map(([title, ofPanel], index) => ({
            title,
            layers: linesWithNames(ofPanel, looks, axesOf(ofPanel, index >= panels.size - columns), size),
        })),
    };
}

/**
 * In how many places its line is the highest, and how far below the highest it is at worst.
 *
 * @param {readonly (readonly Series[])[]} panels
 */
function finding(panels) {
    const ratios = panels.flatMap((series) => {
        const ours = series.find(({ contestant }) => contestant === HOLDFAST)?.points ?? [];
        const others = series.filter(({ contestant }) => contestant !== HOLDFAST);
        return ours.map(([threads, rate]) => {
            const theirs = others.flatMap(({ points }) => points.filter(([x]) => x === threads));
            return rate / Math.max(0, ...theirs.map(([, y]) => y));
        });
    });
    const first = ratios.filter((ratio) => ratio >= 1).length;
    const worst = Math.floor(100 * Math.min(...ratios));
    const rest = first === ratios.length ? '' : `, and at ${worst}% of the top at worst`;
    return `holdfast is on top in ${first} of ${ratios.length} places${rest}`;
}
