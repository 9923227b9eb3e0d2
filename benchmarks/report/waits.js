/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MARGIN, RULE, WIDTH, withHalo } from './drawing.js';

/* Wait distributions: a panel a setting; to the right ever rarer requests, upwards their waits, logarithmic. */

/** @typedef {import('../figures.js').Series} Series */

const RAREST = 3;
const LEAST_MS = 0.01;
const FRAME_MS = 1000 / 60;
const TOLD = 0.99;

const HOLDFAST = 'holdfast';

/** Blue and orange are told apart by the colour-blind too. */
const LOOKS = {
    ours: { color: '#0b57d0', strokeWidth: 3.5 },
    theirs: { color: '#c4570c', strokeWidth: 2.5 },
};

/** @param {string} contestant */
function looksOf(contestant) {
    return contestant === HOLDFAST ? LOOKS.ours : LOOKS.theirs;
}

/** @param {string} contestant */
function nameOf(contestant) {
    return contestant === 'textbook' ? 'textbook lock' : contestant;
}

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
 * @param {boolean} isLowest so that there is no line under it, and room for its name
 */
function told(series, isLowest) {
    const ms = within(series, TOLD);
    if (ms === undefined) {
        return [];
    }
    const { color } = looksOf(series.contestant);
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
 * @param {{ domain: number[], isLeft: boolean, isBottom: boolean, axis: string }} place
 * @returns {import('./drawing.js').Layer[]}
 */
function layersOf(series, { domain, isLeft, isBottom, axis }) {
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
        // The rival first, so that holdfast's line is drawn over it.
        ...series.toReversed().map(({ contestant, points }) => ({
            data: { values: pathOf(points) },
            mark: { type: 'line', ...looksOf(contestant), clip: true },
            encoding: { x, y },
        })),
        ...series.flatMap((one) => told(one, one === lowest)),
    ];
}

/**
 * @typedef {object} Words
 * @property {string} rival the only other contestant that is shown
 * @property {string} what happens to 99 of 100
 * @property {string} axis
 * @property {string} subtitle
 * @property {string} caption
 */

/**
 * @param {readonly Series[]} allSeries holdfast's first in each panel
 * @param {Words} words
 * @returns {import('./drawing.js').Picture}
 */
export function waitsPicture(allSeries, { rival, what, axis, subtitle, caption }) {
    const series = allSeries.filter(({ contestant }) => contestant === HOLDFAST || contestant === rival);
    const titles = [...new Set(series.map(({ panel }) => panel))];
    const domain = msDomain(series);
    const columns = titles.length === 4 ? 2 : Math.min(3, titles.length);
    const left = 52;
    const gap = 28;
    const room = WIDTH - MARGIN.left - left - (columns - 1) * gap - MARGIN.right;
    return {
        title: finding(series, rival, what),
        subtitle: `${subtitle} Dotted: one frame at 60 Hz.`,
        caption,
        layout: { columns, left, gap, width: Math.floor(room / columns), height: 170 },
        panels: titles.map((title, index) => ({
            title,
            layers: layersOf(
                series.filter(({ panel }) => panel === title),
                {
                    domain,
                    axis,
                    isLeft: index % columns === 0,
                    isBottom: index >= titles.length - columns,
                },
            ),
        })),
    };
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
        const the = name === 'textbook' ? 'the ' : '';
        return Number.isFinite(most) ? [`${span(most)} with ${the}${nameOf(name)}`] : [];
    });
    return `99 of 100 ${what} up to ${worst.join(', ')}`;
}
