/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { support } from '../../../js-glue/index.js';
import { Controls } from '../controls.js';
import { allow, canvasOf, element, show } from '../elements.js';
import { Board } from './cards.js';
import { describe } from './graph.js';
import { drawLines } from './lines.js';
import { Shop } from './shop.js';
import { Story } from './story.js';

/** @typedef {import('../page.js').View} View */

/** The view of threads, holders and waiters, by inspect(). @implements {View} */
export class ThreadsView {
    #controls;
    #canvas = canvasOf('threads-lines');
    #killButton = element('threads-kill');
    #quarrelButton = element('threads-quarrel');
    /** @type {{ shop: Shop, board: Board, inspection: import('./graph.js').Inspection } | undefined} */
    #running;

    /** @param {() => void} onChange */
    constructor(onChange) {
        const form = /** @type {HTMLFormElement} */ (element('threads-controls'));
        this.#controls = new Controls(form, onChange);
        this.#killButton.addEventListener('click', () => this.#running?.shop.killHolder());
        this.#quarrelButton.addEventListener('click', () => this.#running?.shop.quarrel());
        element('threads-unseen').hidden = support().death === 'probe';
    }

    start() {
        const throws = this.#controls.text('deadlocks') === 'throw';
        const story = new Story(element('threads-log'));
        const turnMs = this.#controls.number('turn');
        const shop = new Shop({ turnMs, throws }, (who, news) => story.tell(who, news));
        const board = new Board(element('threads-cards'), element('threads-locks'));
        this.#running = { shop, board, inspection: shop.inspect() };
        allow(this.#killButton, true);
    }

    stop() {
        this.#running?.shop.stop();
        this.#running = undefined;
        allow(this.#killButton, false);
        allow(this.#quarrelButton, false);
    }

    work() {
        if (this.#running === undefined) {
            return;
        }
        const { shop } = this.#running;
        this.#running.inspection = shop.inspect();
        shop.look(this.#running.inspection);
        allow(this.#quarrelButton, shop.mayQuarrel);
    }

    /** @param {number} now */
    draw(now) {
        if (this.#running === undefined) {
            return;
        }
        const { board, inspection } = this.#running;
        board.show(inspection);
        drawLines(this.#canvas, board, inspection, now);
        show('threads-words', describe(inspection));
        show('threads-text', String(inspection));
    }

    showFigures() {
        const broken = this.#running?.shop.broken ?? 0;
        show('threads-broken', `What a lock protects was found broken ${broken} times.`);
        element('threads-broken').classList.toggle('alarm', broken > 0);
    }
}
