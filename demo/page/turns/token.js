/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { colours } from '../canvas.js';
import { IN_TURN, WAITING } from './turn-words.js';

/* Members as marks: round for those that share the lock, square for those that hold it alone; P is the
 * page. */

const RADIUS_PX = 14;

/** @typedef {import('./crew.js').Member} Member */

/** @param {Member} member */
function ownColour({ onPage, mode }) {
    const { page, writer, worker } = colours();
    if (onPage) {
        return page;
    }
    return mode === 'exclusive' ? writer : worker;
}

/** @param {Member} member @param {number} state @returns {{ fill: string, edge: string, text: string }} */
export function tokenColour(member, state) {
    const { raised, quiet, ink } = colours();
    const own = ownColour(member);
    if (state === IN_TURN) {
        return { fill: own, edge: own, text: raised };
    }
    return { fill: raised, edge: own, text: state === WAITING ? ink : quiet };
}

/**
 * @param {CanvasRenderingContext2D} context @param {Member} member @param {{ x: number, y: number }} position
 * @param {{ fill: string, edge: string, text: string }} colour
 */
export function fillToken(context, { name, mode, onPage }, { x, y }, { fill, edge, text }) {
    context.beginPath();
    if (mode === 'exclusive') {
        context.roundRect(x - RADIUS_PX, y - RADIUS_PX, 2 * RADIUS_PX, 2 * RADIUS_PX, 3);
    } else {
        context.arc(x, y, RADIUS_PX, 0, 2 * Math.PI);
    }
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = edge;
    context.lineWidth = onPage ? 3 : 2;
    context.stroke();
    context.lineWidth = 1;
    context.fillStyle = text;
    context.textAlign = 'center';
    context.fillText(name, x, y + 0.5);
}
