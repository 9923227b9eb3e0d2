/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, RwLock } from '../../../js-glue/index.js';
import { colours } from '../canvas.js';
import { counted } from '../wording.js';
import { drawArea, floorOf, placesIn } from './scene.js';
import { IN_TURN, WAITING } from './turn-words.js';
import { TurnsView } from './turns-view.js';

/* Readers side by side, a writer alone: a reader-writer lock. */

/** The amount of a writer: the whole capacity. */
const ALL = 1000;

/**
 * @param {string} name @param {import('./locks.js').LockMode} mode @param {boolean} onPage
 * @returns {import('./crew.js').Member}
 */
function member(name, mode, onPage) {
    return { name, onPage, mode, amount: mode === 'exclusive' ? ALL : 1 };
}

/** @param {import('../controls.js').Controls} controls @returns {import('./crew.js').CrewPlan} */
function plan(controls) {
    const readers = Array.from({ length: controls.number('readers') }, (_, index) =>
        member(`R${index + 1}`, 'shared', false),
    );
    const writers = Array.from({ length: controls.number('writers') }, (_, index) =>
        member(`W${index + 1}`, 'exclusive', false),
    );
    const role = controls.text('role');
    const page = role === 'reads' ? [member('P', 'shared', true)] : [member('P', 'exclusive', true)];
    return {
        handle: new RwLock({ space: new LockSpace() }).handle,
        limit: ALL,
        turnMs: controls.number('turn'),
        members: [...readers, ...writers, ...page],
    };
}

/** @param {import('./crew.js').Crew} crew @param {import('./log.js').Log} log */
function insideOf({ plan: { members } }, log) {
    const inside = members.filter((_, index) => log.stateOf(index) === IN_TURN);
    const writes = inside.some(({ mode }) => mode === 'exclusive');
    if (inside.length === 0) {
        return { writes, words: 'Nobody is inside' };
    }
    const readers = counted(inside.length, 'reader reads', 'readers read');
    return { writes, words: writes ? 'A writer writes, alone' : readers };
}

/** @type {import('./turns-view.js').Play['drawRoom']} */
function drawRoom({ context }, { room, door, away }, crew, log) {
    const palette = colours();
    const { writes, words } = insideOf(crew, log);
    drawArea(context, palette, room, words);
    drawArea(context, palette, door, 'Waiting at the door');
    drawArea(context, palette, away, 'Resting');
    context.beginPath();
    const floor = floorOf(room);
    context.roundRect(floor.x, floor.y, floor.width, floor.height, 6);
    context.fillStyle = palette.ice;
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = writes ? palette.writer : palette.line;
    context.stroke();
    context.lineWidth = 1;
    const readers = crew.plan.members.filter(({ mode }) => mode === 'shared').length;
    return placesIn(floor, writes ? 1 : Math.max(1, readers));
}

/** @type {import('./turns-view.js').Play['describe']} */
function describe(crew, log) {
    return `${insideOf(crew, log).words}. At most ${log.mostInside} were side by side so far. Waiting: ${log.countOf(WAITING)}.`;
}

export class RwLockView extends TurnsView {
    /** @param {() => void} onChange */
    constructor(onChange) {
        const rows = { turns: 'Turns', wait: 'Longest wait for one' };
        super({ name: 'rwlock', plan, drawRoom, describe, rows }, onChange);
    }
}
