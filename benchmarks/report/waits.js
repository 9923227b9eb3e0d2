/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HOLDFAST, holdfastLast, nameOf, theNameOf } from './looks.js';
import { MARGIN, RULE, WIDTH, withHalo } from './drawing.js';
import { groupBy } from './group-by.js';

/* Wait distributions: a panel a setting; to the right ever rarer requests, upwards their waits, logarithmic. */

/** @typedef {import('../figures.js').Series} Series */

const RAREST = 3;
const LEAST_MS = 0.01;
const FRAME_MS = 1000 / 60;
const TOLD = 0.99;

/** For the name of the highest line. */
const ROOM_ABOVE = 3;

/** Points that lie closer than this in the picture are not told apart. */
const FINEST_STEP = 0.02;

/** @param {number} fraction so that each further 9 takes the same width */
function rarity(fraction) {
    return -Math.log10(1 - fraction);
}

/** @param {readonly [number, number][]} points */
function pathOf(points) {
    const path = [];
    let last = -Infinity;
    for (const [fraction, ms] of points) {
        const x = rarity(fraction);
        if (Number.isFinite(x) && x - last >= FINEST_STEP && last < RAREST && ms > 0) {
            path.push({ x, ms });
            last = x;
        }
    }
    return path;
}

/**
 * Within how many ms that fraction of all requests was answered.
 *
 * @param {Series} series
 * @param {number} fraction
 */
function within({ points }, fraction) {
    return points.find(([some]) => some >= fraction - 1e-9)?.[1];
}

/** @param {number} ms */
function span(ms) {
    const [value, unit] = ms >= 999.5 ? [ms / 1000, 's'] : [ms, 'ms'];
    return `${value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toPrecision(2)} ${unit}`;
}

/** @param {readonly Series[]} series */
function msDomain(series) {
    const shown = series.flatMap(({ points }) => pathOf(points).map(({ ms }) => ms));
    const least = Math.max(LEAST_MS, Math.min(1, ...shown));
    // The dotted line has to be in the picture too.
    return [10 ** Math.floor(Math.log10(least)), ROOM_ABOVE * Math.max(FRAME_MS, ...shown)];
}

/**
 * @param {Series} series
 * @param {import('./looks.js').Looks} looks
 * @param {boolean} isLowest so that there is no line under it, and room for its name
 */
function told(series, looks, isLowest) {
    const ms = within(series, TOLD);
    if (ms === undefined) {
        return [];
    }
    const color = looks.colour(series.contestant);
    const text = `${nameOf(series.contestant)} ${span(ms)}`;
    const place = { data: { values: [{ x: rarity(TOLD), ms }] }, encoding: places() };
    return [
        { ...place, mark: { type: 'point', filled: true, size: 60, color, opacity: 1 } },
        ...withHalo({
            ...place,
            mark: {
                type: 'text',
                text,
                ...(isLowest ? { align: 'center', dy: 20 } : { align: 'right', dx: 6, dy: -12 }),
                color,
                fontWeight: 600,
            },
        }),
    ];
}

function places() {
    return { x: { field: 'x', type: 'quantitative' }, y: { field: 'ms', type: 'quantitative' } };
}

/**
 * @param {readonly Series[]} series
 * @param {import('./looks.js').Looks} looks
 * @param {{ domain: number[], isLeft: boolean, isBottom: boolean, axis: string }} place
 * @returns {import('./drawing.js').Layer[]}
 */
function layersOf(series, looks, { domain, isLeft, isBottom, axis }) {
    const lowest = series.toSorted((a, b) => (within(a, TOLD) ?? NaN) - (within(b, TOLD) ?? NaN))[0];
    const ticks = [0.5, 0.9, 0.99, 0.999].map(rarity);
    const decades = [0.01, 0.1, 1, 10, 100, 1000, 10_000, 100_000];
    const x = {
        ...places().x,
        scale: { domain: [0, RAREST], nice: false },
        axis: {
            title: isBottom ? axis : null,
            values: ticks,
            labelExpr: "format(1 - pow(10, -datum.value), '.4~p')",
            labelFlush: true,
        },
    };
    const y = {
        ...places().y,
        scale: { type: 'log', domain, nice: false },
        axis: {
            title: null,
            values: decades,
            labels: isLeft,
            labelExpr: "datum.value >= 1000 ? datum.value / 1000 + ' s' : format(datum.value, '~r') + ' ms'",
        },
    };
    return [
        {
            data: { values: [{ ms: FRAME_MS }] },
            mark: { type: 'rule', color: RULE, strokeDash: [2, 3] },
            encoding: { y: places().y },
        },
        ...holdfastLast(series).map(({ contestant, points }) => ({
            data: { values: pathOf(points) },
            mark: {
                type: 'line',
                color: looks.colour(contestant),
                strokeWidth: looks.width(contestant),
                clip: true,
            },
            encoding: { x, y },
        })),
        ...series.flatMap((one) => told(one, looks, one === lowest)),
    ];
}

/**
 * @param {readonly Series[]} allSeries
 * @param {import('./looks.js').Looks} looks
 * @param {{ rival: string, what: string, axis: string, subtitle: string, caption: string[] }} words `rival`: the only other
 *     contestant that is shown; `what` happens to 99 of 100
 * @returns {import('./drawing.js').Picture}
 */
export function waitsPicture(allSeries, looks, { rival, what, axis, subtitle, caption }) {
    const series = allSeries.filter(({ contestant }) => contestant === HOLDFAST || contestant === rival);
    const panels = groupBy(series, ({ panel }) => panel);
    const domain = msDomain(series);
    const columns = panels.size === 4 ? 2 : Math.min(3, panels.size);
    const left = 52;
    const gap = 28;
    return {
        title: finding(series, rival, what),
        subtitle: `${subtitle} Dotted: one frame at 60 Hz.`,
        caption,
        layout: { columns, left, gap, width: panelWidth(columns, left, gap), height: 170 },
        panels: [...panels].map(([title, ofPanel], index) => ({
            title,
            layers: layersOf(ofPanel, looks, {
                domain,
                axis,
                isLeft: index % columns === 0,
                isBottom: index >= panels.size - columns,
            }),
        })),
    };
}

/**
 * @param {number} columns
 * @param {number} left
 * @param {number} gap
 */
function panelWidth(columns, left, gap) {
    return Math.floor((WIDTH - MARGIN.left - left - (columns - 1) * gap - MARGIN.right) / columns);
}

/**
 * The worst panel speaks for each contestant.
 *
 * @param {readonly Series[]} series
 * @param {string} rival
 * @param {string} what
 */
function finding(series, rival, what) {
    const worst = [HOLDFAST, rival].flatMap((name) => {
        const waits = series
            .filter(({ contestant }) => contestant === name)
            .map((one) => within(one, TOLD) ?? NaN);
        const most = Math.max(...waits);
        return Number.isFinite(most) ? [`${span(most)} with ${theNameOf(name)}`] : [];
    });
    return `99 of 100 ${what} up to ${worst.join(', ')}`;
}
