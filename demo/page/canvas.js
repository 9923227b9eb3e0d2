/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Shared by all drawings: a canvas that fits its element and the screen's pixels, and the colours of the
 * page. */

/**
 * @typedef {object} Sheet
 * @property {CanvasRenderingContext2D} context cleared; its unit is a pixel of CSS
 * @property {number} width
 * @property {number} height
 */

/** @param {HTMLCanvasElement} canvas @returns {Sheet} */
export function clearSheet(canvas) {
    const { clientWidth: width, clientHeight: height } = canvas;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const scale = window.devicePixelRatio;
    const [pixelsAcross, pixelsDown] = [Math.round(width * scale), Math.round(height * scale)];
    // Setting the size of a canvas clears it and takes time, so set it only if it has changed.
    if (canvas.width !== pixelsAcross || canvas.height !== pixelsDown) {
        canvas.width = pixelsAcross;
        canvas.height = pixelsDown;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    return { context, width, height };
}

/** The names of the colours in page.css. */
const COLOUR_NAMES = /** @type {const} */ ([
    'ground',
    'raised',
    'ink',
    'quiet',
    'line',
    'worker',
    'page',
    'waiting',
    'writer',
    'ice',
    'alarm',
]);

/** @typedef {Record<(typeof COLOUR_NAMES)[number], string>} Colours */

/** @type {Colours | undefined} */
let known;
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => (known = undefined));

/** @returns {Colours} of the present scheme, light or dark */
export function colours() {
    if (known === undefined) {
        const style = getComputedStyle(document.documentElement);
        const entries = COLOUR_NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]);
        known = /** @type {Colours} */ (Object.fromEntries(entries));
    }
    return known;
}

/**
 * Fills an area with stripes, for an unfinished wait.
 * @param {CanvasRenderingContext2D} context @param {string} colour
 * @param {{ x: number, y: number, width: number, height: number }} area
 */
export function fillStriped(context, colour, { x, y, width, height }) {
    context.fillStyle = colour;
    for (let top = y; top < y + height; top += 4) {
        context.fillRect(x, top, width, Math.min(2, y + height - top));
    }
}
