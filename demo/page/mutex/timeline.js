/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { clearSheet, colours } from '../canvas.js';
import { duration, percent } from '../wording.js';
import { COLUMN_MS } from './held-time.js';
import { drawAxis, drawGrounds, layOut, nameRows } from './rows.js';

/* The last seconds, scrolling: sections are far too short to be visible here, so a worker's row shows, for
 * each hundredth of a second, the share in which it held the lock. */

/** Workers note a section when it ends, and the page reads that with the next frame. */
const SETTLED_MS = 30;

const MS_PER_PX = 4.5;
const SHORTEST_MS = 2000;

/** The length of a longer wait is written beside its end. */
const TOLD_MS = 100;

const MARK_PX = 2;

/** The time over which shares are computed. */
const SHARES_MS = 2000;

/**
 * @typedef {object} Window
 * @property {number} from
 * @property {number} to
 * @property {(time: number) => number} xOf
 */

/** @param {import('./rows.js').Rows} rows @param {number} now @returns {Window} */
function windowOf({ left, right }, now) {
    const to = now - SETTLED_MS;
    const length = Math.max(SHORTEST_MS, (right - left) * MS_PER_PX);
    const perMs = (right - left) / length;
    return { from: to - length, to, xOf: (time) => right - (to - time) * perMs };
}

/**
 * @param {CanvasRenderingContext2D} context @param {import('./rows.js').Row} row @param {Window} window
 * @param {import('./held-time.js').HeldTime} held
 */
function drawShares(context, { top, height }, { from, to, xOf }, held) {
    const bottom = top + height;
    context.beginPath();
    context.moveTo(xOf(from), bottom);
    for (let column = Math.ceil(from / COLUMN_MS); (column + 1) * COLUMN_MS <= to; column += 1) {
        const y = bottom - Math.min(1, held.share(column)) * height;
        context.lineTo(xOf(column * COLUMN_MS), y);
        context.lineTo(xOf((column + 1) * COLUMN_MS), y);
    }
    context.lineTo(xOf(to), bottom);
    context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context @param {import('../canvas.js').Colours} colours
 * @param {import('./rows.js').Row} row @param {Window} window @param {readonly import('./waits.js').Wait[]} waits
 */
function drawWaits(context, { waiting, page, ink, raised }, { top, height }, { from, to, xOf }, waits) {
    const seen = waits.filter(({ asked, answered = Infinity }) => asked < to && answered > from);
    context.fillStyle = waiting;
    for (const { asked, answered = to } of seen) {
        const x = xOf(Math.max(asked, from));
        context.fillRect(x, top + 4, xOf(Math.min(answered, to)) - x, height - 8);
    }
    const got = seen.filter(({ answered = Infinity }) => answered <= to);
    context.fillStyle = page;
    for (const { answered = to } of got) {
        context.fillRect(xOf(answered) - MARK_PX / 2, top, MARK_PX, height);
    }
    let free = xOf(from);
    context.textAlign = 'right';
    for (const { asked, answered = to } of got.filter(
        (wait) => (wait.answered ?? 0) - wait.asked > TOLD_MS,
    )) {
        const text = duration(answered - asked);
        const width = context.measureText(text).width + 8;
        const right = xOf(answered) - MARK_PX;
        if (right - width >= free) {
            context.fillStyle = raised;
            context.fillRect(right - width, top + height / 2 - 8, width, 16);
            context.fillStyle = ink;
            context.fillText(text, right - 4, top + height / 2);
            free = right + 4;
        }
    }
}

/** @param {Window} window */
function secondsOf({ from, to, xOf }) {
    const whole = Math.floor((to - from) / 1000);
    return Array.from({ length: whole + 1 }, (_, index) => {
        const ago = whole - index;
        return { x: xOf(to - ago * 1000), text: ago === 0 ? 'now' : `${ago} s ago` };
    });
}

/**
 * The share of the last seconds in which each thread held the lock.
 * @param {import('./round.js').Round} round @param {number} now
 */
export function sharesOf({ threads, started = Infinity }, now) {
    const to = Math.floor((now - SETTLED_MS) / COLUMN_MS);
    const from = Math.max(Math.ceil(started / COLUMN_MS), to - SHARES_MS / COLUMN_MS);
    const shareOf = (/** @type {{ time: import('./held-time.js').HeldTime }} */ { time }) =>
        time.shareOf(from, to);
    return { workers: threads.workers.map(shareOf), page: shareOf(threads.page) };
}

/**
 * @param {HTMLCanvasElement} canvas @param {import('./round.js').Round} round
 * @param {{ workers: number[], page: number }} shares @param {number} now
 */
export function drawTimeline(canvas, round, shares, now) {
    const { context, width } = clearSheet(canvas);
    const palette = colours();
    const { workers } = round.threads;
    const rows = layOut(width, workers.length);
    const window = windowOf(rows, now);
    drawGrounds(context, palette, rows);
    drawAxis(context, palette, rows, secondsOf(window));
    nameRows(context, palette, rows, { page: percent(shares.page), workers: shares.workers.map(percent) });
    context.save();
    context.beginPath();
    context.rect(rows.left, 0, rows.right - rows.left, rows.bottom);
    context.clip();
    context.fillStyle = palette.worker;
    rows.workers.forEach((row, index) => {
        const worker = workers[index];
        if (worker !== undefined) {
            drawShares(context, row, window, worker.time);
        }
    });
    drawWaits(context, palette, rows.page, window, round.waits.recent);
    context.restore();
}
