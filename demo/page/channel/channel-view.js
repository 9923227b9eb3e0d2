/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { clearSheet, colours } from '../canvas.js';
import { Controls } from '../controls.js';
import { allow, canvasOf, element, show } from '../elements.js';
import { seconds } from '../wording.js';
import { ChannelFeed, PostFeed } from './feeds.js';
import { describe, describeDeath } from './meter.js';

/** @typedef {import('../page.js').View} View */

/** The time of one turn of a clock's hand. */
const ROUND_MS = 10_000;

/**
 * Draws a clock with two hands: the present time, and the time of the message shown.
 * @param {HTMLCanvasElement} canvas @param {number} now @param {number} age
 */
function drawClock(canvas, now, age) {
    const { context, width, height } = clearSheet(canvas);
    const { line, quiet, page, waiting } = colours();
    const half = Math.min(width, height) / 2;
    const radius = half - 4;
    const angleOf = (/** @type {number} */ ms) => (2 * Math.PI * (ms % ROUND_MS)) / ROUND_MS - Math.PI / 2;
    const [seen, current] = [angleOf(now - age), angleOf(now)];
    context.translate(half, half);
    context.fillStyle = waiting;
    context.beginPath();
    context.moveTo(0, 0);
    context.arc(0, 0, radius, age < ROUND_MS ? seen : 0, age < ROUND_MS ? current : 2 * Math.PI);
    context.fill();
    for (const [angle, colour, thick] of /** @type {[number, string, number][]} */ ([
        [current, quiet, 2],
        [seen, page, 5],
    ])) {
        context.strokeStyle = colour;
        context.lineWidth = thick;
        context.beginPath();
        context.moveTo(0, 0);
        context.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
        context.stroke();
    }
    context.strokeStyle = line;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.stroke();
}

/**
 * The view of messages that arrive faster than the page takes them, by postMessage and by a channel.
 * @implements {View}
 */
export class ChannelView {
    #controls;
    #stopButton = element('channel-stop');
    #killButton = element('channel-kill');
    /** @type {{ post: PostFeed, channel: ChannelFeed } | undefined} */
    #running;

    /** @param {() => void} onChange */
    constructor(onChange) {
        const form = /** @type {HTMLFormElement} */ (element('channel-controls'));
        this.#controls = new Controls(form, onChange);
        this.#stopButton.addEventListener('click', () => {
            if (this.#running?.post.isStopped) {
                onChange();
            } else {
                this.#running?.post.stop();
                this.#running?.channel.stop();
            }
        });
        this.#killButton.addEventListener('click', () => {
            if (this.#running?.channel.mayKill) {
                this.#running.channel.kill();
            }
        });
    }

    start() {
        const pace = this.#controls.number('pace');
        this.#running = { post: new PostFeed(pace), channel: new ChannelFeed(pace) };
    }

    stop() {
        this.#running?.post.end();
        this.#running?.channel.end();
        this.#running = undefined;
        allow(this.#killButton, false);
        allow(this.#stopButton, false);
    }

    /** @param {number} now */
    work(now) {
        this.#running?.post.look(now);
        this.#running?.channel.look(now);
        allow(this.#killButton, Boolean(this.#running?.channel.mayKill));
        allow(this.#stopButton, true);
    }

    /** @param {number} now */
    draw(now) {
        for (const [name, feed] of Object.entries(this.#running ?? {})) {
            const { time, age } = feed.meter.readAt(now, feed.isStopped && feed.waiting === 0);
            drawClock(canvasOf(`channel-${name}-clock`), time, age);
            show(`channel-${name}-age`, `${seconds(age)} old`);
        }
    }

    showFigures() {
        const isStopped = Boolean(this.#running?.post.isStopped);
        for (const [name, feed] of Object.entries(this.#running ?? {})) {
            show(`channel-${name}-words`, describe(feed));
        }
        show('channel-stop', isStopped ? 'Start the senders' : 'Stop the senders');
        show('channel-death', this.#running ? describeDeath(this.#running.channel) : '');
    }
}
