/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { support } from '../../js-glue/index.js';
import { ChannelView } from './channel/channel-view.js';
import { element, show } from './elements.js';
import { MutexView } from './mutex/mutex-view.js';
import { Pulse } from './pulse.js';
import { startTabs } from './tabs.js';
import { ThreadsView } from './threads/threads-view.js';
import { RwLockView } from './turns/rwlock-view.js';
import { SemaphoreView } from './turns/semaphore-view.js';

/**
 * One tab of the page. Its threads run from `start` to `stop`; `work` and `draw` come with each frame.
 * @typedef {object} View
 * @property {() => void} start
 * @property {() => void} stop
 * @property {(now: number) => void} work reads what the threads do
 * @property {(now: number) => void} draw
 * @property {(now: number) => void} showFigures
 */

const FIGURES_EVERY_MS = 250;

/** With prefers-reduced-motion, pictures stay the same for a second. */
const STILL_FOR_MS = 1000;

/* Starting workers costs the page a long frame or two, which is not the lock's doing. */
const WARM_UP_MS = 500;

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

class Stage {
    #pulse = new Pulse();
    /** @type {Record<string, View>} */
    #views = {
        mutex: new MutexView(() => this.#restart()),
        semaphore: new SemaphoreView(() => this.#restart()),
        rwlock: new RwLockView(() => this.#restart()),
        threads: new ThreadsView(() => this.#restart()),
        channel: new ChannelView(() => this.#restart()),
    };
    /** @type {View} */
    #view = /** @type {View} */ (this.#views.mutex);
    #runs = false;
    #wanted = !stillness.matches;
    #started = 0;
    #warm = false;
    #drawn = 0;
    #figured = 0;
    #frame = 0;

    constructor() {
        element('pause').addEventListener('click', () => {
            this.#wanted = !this.#runs;
            this.#apply();
        });
        // A hidden page gets no frames, and its workers should not heat the machine.
        document.addEventListener('visibilitychange', () => this.#apply());
        startTabs(element('tabs'), (name) => {
            this.#stop();
            this.#view = this.#views[name] ?? this.#view;
            this.#apply();
        });
    }

    /** Starts again after a change of the controls, paused or not, to show its effect. */
    #restart() {
        this.#stop();
        this.#wanted = true;
        this.#apply();
    }

    #apply() {
        const shall = this.#wanted && !document.hidden;
        if (shall && !this.#runs) {
            this.#start();
        } else if (!shall) {
            this.#stop();
        }
        show('pause', this.#wanted ? 'Pause' : 'Start');
    }

    #start() {
        this.#runs = true;
        this.#started = performance.now();
        this.#warm = false;
        this.#pulse.restart();
        this.#view.start();
        this.#frame = requestAnimationFrame(this.#onFrame);
    }

    #stop() {
        if (this.#runs) {
            this.#runs = false;
            cancelAnimationFrame(this.#frame);
            this.#view.stop();
        }
    }

    #onFrame = () => {
        this.#frame = requestAnimationFrame(this.#onFrame);
        const now = performance.now();
        if (!this.#warm && now - this.#started > WARM_UP_MS) {
            this.#warm = true;
            this.#pulse.restart();
        }
        this.#pulse.beat(now);
        this.#view.work(now);
        this.#show(now);
    };

    /** @param {number} now */
    #show(now) {
        if (now - this.#drawn >= (stillness.matches ? STILL_FOR_MS : 0)) {
            this.#drawn = now;
            this.#pulse.draw();
            this.#view.draw(now);
        }
        if (now - this.#figured >= (stillness.matches ? STILL_FOR_MS : FIGURES_EVERY_MS)) {
            this.#figured = now;
            this.#pulse.showFigures();
            this.#view.showFigures(now);
        }
    }
}

/** @param {string} text */
function notify(text) {
    element('notice').hidden = false;
    show('notice', text);
}

/** @param {string} text */
function refuse(text) {
    notify(`This demo cannot run here. ${text}`);
    document.body.classList.add('refused');
    for (const control of document.querySelectorAll('input, button')) {
        control.setAttribute('disabled', '');
    }
}

const { mayShare, asyncWait, advice } = support();
if (mayShare) {
    if (asyncWait === 'poll') {
        document.querySelector('input[value=textbook]')?.setAttribute('disabled', '');
        notify(
            'This browser has no Atomics.waitAsync: holdfast looks for the lock every few milliseconds, and the textbook lock cannot wait on a page at all.',
        );
    }
    new Stage();
} else {
    refuse(advice[0] ?? '');
}
