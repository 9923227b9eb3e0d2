/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const BAR_PX = 4;
const LOWEST_MS = 0.01;
const DECADES = 6;
const MARKED_MS = [1, 100];

/** @param {number} ms */
function shareOfHeight(ms) {
    return Math.min(1, Math.log10(Math.max(ms, LOWEST_MS) / LOWEST_MS) / DECADES);
}

/**
 * Draws waits as bars of logarithmic height, newest right; those that are still unanswered striped.
 * @param {HTMLCanvasElement} canvas
 * @param {import('./waits.js').Waits} waits
 * @param {number} now
 */
export function drawWaits(canvas, waits, now) {
    const { clientWidth: width, clientHeight: height } = canvas;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const scale = window.devicePixelRatio;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(height * scale);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = getComputedStyle(canvas).color;
    const bars = waits.latest(Math.floor(width / BAR_PX), now);
    bars.forEach(({ ms, open }, index) => {
        const top = height - Math.max(1, shareOfHeight(ms) * height);
        const left = width - (bars.length - index) * BAR_PX;
        const [stripe, step] = open ? [2, 4] : [height, height];
        for (let y = top; y < height; y += step) {
            context.fillRect(left, y, BAR_PX - 1, stripe);
        }
    });
    context.fillStyle = getComputedStyle(document.body).color;
    for (const ms of MARKED_MS) {
        const y = height - shareOfHeight(ms) * height;
        context.globalAlpha = 0.25;
        context.fillRect(0, Math.round(y), width, 1);
        context.globalAlpha = 1;
        context.fillText(`${ms} ms`, 2, y - 4);
    }
}
