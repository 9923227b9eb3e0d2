/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { createLock, openLock } from '../contestants.js';
import { createLedger, enterPhase, lostUpdates, RUNNING, runSection, STOPPING, tallies } from '../ledger.js';
import { Waits } from './waits.js';

/* A lock that never answers must not fill the page's memory with requests. */
const MOST_UNANSWERED = 120;

/**
 * @typedef {object} Setting
 * @property {import('../contestants.js').ContestantName} lock
 * @property {number} workers
 * @property {number} sectionUs
 */

/** One lock, its workers and the page's requests for it, from one change of the controls to the next. */
export class Round {
    waits = new Waits();
    started = performance.now();
    #setting;
    #ledger;
    #lock;

    /** @param {Setting} setting */
    constructor(setting) {
        const ticket = createLock(setting.lock);
        this.#setting = setting;
        this.#lock = openLock(ticket);
        this.#ledger = createLedger(setting.workers + 1);
        for (let thread = 0; thread < setting.workers; thread += 1) {
            const worker = new Worker(new URL('./page-worker.js', import.meta.url), { type: 'module' });
            worker.postMessage({ ticket, ledger: this.#ledger, thread, sectionUs: setting.sectionUs });
        }
        enterPhase(this.#ledger, RUNNING);
    }

    /**
     * Asks for the lock, unless far too many requests are unanswered already.
     * @param {(lost: number) => void} onHeld runs with the lock held; gets how many updates were lost so far
     */
    ask(onHeld) {
        if (this.waits.unanswered >= MOST_UNANSWERED) {
            return;
        }
        const { workers, sectionUs } = this.#setting;
        const wait = this.waits.ask();
        void this.#lock.executeLocked(() => {
            this.waits.answer(wait);
            runSection(this.#ledger, workers, sectionUs);
            onHeld(lostUpdates(this.#ledger));
        });
    }

    /** Sections that the workers ran so far. */
    get workerSections() {
        const { workers } = this.#setting;
        return tallies(this.#ledger)
            .slice(0, workers)
            .reduce((sum, tally) => sum + tally, 0);
    }

    /** The workers end themselves after their sections, and the page's requests are answered after that. */
    stop() {
        enterPhase(this.#ledger, STOPPING);
    }
}
