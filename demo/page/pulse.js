/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { clearSheet, colours } from './canvas.js';
import { canvasOf, element, show } from './elements.js';
import { duration } from './wording.js';

/* Shows jank: a dot that moves to and fro by one step a frame, and each frame as a bar. */

const CROSSING_FRAMES = 150;
const KEPT_FRAMES = 240;
const BAR_PX = 3;
const TALLEST_MS = 50;
const FRAME_MS = 1000 / 60;

/** A longer frame counts as late; times of frames are not exact. */
const LATE_MS = 1.5 * FRAME_MS;

/** A dot that goes to and fro by one step a call. It jumps or stands still when the calls do. */
export class Dot {
    #steps = 0;
    #element;

    /** @param {HTMLElement} dot */
    constructor(dot) {
        this.#element = dot;
    }

    step() {
        this.#steps += 1;
        const phase = (this.#steps / CROSSING_FRAMES) % 2;
        const share = phase < 1 ? phase : 2 - phase;
        this.#element.style.setProperty('--share', String(share));
    }
}

/** The frames that this page gets, whatever it shows. */
export class Pulse {
    #dot = new Dot(element('frame-dot'));
    #canvas = canvasOf('frames');
    /** @type {number[]} of the last frames, in ms */
    #lengths = [];
    /** @type {number | undefined} */
    #last;
    #longest = 0;

    /** A frame has come. @param {number} now */
    beat(now) {
        if (this.#last !== undefined) {
            const length = now - this.#last;
            this.#longest = Math.max(this.#longest, length);
            this.#lengths.push(length);
            if (this.#lengths.length > KEPT_FRAMES) {
                this.#lengths.shift();
            }
        }
        this.#last = now;
    }

    /** Makes the next frame the first one: earlier times do not count. */
    restart() {
        this.#last = undefined;
        this.#longest = 0;
        this.#lengths = [];
    }

    draw() {
        const { context, width, height } = clearSheet(this.#canvas);
        const { quiet, waiting, line } = colours();
        const bars = this.#lengths.slice(-Math.floor(width / BAR_PX));
        bars.forEach((ms, index) => {
            const tall = Math.max(2, Math.min(1, ms / TALLEST_MS) * height);
            context.fillStyle = ms > LATE_MS ? waiting : quiet;
            context.fillRect(width - (bars.length - index) * BAR_PX, height - tall, BAR_PX - 1, tall);
        });
        context.fillStyle = line;
        context.fillRect(0, Math.round(height - (FRAME_MS / TALLEST_MS) * height), width, 1);
        this.#dot.step();
    }

    showFigures() {
        const total = this.#lengths.reduce((sum, ms) => sum + ms, 0);
        const rate = total === 0 ? 0 : Math.round((this.#lengths.length / total) * 1000);
        const text = `${rate} frames/s, longest ${duration(this.#longest)}`;
        show('frame-rate', text);
        this.#canvas.setAttribute('aria-label', `The length of each of the last frames: ${text}.`);
    }
}
