/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Rows of both drawings over time: the page's on top, then one for each worker. */

const PAGE_PX = 36;
const WORKER_PX = 22;
const GAP_PX = 6;
const AXIS_PX = 20;

/** The widths of the names at the left, and of the values beside them if there is room. */
const NAMES_PX = 60;
const VALUES_PX = 56;
const WIDE_PX = 600;

/** The indent of a name. */
const INDENT_PX = 2;

/**
 * @typedef {{ top: number, height: number }} Row
 *
 * @typedef {object} Rows
 * @property {number} left where the time begins
 * @property {boolean} hasValues
 * @property {number} right
 * @property {Row} page
 * @property {Row[]} workers
 * @property {number} bottom of the last row
 */

/** Gives the canvas the height of its rows. @param {HTMLCanvasElement} canvas @param {number} workers */
export function makeRoom(canvas, workers) {
    canvas.style.height = `${PAGE_PX + workers * (GAP_PX + WORKER_PX) + AXIS_PX}px`;
}

/** @param {number} width @param {number} workers @returns {Rows} */
export function layOut(width, workers) {
    const rows = Array.from({ length: workers }, (_, index) => ({
        top: PAGE_PX + GAP_PX + index * (WORKER_PX + GAP_PX),
        height: WORKER_PX,
    }));
    return {
        left: width < WIDE_PX ? NAMES_PX : NAMES_PX + VALUES_PX,
        hasValues: width >= WIDE_PX,
        right: width,
        page: { top: 0, height: PAGE_PX },
        workers: rows,
        bottom: PAGE_PX + workers * (GAP_PX + WORKER_PX),
    };
}

/** @param {CanvasRenderingContext2D} context @param {import('../canvas.js').Colours} colours @param {Rows} rows */
export function drawGrounds(context, { raised, line }, { left, right, page, workers }) {
    for (const { top, height } of [page, ...workers]) {
        context.fillStyle = raised;
        context.fillRect(left, top, right - left, height);
        context.fillStyle = line;
        context.fillRect(left, top + height - 1, right - left, 1);
    }
}

/**
 * @param {CanvasRenderingContext2D} context @param {import('../canvas.js').Colours} colours @param {Rows} rows
 * @param {{ page: string, workers: string[] }} [values] beside the names
 */
export function nameRows(context, { ink, quiet }, { page, workers, hasValues }, values) {
    const named = [
        { row: page, name: 'page', value: values?.page },
        ...workers.map((row, index) => ({ row, name: `worker ${index + 1}`, value: values?.workers[index] })),
    ];
    for (const { row, name, value = '' } of named) {
        const middle = row.top + row.height / 2;
        context.textAlign = 'left';
        context.fillStyle = ink;
        context.fillText(name, INDENT_PX, middle);
        context.textAlign = 'right';
        context.fillStyle = quiet;
        context.fillText(hasValues ? value : '', NAMES_PX + VALUES_PX - 8, middle);
    }
}

/**
 * A moment that is marked, and on which side of it its name stands: in the middle if none is said.
 * @typedef {{ x: number, text: string, side?: 'left' | 'right' }} Mark
 */

/** @param {Mark} mark @param {number} width of its name @returns {number} where the name begins */
function startOf({ x, side }, width) {
    if (side === undefined) {
        return x - width / 2;
    }
    return side === 'left' ? x - width : x;
}

/**
 * @param {CanvasRenderingContext2D} context @param {import('../canvas.js').Colours} colours @param {Rows} rows
 * @param {Mark[]} marks from left to right; names without room are left out
 */
export function drawAxis(context, { quiet, line }, { left, right, bottom }, marks) {
    let free = left;
    context.textAlign = 'left';
    for (const mark of marks) {
        const { width } = context.measureText(mark.text);
        const start = Math.min(Math.max(startOf(mark, width), left), right - width);
        context.fillStyle = line;
        context.fillRect(Math.min(Math.round(mark.x), right - 1), 0, 1, bottom + 4);
        if (start >= free) {
            context.fillStyle = quiet;
            context.fillText(mark.text, start, bottom + 13);
            free = start + width + 4;
        }
    }
}
