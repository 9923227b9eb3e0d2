/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { clearSheet } from '../canvas.js';
import { Controls } from '../controls.js';
import { canvasOf, element, show } from '../elements.js';
import { count, duration } from '../wording.js';
import { Crew } from './crew.js';
import { Log } from './log.js';
import { fillTable } from '../table.js';
import { areasOf, Scene } from './scene.js';
import { drawStrip, makeRoom } from './strip.js';

/** @typedef {import('../page.js').View} View */

/**
 * The part of a view that differs.
 * @typedef {object} Play
 * @property {string} name that the ids of its elements begin with
 * @property {(controls: Controls) => import('./crew.js').CrewPlan} plan
 * @property {(sheet: import('../canvas.js').Sheet, areas: import('./scene.js').Areas, crew: Crew, log: Log) => { x:
 *     number, y: number }[]} drawRoom draws it and all around, and tells where in it there are places
 * @property {(crew: Crew, log: Log) => string} describe what is seen now
 * @property {{ turns: string, wait: string }} rows titles of the table's
 */

const COLUMNS = { workers: 'workers', page: 'page' };

/** The view of members that take turns, as a scene and as rows over time. @implements {View} */
export class TurnsView {
    #play;
    #controls;
    #sceneCanvas;
    #stripCanvas;
    /** @type {{ crew: Crew, log: Log, scene: Scene } | undefined} */
    #running;

    /** @param {Play} play @param {() => void} onChange */
    constructor(play, onChange) {
        this.#play = play;
        const form = /** @type {HTMLFormElement} */ (element(`${play.name}-controls`));
        this.#controls = new Controls(form, onChange);
        this.#sceneCanvas = canvasOf(`${play.name}-scene`);
        this.#stripCanvas = canvasOf(`${play.name}-strip`);
        const { name, rows } = play;
        fillTable(`${name}-figures`, COLUMNS, rows, (row, column) => `${name}-${column}-${row}`);
    }

    start() {
        const crew = new Crew(this.#play.plan(this.#controls));
        const { members } = crew.plan;
        this.#running = { crew, log: new Log(crew), scene: new Scene(members) };
        makeRoom(this.#stripCanvas, members.length);
    }

    stop() {
        this.#running?.crew.stop();
    }

    /** @param {number} now */
    work(now) {
        this.#running?.log.look(now);
    }

    /** @param {number} now */
    draw(now) {
        if (this.#running === undefined) {
            return;
        }
        const { crew, log, scene } = this.#running;
        const sheet = clearSheet(this.#sceneCanvas);
        const areas = areasOf(sheet.width, sheet.height);
        const places = this.#play.drawRoom(sheet, areas, crew, log);
        scene.draw(sheet.context, areas, places, log, now);
        drawStrip(this.#stripCanvas, crew, log, now);
        // Together with the picture: older text would contradict it.
        const words = this.#play.describe(crew, log);
        show(`${this.#play.name}-words`, words);
        this.#sceneCanvas.setAttribute('aria-label', words);
    }

    showFigures() {
        if (this.#running === undefined) {
            return;
        }
        const { crew, log } = this.#running;
        const { name } = this.#play;
        for (const [where, onPage] of /** @type {const} */ ([
            ['workers', false],
            ['page', true],
        ])) {
            const { members, turns, longestWait } = log.sumOf((member) => member.onPage === onPage);
            show(`${name}-${where}-turns`, members === 0 ? '–' : count(turns));
            show(`${name}-${where}-wait`, members === 0 ? '–' : duration(longestWait));
        }
        show(`${name}-broken`, `The rule was broken ${crew.words.broken} times.`);
        element(`${name}-broken`).classList.toggle('alarm', crew.words.broken > 0);
    }
}
