/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { holdfastLast, nameOf } from './looks.js';
import { sideLabels } from './side-labels.js';

/* A panel with a line a contestant, whose names stand beside the ends of the lines. */

/** @typedef {import('../figures.js').Series} Series */

/**
 * @typedef {object} Axis
 * @property {string | null} title
 * @property {'linear' | 'log'} scale
 * @property {readonly [number, number]} domain
 * @property {readonly number[]} [values] that are labelled; Vega's choice by default
 * @property {string} labelExpr in Vega's language
 */

/**
 * The position of a value on an axis, from 0 to 1.
 *
 * @param {number} value
 * @param {Axis} axis
 */
function placeOf(value, { scale, domain: [least, most] }) {
    const of = scale === 'log' ? Math.log : Number;
    return (of(value) - of(least)) / (of(most) - of(least));
}

/**
 * @param {string} field
 * @param {Axis} axis
 */
function encode(field, { title, scale, domain, values, labelExpr }) {
    return {
        field,
        type: 'quantitative',
        scale: { type: scale, domain, nice: false },
        axis: { title, labelExpr, ...(values ? { values } : { tickCount: 4 }) },
    };
}

/**
 * @param {readonly Series[]} series
 * @param {import('./looks.js').Looks} looks
 * @param {{ x: Axis, y: Axis }} axes
 * @param {{ width: number, height: number }} size
 * @returns {import('./drawing.js').Layer[]}
 */
export function linesWithNames(series, looks, axes, size) {
    const encoding = { x: encode('x', axes.x), y: encode('y', axes.y) };
    const lines = holdfastLast(series).map(({ contestant, points }) => {
        const color = looks.colour(contestant);
        const strokeWidth = looks.width(contestant);
        return {
            data: { values: points.map(([x, y]) => ({ x, y })) },
            mark: { type: 'line', color, strokeWidth, point: { color, size: 10 * strokeWidth } },
            encoding,
        };
    });
    const ends = series.map(({ contestant, points }) => {
        const [x, y] = points.at(-1) ?? [NaN, NaN];
        return {
            name: nameOf(contestant),
            x: size.width * placeOf(x, axes.x),
            y: size.height * (1 - placeOf(y, axes.y)),
            colour: looks.colour(contestant),
            weight: looks.weight(contestant),
        };
    });
    return [...lines, ...sideLabels(ends, size)];
}
