/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { clearSheet, colours, fillStriped } from '../canvas.js';
import { tokenColour } from './token.js';
import { IN_TURN, WAITING } from './turn-words.js';

/* The last seconds, a row for each member: striped while it waits, filled while it has its turn. */

const ROW_PX = 13;
const GAP_PX = 4;
const AXIS_PX = 20;
const NAMES_PX = 30;
const MS_PER_PX = 10;

/** Gives the canvas the height of its rows. @param {HTMLCanvasElement} canvas @param {number} members */
export function makeRoom(canvas, members) {
    canvas.style.height = `${members * (ROW_PX + GAP_PX) + AXIS_PX}px`;
}

/**
 * @param {HTMLCanvasElement} canvas @param {import('./crew.js').Crew} crew @param {import('./log.js').Log} log
 * @param {number} now
 */
export function drawStrip(canvas, { plan }, log, now) {
    const { context, width, height } = clearSheet(canvas);
    const palette = colours();
    const xOf = (/** @type {number} */ time) => Math.max(NAMES_PX, width - (now - time) / MS_PER_PX);
    drawSeconds(context, palette, { width, height });
    plan.members.forEach((member, index) => {
        const y = index * (ROW_PX + GAP_PX);
        context.fillStyle = palette.quiet;
        context.textAlign = 'left';
        context.fillText(member.name, 2, y + ROW_PX / 2 + 1);
        for (const { state, begin, end } of log.stretchesOf(index)) {
            const area = { x: xOf(begin), y, width: xOf(end) - xOf(begin), height: ROW_PX };
            if (area.width > 0 && state === WAITING) {
                fillStriped(context, palette.waiting, area);
            } else if (area.width > 0 && state === IN_TURN) {
                context.fillStyle = tokenColour(member, state).fill;
                context.fillRect(area.x, y, area.width, ROW_PX);
            }
        }
    });
}

/**
 * @param {CanvasRenderingContext2D} context @param {import('../canvas.js').Colours} colours
 * @param {{ width: number, height: number }} size
 */
function drawSeconds(context, { line, quiet }, { width, height }) {
    const shown = Math.floor(((width - NAMES_PX) * MS_PER_PX) / 1000);
    for (let ago = 0; ago <= shown; ago += 1) {
        const x = Math.min(width - 1, Math.round(width - (ago * 1000) / MS_PER_PX));
        context.fillStyle = line;
        context.fillRect(x, 0, 1, height - AXIS_PX + 3);
        if (ago % 2 === 0 && x > NAMES_PX + 20) {
            context.fillStyle = quiet;
            context.textAlign = ago === 0 ? 'right' : 'center';
            context.fillText(ago === 0 ? 'now' : `${ago} s ago`, x, height - AXIS_PX / 2 + 2);
        }
    }
}
