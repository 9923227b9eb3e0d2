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
    #setting;
    #ledger;
    #lock;
    #workers;
    #page = new HeldBy();
    #notePage = journalWriter(this.#page.journal, 0);
    /** @type {number | undefined} */
    #started;
    #stopped = false;
    #held = 0;
    #lost = 0;

    /** @param {Setting} setting */
    constructor(setting) {
        const ticket = createLock(setting.lock);
        this.#setting = setting;
        this.#lock = openLock(ticket);
        this.#ledger = createLedger(setting.workers + 1);
        this.#workers = Array.from({ length: setting.workers }, () => new HeldBy());
        const allReady = this.#workers.map(({ journal }, thread) =>
            this.#startWorker(ticket, thread, journal),
        );
        void Promise.all(allReady).then(() => this.#begin());
    }

    /** When its workers began, by performance.now(). */
    get started() {
        return this.#started;
    }

    get lock() {
        return this.#setting.lock;
    }

    get sectionUs() {
        return this.#setting.sectionUs;
    }

    /** How often the page has held the lock. */
    get held() {
        return this.#held;
    }

    /** Updates that were lost until the page last held the lock: while others do, the counts do not agree. */
    get lost() {
        return this.#lost;
    }

    /** Each worker, and the page. */
    get threads() {
        return { workers: this.#workers, page: this.#page };
    }

    /** Sections that the workers ran so far. */
    get workerSections() {
        return tallies(this.#ledger)
            .slice(0, this.#setting.workers)
            .reduce((sum, tally) => sum + tally, 0);
    }

    /** Reads what the threads have noted since the last time. */
    readJournals() {
        this.#workers.forEach((worker) => worker.read());
        this.#page.read();
    }

    /** Asks for the lock, unless the workers do not run yet or far too many requests are unanswered already. */
    ask() {
        if (this.#started === undefined || this.#stopped || this.waits.unanswered >= MOST_UNANSWERED) {
            return;
        }
        const { workers, sectionUs } = this.#setting;
        const wait = this.waits.ask(performance.now(), this.workerSections);
        void this.#lock.executeLocked(() => {
            this.waits.answer(wait, performance.now(), this.workerSections);
            runSection(this.#ledger, workers, sectionUs, this.#notePage);
            this.#lost = lostUpdates(this.#ledger);
            this.#held += 1;
        });
    }

    /** The workers end themselves after their sections, and the page's requests are answered after that. */
    stop() {
        this.#stopped = true;
        enterPhase(this.#ledger, STOPPING);
    }

    /**
     * @param {import('../../contestants.js').Ticket} ticket
     * @param {number} thread
     * @param {SharedArrayBuffer} journal
     * @returns {Promise<void>} of the time when it has loaded its modules, so that all begin together
     */
    #startWorker(ticket, thread, journal) {
        const worker = new Worker(new URL('./mutex-worker.js', import.meta.url), { type: 'module' });
        const { sectionUs } = this.#setting;
        const pageOrigin = performance.timeOrigin;
        worker.postMessage({ ticket, ledger: this.#ledger, thread, sectionUs, journal, pageOrigin });
        return new Promise((resolve) => (worker.onmessage = () => resolve()));
    }

    #begin() {
        if (this.#stopped) {
            return;
        }
        this.#started = performance.now();
        enterPhase(this.#ledger, RUNNING);
    }
}
