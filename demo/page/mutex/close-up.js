/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { clearSheet, colours, fillStriped } from '../canvas.js';
import { counted, duration } from '../wording.js';
import { drawAxis, drawGrounds, layOut, nameRows } from './rows.js';

/* A few milliseconds around one hand-over to the page, at a scale that shows each section. The picture stays
 * long enough to be looked at. */

const STANDS_MS = 1500;

/** Workers note a section when it ends, and the page reads its own clock before that. */
const SETTLED_MS = 5;

/** Journals always reach back this far. */
const REACH_MS = 150;

/** The number of sections in the picture: each is visible, and they can be counted. */
const SECTIONS = 50;
const SHORTEST_MS = 2;

/** The share of the picture before the hand-over; the rest comes after it. */
const BEFORE = 0.75;

/** @typedef {import('./waits.js').Wait} Wait */

/**
 * @typedef {object} Shot
 * @property {number} from
 * @property {number} to
 * @property {Wait | undefined} wait that ends here, or goes on
 * @property {import('./journal.js').Section[][]} workers
 * @property {import('./journal.js').Section[]} page
 */

/**
 * The longest of the last waits, so that the picture does not flatter the lock.
 * @param {readonly Wait[]} waits @param {number} from @param {number} to @returns {Wait | undefined}
 */
function longestAnswered(waits, from, to) {
    const lengthOf = (/** @type {Wait} */ { asked, answered = asked }) => answered - asked;
    return waits
        .filter(({ answered = 0 }) => answered > from && answered < to)
        .reduce(
            (/** @type {Wait | undefined} */ longest, wait) =>
                longest !== undefined && lengthOf(longest) >= lengthOf(wait) ? longest : wait,
            undefined,
        );
}

/** @param {import('./round.js').Round} round @param {number} now @returns {Shot} */
function shoot({ waits, threads, setting }, now) {
    const length = Math.max(SHORTEST_MS, (SECTIONS * setting.sectionUs) / 1000);
    const latest = now - SETTLED_MS;
    const after = length * (1 - BEFORE);
    const answered = longestAnswered(waits.recent, latest - REACH_MS, latest - after);
    const to = answered?.answered === undefined ? latest : answered.answered + after;
    const from = to - length;
    const wait = answered ?? waits.oldestOpen;
    return {
        from,
        to,
        // A copy: the request may be granted while the picture stays.
        wait: wait && { ...wait },
        workers: threads.workers.map(({ reader }) => reader.between(from, to)),
        page: threads.page.reader.between(from, to),
    };
}

export class CloseUp {
    /** @type {Shot | undefined} */
    #shot;
    #taken = -Infinity;

    /**
     * Takes a new picture after the last one has stayed long enough.
     * @param {import('./round.js').Round} round @param {number} now
     */
    look(round, now) {
        if (now - this.#taken > STANDS_MS) {
            this.#taken = now;
            this.#shot = shoot(round, now);
        }
    }

    /** A sentence that describes the picture. */
    get words() {
        if (this.#shot === undefined) {
            return '';
        }
        const { from, to, wait } = this.#shot;
        const span = `Close-up, ${duration(to - from)}`;
        if (wait === undefined) {
            return `${span}: the page has not asked.`;
        }
        if (wait.answered === undefined) {
            const waited = duration(to - wait.asked);
            return `${span}: the page has waited for ${waited} and does not get the lock. Workers take it again and again.`;
        }
        const sections = counted(wait.sections, 'section');
        return `${span}: the page asked, and held the lock ${duration(wait.answered - wait.asked)} later. Workers ran ${sections} meanwhile.`;
    }

    /** @param {HTMLCanvasElement} canvas @param {number} workers */
    draw(canvas, workers) {
        const { context, width } = clearSheet(canvas);
        const palette = colours();
        const rows = layOut(width, workers);
        drawGrounds(context, palette, rows);
        nameRows(context, palette, rows);
        if (this.#shot !== undefined) {
            drawShot(context, palette, rows, this.#shot);
        }
    }
}

/**
 * @param {CanvasRenderingContext2D} context @param {import('../canvas.js').Colours} palette
 * @param {import('./rows.js').Rows} rows @param {Shot} shot
 */
function drawShot(context, palette, rows, { from, to, wait, workers, page }) {
    const { left, right } = rows;
    const xOf = (/** @type {number} */ time) =>
        left + Math.min(1, Math.max(0, (time - from) / (to - from))) * (right - left);
    const drawSections = (
        /** @type {import('./rows.js').Row} */ { top, height },
        /** @type {import('./journal.js').Section[]} */ sections,
    ) => {
        for (const { begin, end } of sections) {
            // With a gap, since adjacent sections would look like one.
            context.fillRect(xOf(begin), top + 3, Math.max(1, xOf(end) - xOf(begin) - 1), height - 7);
        }
    };
    drawAxis(context, palette, rows, marksOf(from, to, xOf, wait));
    if (wait !== undefined) {
        const x = xOf(wait.asked);
        const area = {
            x,
            y: rows.page.top + 10,
            width: xOf(wait.answered ?? to) - x,
            height: rows.page.height - 21,
        };
        fillStriped(context, palette.waiting, area);
    }
    context.fillStyle = palette.worker;
    rows.workers.forEach((row, index) => drawSections(row, workers[index] ?? []));
    context.fillStyle = palette.page;
    drawSections(rows.page, page);
}

/**
 * @param {number} from @param {number} to @param {(time: number) => number} xOf @param {Wait | undefined} wait
 * @returns {import('./rows.js').Mark[]}
 */
function marksOf(from, to, xOf, wait) {
    if (wait === undefined) {
        return [];
    }
    const { asked, answered } = wait;
    return [
        { x: xOf(asked), text: asked < from ? '← asked' : 'asked', side: 'left' },
        { x: xOf(answered ?? to), text: answered === undefined ? 'still waiting' : 'got it', side: 'right' },
    ];
}
