/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { createLock, openLock } from '../../contestants.js';
import {
    createLedger,
    enterPhase,
    lostUpdates,
    RUNNING,
    runSection,
    STOPPING,
    tallies,
} from '../../ledger.js';
import { HeldTime } from './held-time.js';
import { createJournal, JournalReader, journalWriter } from './journal.js';
import { Waits } from './waits.js';

/* A lock that never answers must not fill the page's memory with requests. */
const MOST_UNANSWERED = 120;

/**
 * @typedef {object} Setting
 * @property {import('../../contestants.js').ContestantName} lock
 * @property {number} workers
 * @property {number} sectionUs
 */

/** The times at which a thread held the lock. */
class HeldBy {
    time = new HeldTime();
    journal = createJournal();
    reader = new JournalReader(this.journal);

    read() {
        this.reader.readNew((begin, end) => this.time.add(begin, end));
    }
}

/** One lock, its workers and the page's requests for it, from one change of the controls to the next. */
export class Round {
    waits = new Waits();
    /** When its workers began, by performance.now(). @type {number | undefined} */
    started;
    /** How often the page has held the lock. */
    held = 0;
    /** The updates lost until the page last held the lock: while other threads hold it, the counts differ. */
    lost = 0;
    /** Each worker, and the page. */
    threads;
    setting;
    #ledger;
    #lock;
    #notePage;
    #stopped = false;

    /** @param {Setting} setting */
    constructor(setting) {
        const ticket = createLock(setting.lock);
        this.setting = setting;
        this.#lock = openLock(ticket);
        this.#ledger = createLedger(setting.workers + 1);
        const workers = Array.from({ length: setting.workers }, () => new HeldBy());
        this.threads = { workers, page: new HeldBy() };
        this.#notePage = journalWriter(this.threads.page.journal, 0);
        const allReady = workers.map(({ journal }, thread) => this.#startWorker(ticket, thread, journal));
        void Promise.all(allReady).then(() => this.#begin());
    }

    /** Sections that the workers ran so far. */
    get workerSections() {
        return tallies(this.#ledger)
            .slice(0, this.setting.workers)
            .reduce((sum, tally) => sum + tally, 0);
    }

    /** Reads the threads' new journal entries. */
    readJournals() {
        [...this.threads.workers, this.threads.page].forEach((thread) => thread.read());
    }

    /** Asks for the lock, unless the workers do not run yet or far too many requests are unanswered already. */
    ask() {
        if (this.started === undefined || this.#stopped || this.waits.unanswered >= MOST_UNANSWERED) {
            return;
        }
        const { workers, sectionUs } = this.setting;
        const wait = this.waits.ask(performance.now(), this.workerSections);
        void this.#lock.execAsync(() => {
            this.waits.answer(wait, performance.now(), this.workerSections);
            runSection(this.#ledger, workers, sectionUs, this.#notePage);
            this.lost = lostUpdates(this.#ledger);
            this.held += 1;
        });
    }

    /** The workers end themselves after their sections, and the page's requests are answered after that. */
    stop() {
        this.#stopped = true;
        enterPhase(this.#ledger, STOPPING);
    }

    /**
     * @param {import('../../contestants.js').Ticket} ticket @param {number} thread @param {SharedArrayBuffer} journal
     * @returns {Promise<void>} of the time when it has loaded its modules, so that all begin together
     */
    #startWorker(ticket, thread, journal) {
        const worker = new Worker(new URL('./mutex-worker.js', import.meta.url), { type: 'module' });
        const { sectionUs } = this.setting;
        const pageOrigin = performance.timeOrigin;
        worker.postMessage({ ticket, ledger: this.#ledger, thread, sectionUs, journal, pageOrigin });
        return new Promise((resolve) => (worker.onmessage = () => resolve()));
    }

    #begin() {
        if (this.#stopped) {
            return;
        }
        this.started = performance.now();
        enterPhase(this.#ledger, RUNNING);
    }
}
