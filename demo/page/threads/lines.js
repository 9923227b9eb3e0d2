/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { clearSheet, colours } from '../canvas.js';
import { edgesOf, ringOf } from './graph.js';

/* Lines between the cards: from a thread to the locks that it holds, and to the lock that it waits for. */

/**
 * @typedef {import('./graph.js').Inspection} Inspection
 * @typedef {import('./graph.js').Edge} Edge
 * @typedef {import('./cards.js').Board} Board
 *
 * @typedef {{ x: number, y: number }} Point
 */

/** The points on a card's side at which its lines begin, as shares of its height: holds above, waits below. */
const SHARE_OF = { holds: 0.3, waits: 0.7 };

/** The distance between two lines that end at one card. */
const STEP_PX = 7;

const DOT_PX = 4;
const ARROW_PX = 7;
const DASH_PX = 5;

/** The pace of the dashes, which move towards the lock. */
const MS_PER_PX = 60;

/**
 * @param {HTMLElement} card @param {'left' | 'right'} side @param {Edge['is']} is @param {number} step @returns {Point}
 */
function portOf({ offsetLeft, offsetTop, offsetWidth, offsetHeight }, side, is, step) {
    return {
        x: side === 'left' ? offsetLeft : offsetLeft + offsetWidth,
        y: offsetTop + SHARE_OF[is] * offsetHeight + step * STEP_PX,
    };
}

/** @param {CanvasRenderingContext2D} context @param {Point} from @param {Point} to */
function strokeBetween(context, from, to) {
    const middle = (from.x + to.x) / 2;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.bezierCurveTo(middle, from.y, middle, to.y, to.x, to.y);
    context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {Point} point */
function fillDot(context, { x, y }) {
    context.beginPath();
    context.arc(x, y, DOT_PX, 0, 2 * Math.PI);
    context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {Point} tip */
function fillArrow(context, { x, y }) {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - ARROW_PX, y - ARROW_PX / 2);
    context.lineTo(x - ARROW_PX, y + ARROW_PX / 2);
    context.fill();
}

/**
 * @param {HTMLCanvasElement} canvas that lies behind all cards @param {Board} board @param {Inspection} inspection
 * @param {number} now
 */
export function drawLines(canvas, board, inspection, now) {
    const { context } = clearSheet(canvas);
    const { worker, page, waiting, alarm } = colours();
    const ring = ringOf(inspection);
    const here = inspection.threads.find(({ isThis }) => isThis)?.name;
    const dead = inspection.threads.filter(({ isAlive }) => !isAlive).map(({ name }) => name);
    const edges = edgesOf(inspection);
    edges.forEach((edge, index) => {
        const { thread, lock, is } = edge;
        const [threadCard, lockCard] = [board.threadCard(thread), board.lockCard(lock)];
        if (threadCard === undefined || lockCard === undefined) {
            return;
        }
        const alike = edges.slice(0, index).filter((other) => other.lock === lock && other.is === is);
        const from = portOf(threadCard, 'right', is, 0);
        const to = portOf(lockCard, 'left', is, alike.length);
        const holdColour = thread === here ? page : worker;
        const colour = is === 'holds' ? holdColour : waiting;
        const isAlarming = ring.includes(thread) || dead.includes(thread);
        context.strokeStyle = context.fillStyle = isAlarming ? alarm : colour;
        context.lineWidth = isAlarming || is === 'holds' ? 2.5 : 1.75;
        if (is === 'waits') {
            context.setLineDash([DASH_PX, DASH_PX]);
            context.lineDashOffset = -(now / MS_PER_PX) % (2 * DASH_PX);
            strokeBetween(context, from, { ...to, x: to.x - ARROW_PX });
            context.setLineDash([]);
            fillArrow(context, to);
        } else {
            strokeBetween(context, from, to);
            fillDot(context, from);
            fillDot(context, to);
        }
    });
}
