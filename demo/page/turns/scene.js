/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { IN_TURN, RESTING, WAITING } from './turn-words.js';
import { fillToken, tokenColour } from './token.js';

/* The places of all members: inside, at the door, or away. Moves are animated. */

const CELL_PX = 38;
const TITLE_PX = 22;
const PAD_PX = 10;
const GLIDE_MS = 90;

/** The most places in a row of the room, and the distance between places. */
const MOST_ACROSS = 4;
const MOST_STEP_PX = 84;

/** From this width on the three areas are side by side. */
const WIDE_PX = 620;

/** The room's share of the width, or of the height if the areas are below each other. */
const ROOM_SHARE = 0.54;

/** @typedef {{ x: number, y: number, width: number, height: number }} Area */

/**
 * @typedef {object} Areas
 * @property {Area} room
 * @property {Area} door
 * @property {Area} away
 */

/** @param {number} width @param {number} height @returns {Areas} */
export function areasOf(width, height) {
    if (width >= WIDE_PX) {
        const room = Math.round(width * ROOM_SHARE);
        const rest = (width - room - 2 * PAD_PX) / 2;
        return {
            room: { x: 0, y: 0, width: room, height },
            door: { x: room + PAD_PX, y: 0, width: rest, height },
            away: { x: room + 2 * PAD_PX + rest, y: 0, width: rest, height },
        };
    }
    const room = Math.round(height * ROOM_SHARE);
    const below = { y: room + PAD_PX, height: height - room - PAD_PX };
    const half = (width - PAD_PX) / 2;
    return {
        room: { x: 0, y: 0, width, height: room },
        door: { x: 0, width: half, ...below },
        away: { x: half + PAD_PX, width: half, ...below },
    };
}

/** The place with that number in an area, row by row from the top. @param {Area} area @param {number} index */
function cellOf({ x, y, width }, index) {
    const across = Math.max(1, Math.floor((width - 2 * PAD_PX) / CELL_PX));
    return {
        x: x + PAD_PX + ((index % across) + 0.5) * CELL_PX,
        y: y + TITLE_PX + PAD_PX + (Math.floor(index / across) + 0.5) * CELL_PX,
    };
}

/** The area of a room below its title, within a margin. @param {Area} area @returns {Area} */
export function floorOf({ x, y, width, height }) {
    const top = y + TITLE_PX + PAD_PX / 2;
    return { x: x + PAD_PX, y: top, width: width - 2 * PAD_PX, height: y + height - PAD_PX - top };
}

/** The centres of the places, in rows around the centre of the floor. @param {Area} floor @param {number} count */
export function placesIn({ x, y, width, height }, count) {
    const rows = Math.ceil(count / MOST_ACROSS);
    const across = Math.ceil(count / rows);
    const step = Math.min(MOST_STEP_PX, width / (across + 1));
    return Array.from({ length: count }, (_, index) => {
        const row = Math.floor(index / across);
        const inRow = Math.min(across, count - row * across);
        return {
            x: x + width / 2 + ((index % across) - (inRow - 1) / 2) * step,
            y: y + height / 2 + (row - (rows - 1) / 2) * Math.min(step, height / (rows + 1)),
        };
    });
}

/**
 * @param {CanvasRenderingContext2D} context @param {import('../canvas.js').Colours} colours @param {Area} area
 * @param {string} title
 */
export function drawArea(context, { raised, line, quiet }, { x, y, width, height }, title) {
    context.beginPath();
    context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, 8);
    context.fillStyle = raised;
    context.fill();
    context.strokeStyle = line;
    context.stroke();
    context.fillStyle = quiet;
    context.textAlign = 'left';
    context.fillText(title, x + PAD_PX, y + TITLE_PX / 2 + 4);
}

/** @param {(number | undefined)[]} places */
function firstFree(places) {
    const free = places.indexOf(undefined);
    return free < 0 ? places.length : free;
}

export class Scene {
    #members;
    /** Members by their places in the room and away; undefined: the place is free. */
    #places = /** @type {Record<number, (number | undefined)[]>} */ ({ [RESTING]: [], [IN_TURN]: [] });
    /** @type {number[]} the waiting members, in the order of their arrival */
    #queue = [];
    /** @type {{ x: number, y: number }[]} */
    #positions = [];
    #drawn = 0;

    /** @param {import('./crew.js').Member[]} members */
    constructor(members) {
        this.#members = members;
    }

    /**
     * @param {CanvasRenderingContext2D} context @param {Areas} areas
     * @param {{ x: number, y: number }[]} places in the room @param {import('./log.js').Log} log @param {number} now
     */
    draw(context, areas, places, log, now) {
        const share = 1 - Math.exp(-(now - this.#drawn) / GLIDE_MS);
        this.#drawn = now;
        this.#seat(log);
        this.#members.forEach((who, member) => {
            const state = log.stateOf(member);
            const target = this.#targetOf(member, state, areas, places);
            const from = this.#positions[member] ?? target;
            const position = {
                x: from.x + (target.x - from.x) * share,
                y: from.y + (target.y - from.y) * share,
            };
            this.#positions[member] = position;
            fillToken(context, who, position, tokenColour(who, state));
        });
    }

    /** @param {import('./log.js').Log} log */
    #seat(log) {
        const isIn = (/** @type {number | undefined} */ member, /** @type {number} */ state) =>
            member !== undefined && log.stateOf(member) === state;
        const newIn = (/** @type {number} */ state, /** @type {(number | undefined)[]} */ known) =>
            [...this.#members.keys()].filter((member) => isIn(member, state) && !known.includes(member));
        for (const state of [RESTING, IN_TURN]) {
            // Free the places of members that left before new members take them.
            const places = (this.#places[state] ?? []).map((member) =>
                isIn(member, state) ? member : undefined,
            );
            newIn(state, places).forEach((member) => (places[firstFree(places)] = member));
            this.#places[state] = places;
        }
        this.#queue = this.#queue.filter((member) => isIn(member, WAITING));
        this.#queue.push(...newIn(WAITING, this.#queue));
    }

    /** @param {number} member @param {number} state @param {Areas} areas @param {{ x: number, y: number }[]} places */
    #targetOf(member, state, areas, places) {
        if (state === IN_TURN) {
            const place = this.#places[IN_TURN]?.indexOf(member) ?? 0;
            return places[place] ?? cellOf(areas.room, place);
        }
        return state === WAITING
            ? cellOf(areas.door, this.#queue.indexOf(member))
            : cellOf(areas.away, this.#places[RESTING]?.indexOf(member) ?? 0);
    }
}
