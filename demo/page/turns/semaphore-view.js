/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CountingSemaphore, LockSpace } from '../../../js-glue/index.js';
import { colours } from '../canvas.js';
import { drawArea, floorOf, placesIn } from './scene.js';
import { IN_TURN, WAITING } from './turn-words.js';
import { TurnsView } from './turns-view.js';

/* Players on the ice: a semaphore counts the free places. */

/** @param {number} count @param {boolean} onPage @returns {import('./crew.js').Member[]} */
function players(count, onPage) {
    return Array.from({ length: count }, (_, index) => ({
        name: `${onPage ? 'P' : ''}${index + 1}`,
        onPage,
        mode: 'shared',
        amount: 1,
    }));
}

/** @param {import('../controls.js').Controls} controls @returns {import('./crew.js').CrewPlan} */
function plan(controls) {
    const max = controls.number('places');
    return {
        handle: new CountingSemaphore({ space: new LockSpace(), max }).handle,
        limit: max,
        turnMs: controls.number('turn'),
        members: [...players(controls.number('workers'), false), ...players(controls.number('page'), true)],
    };
}

/** @type {import('./turns-view.js').Play['drawRoom']} */
function drawRink({ context }, { room, door, away }, { plan: { limit } }, log) {
    const palette = colours();
    drawArea(context, palette, room, `On the ice: ${log.countOf(IN_TURN)} of ${limit}`);
    drawArea(context, palette, door, 'Waiting at the boards');
    drawArea(context, palette, away, 'Resting');
    const floor = floorOf(room);
    const { x, y, width, height } = floor;
    context.beginPath();
    context.roundRect(x, y, width, height, height / 3);
    context.fillStyle = palette.ice;
    context.fill();
    context.strokeStyle = palette.line;
    context.lineWidth = 2;
    context.stroke();
    context.beginPath();
    context.moveTo(x + width / 2, y);
    context.lineTo(x + width / 2, y + height);
    context.stroke();
    const places = placesIn(floor, limit);
    context.setLineDash([3, 3]);
    context.lineWidth = 1;
    context.strokeStyle = palette.quiet;
    for (const place of places) {
        context.beginPath();
        context.arc(place.x, place.y, 17, 0, 2 * Math.PI);
        context.stroke();
    }
    context.setLineDash([]);
    return places;
}

/** @type {import('./turns-view.js').Play['describe']} */
function describe({ plan: { limit } }, log) {
    return `${log.countOf(IN_TURN)} of ${limit} places are taken, at most ${log.mostInside} so far. Waiting: ${log.countOf(WAITING)}.`;
}

export class SemaphoreView extends TurnsView {
    /** @param {() => void} onChange */
    constructor(onChange) {
        const rows = { turns: 'Shifts played', wait: 'Longest wait for a place' };
        super({ name: 'semaphore', plan, drawRoom: drawRink, describe, rows }, onChange);
    }
}
