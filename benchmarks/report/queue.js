/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HOLDFAST, nameOf, TEXTBOOK, theNameOf } from './looks.js';
import { MARGIN, WIDTH } from './drawing.js';
import { groupBy } from './group-by.js';
import { linesWithNames } from './lines.js';
import { widthOfNames } from './side-labels.js';

/* The cost of a request against how many are pending, both logarithmic: a line a contestant. */

/** @typedef {import('../figures.js').Series} Series */

const HEIGHT = 260;
const LEFT = 58;
const FEW_DECADES = 2;

/**
 * Round numbers around what is shown: powers of ten, and some between them if they are few.
 *
 * @param {readonly number[]} values
 */
function ticksAround(values) {
    const [least, most] = [Math.min(...values), Math.max(...values)].map(Math.log10);
    const first = Math.floor(least ?? 0);
    const decades = Math.max(1, Math.ceil(most ?? 0) - first);
    const steps = decades <= FEW_DECADES ? [1, 2, 5] : [1];
    const inside = Array.from({ length: decades }, (_, decade) =>
        steps.map((step) => Number(`${step}e${first + decade}`)),
    );
    return [...inside.flat(), Number(`1e${first + decades}`)];
}

/**
 * @param {readonly number[]} values
 * @param {string} title
 * @param {string} labelExpr
 * @returns {import('./lines.js').Axis}
 */
function logAxis(values, title, labelExpr) {
    const ticks = ticksAround(values);
    return { title, scale: 'log', domain: [ticks[0] ?? 1, ticks.at(-1) ?? 10], values: ticks, labelExpr };
}

/**
 * @param {readonly Series[]} allSeries
 * @param {import('./looks.js').Looks} looks
 * @param {string[]} caption
 * @returns {import('./drawing.js').Picture}
 */
export function queuePicture(allSeries, looks, caption) {
    // A logarithm has no place for what took no time by the clock.
    const series = allSeries.map((one) => ({ ...one, points: one.points.filter(([, cost]) => cost > 0) }));
    const panels = groupBy(series, ({ panel }) => panel);
    const names = widthOfNames(series.map(({ contestant }) => nameOf(contestant)));
    const size = { width: WIDTH - MARGIN.left - MARGIN.right - LEFT - names, height: HEIGHT };
    const all = series.flatMap(({ points }) => points);
    const axes = {
        x: logAxis(
            all.map(([x]) => x),
            'pending requests',
            "format(datum.value, ',')",
        ),
        y: logAxis(
            all.map(([, y]) => y),
            '',
            "datum.value >= 1000 ? datum.value / 1000 + ' ms' : format(datum.value, '~r') + ' µs'",
        ),
    };
    return {
        title: finding(series),
        subtitle: 'Cost of a request against how many of the same thread are pending. Lower is better.',
        caption,
        layout: { ...size, columns: 1, left: LEFT, gap: 0 },
        panels: [...panels].map(([title, ofPanel]) => ({
            title,
            layers: linesWithNames(ofPanel, looks, axes, size),
        })),
    };
}

/**
 * The cost of holdfast's longest queue, and of the textbook lock's if it has one as long.
 *
 * @param {readonly Series[]} series
 */
function finding(series) {
    const pointsOf = (/** @type {string} */ name) =>
        series.filter(({ contestant }) => contestant === name).flatMap(({ points }) => points);
    const size = Math.max(...pointsOf(HOLDFAST).map(([x]) => x));
    const costs = [HOLDFAST, TEXTBOOK].flatMap((name) => {
        const cost = pointsOf(name).find(([x]) => x === size)?.[1];
        return cost === undefined ? [] : [`${costOf(cost)} with ${theNameOf(name)}`];
    });
    return `${size.toLocaleString('en')} pending requests: each ${costs.join(', ')}`;
}

/** @param {number} us */
function costOf(us) {
    return us >= 999.5
        ? `${(us / 1000).toFixed(1)} ms`
        : us >= 100
          ? `${us.toFixed(0)} µs`
          : `${us.toFixed(1)} µs`;
}
