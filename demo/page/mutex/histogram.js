/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { clearSheet, colours, fillStriped } from '../canvas.js';
import { counted } from '../wording.js';
import { DECADES, placeOnScale } from './wait-counts.js';

const AXIS_PX = 20;
const HEADROOM_PX = 16;
const FRAME_MS = 1000 / 60;

/** Names of the ends of the decades, the shortest first. */
const DECADE_NAMES = ['0.01', '0.1', '1', '10', '100 ms', '1 s', '10 s'];

/** @param {import('../canvas.js').Sheet} sheet @param {import('../canvas.js').Colours} colours */
function drawScale({ context, width, height }, { quiet, line }) {
    DECADE_NAMES.forEach((name, index) => {
        const x = (index / DECADES) * width;
        context.fillStyle = line;
        context.fillRect(Math.min(width - 1, Math.round(x)), 0, 1, height - AXIS_PX);
        context.fillStyle = quiet;
        context.textAlign = index === 0 ? 'left' : index === DECADES ? 'right' : 'center';
        context.fillText(name, x, height - AXIS_PX / 2);
    });
    const frame = placeOnScale(FRAME_MS) * width;
    context.fillStyle = quiet;
    context.fillRect(Math.round(frame), HEADROOM_PX, 1, height - AXIS_PX - HEADROOM_PX);
    context.textAlign = 'left';
    context.fillText('one frame', frame + 4, HEADROOM_PX / 2);
}

/**
 * Draws how many requests waited how long, as bars on a logarithmic scale. Pending requests are striped.
 * @param {HTMLCanvasElement} canvas @param {import('./waits.js').Waits} waits @param {number} now
 */
export function drawHistogram(canvas, waits, now) {
    const sheet = clearSheet(canvas);
    const { context, width, height } = sheet;
    const palette = colours();
    drawScale(sheet, palette);
    const answered = waits.answeredCounts.bars();
    const all = waits.countsAt(now).bars();
    const bottom = height - AXIS_PX;
    const perRequest = (bottom - HEADROOM_PX) / Math.max(1, ...all);
    // A single request among thousands is visible too.
    const tallOf = (/** @type {number} */ count) => (count === 0 ? 0 : Math.max(2, count * perRequest));
    all.forEach((count, index) => {
        const bar = { x: (index / all.length) * width, width: width / all.length - 1 };
        const solid = tallOf(answered[index] ?? 0);
        context.fillStyle = palette.page;
        context.fillRect(bar.x, bottom - solid, bar.width, solid);
        const tall = tallOf(count);
        fillStriped(context, palette.waiting, { ...bar, y: bottom - tall, height: tall - solid });
    });
    context.fillStyle = palette.line;
    context.fillRect(0, bottom, width, 1);
}

/** @param {import('./waits.js').Waits} waits */
export function describeHistogram(waits) {
    const { total } = waits.answeredCounts;
    return `How long requests waited: ${counted(total, 'answered request')}, ${waits.unanswered} unanswered.`;
}
