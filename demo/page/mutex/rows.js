/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A row for the page, on top, and one a worker: alike in both drawings over time. */

const PAGE_PX = 36;
const WORKER_PX = 22;
const GAP_PX = 6;
const AXIS_PX = 20;

/** For the names, at the left, and for the values beside them where there is room. */
const NAMES_PX = 60;
const VALUES_PX = 56;
const WIDE_PX = 600;

/** Where a name begins in it. */
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

/**
 * Gives the canvas the height that so many rows need.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {number} workers
 */
export function makeRoom(canvas, workers) {
    canvas.style.height = `${PAGE_PX + workers * (GAP_PX + WORKER_PX) + AXIS_PX}px`;
}

/**
 * @param {number} width
 * @param {number} workers
 * @returns {Rows}
 */
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

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import('../canvas.js').Colours} colours
 * @param {Rows} rows
 */
export function drawGrounds(context, { raised, line }, { left, right, page, workers }) {
    for (const { top, height } of [page, ...workers]) {
        context.fillStyle = raised;
        context.fillRect(left, top, right - left, height);
        context.fillStyle = line;
        context.fillRect(left, top + height - 1, right - left, 1);
    }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import('../canvas.js').Colours} colours
 * @param {Rows} rows
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
 * @param {CanvasRenderingContext2D} context
 * @param {import('../canvas.js').Colours} colours
 * @param {Rows} rows
 * @param {{ x: number, text: string }[]} marks from left to right; one that has no room is left out
 */
export function drawAxis(context, { quiet, line }, { left, right, bottom }, marks) {
    let free = left;
    for (const { x, text } of marks) {
        const half = context.measureText(text).width / 2;
        const middle = Math.min(Math.max(x, left + half), right - half);
        context.fillStyle = line;
        context.fillRect(Math.round(x) - (x >= right ? 1 : 0), 0, 1, bottom + 4);
        if (middle - half >= free) {
            context.textAlign = 'center';
            context.fillStyle = quiet;
            context.fillText(text, middle, bottom + 13);
            free = middle + half + 8;
        }
    }
}
