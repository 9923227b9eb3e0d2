/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace } from '../../../js-glue/index.js';
import { someTime } from '../turns/some-time.js';
import { createBooks } from './books.js';
import { heldBy, holderToKill } from './graph.js';
import { Quarrel } from './quarrel.js';
import { LOCK_NAMES, ShopLocks, sleep, timeNow } from './shop-locks.js';

/* Workers and the page that share three named locks, from one change of the controls to the next. */

/**
 * @typedef {import('./graph.js').Inspection} Inspection
 * @typedef {import('./shop-locks.js').LockName} LockName
 * @typedef {import('./shop-locks.js').LockMode} LockMode
 * @typedef {import('./shop-locks.js').Step} Step
 *
 * @typedef {{ told: 'killed', at: number, held: string[] }} Killed
 * @typedef {{ told: 'hired', after: string }} Hired
 * @typedef {{ told: 'quarrel', other: string }} Quarrelling
 * @typedef {import('./shop-worker.js').News | Killed | Hired | Quarrelling} News
 * @typedef {(who: string, news: News) => void} Listener
 *
 * @typedef {object} Place of a worker, and of those that come after it
 * @property {string} title
 * @property {Step[]} steps
 * @property {number} hired how many had it so far
 * @property {string} name of the last one
 * @property {Worker} worker
 * @property {number | undefined} killed when the last one was
 * @property {number | undefined} freeSince since when it is seen to hold nothing
 */

/** After the locks of the dead are good again. */
const VACANT_MS = 1000;

/** A death that nobody comes to notice. */
const LONGEST_VACANT_MS = 8000;

/** Who has blocked in one job for minutes dies unnoticed (docs/guide.md), so no ring stays for so long. */
const LONGEST_RING_MS = 60_000;

/**
 * @param {LockName} lock
 * @param {LockMode} [mode]
 * @returns {Step}
 */
function step(lock, mode = 'exclusive') {
    return { lock, mode };
}

/** Those that are killed hold nothing in shared mode: of that nobody would know that its reader has died. */
const STAFF = [
    { title: 'seller', steps: [step('orders'), step('stock')] },
    { title: 'packer', steps: [step('orders'), step('stock')] },
    { title: 'buyer', steps: [step('stock'), step('prices')] },
    { title: 'auditor', steps: [step('prices', 'shared')] },
];

const PAGE_STEPS = [step('orders'), step('prices', 'shared')];

export class Shop {
    #space;
    #books = createBooks(LOCK_NAMES.length);
    #locks;
    #turnMs;
    #listener;
    #places;
    #ended = new AbortController();
    /** @type {Quarrel | undefined} */
    #quarrel;
    #shallKill = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #ringLimit;

    /**
     * @param {{ turnMs: number, deadlocks: 'report' | 'throw' }} setting
     * @param {Listener} listener
     */
    constructor({ turnMs, deadlocks }, listener) {
        this.#space = new LockSpace({ deadlocks });
        this.#turnMs = turnMs;
        this.#listener = listener;
        this.#locks = new ShopLocks(this.#space, this.#books, (news) => listener('page', news));
        this.#places = STAFF.map((post) => this.#open(post));
        void this.#visit();
    }

    /** How often somebody found what a lock protects in pieces. */
    get broken() {
        return this.#locks.broken;
    }

    get mayQuarrel() {
        const live = this.#places.slice(0, 2).every(({ killed }) => killed === undefined);
        return live && (this.#quarrel?.isOver ?? true);
    }

    /** What any program can ask. */
    inspect() {
        return this.#space.inspect();
    }

    /** Kills a worker that holds a lock: now, or as soon as one does. */
    killHolder() {
        this.#shallKill = true;
    }

    /** Two workers take two locks in opposite order. */
    quarrel() {
        const [seller, packer] = this.#places;
        if (seller && packer && this.mayQuarrel) {
            const [orders, stock] = [step('orders'), step('stock')];
            this.#quarrel = new Quarrel([
                { worker: seller.worker, first: orders, second: stock },
                { worker: packer.worker, first: stock, second: orders },
            ]);
            this.#listener(seller.name, { told: 'quarrel', other: packer.name });
        }
    }

    /**
     * Does what waits for something to be seen.
     *
     * @param {Inspection} inspection of now
     */
    look(inspection) {
        if (this.#shallKill) {
            this.#kill(inspection);
        }
        const now = timeNow();
        for (const place of this.#places) {
            const { killed, name } = place;
            if (killed === undefined) {
                continue;
            }
            const holds = heldBy(inspection, name).length > 0;
            place.freeSince = holds ? undefined : (place.freeSince ?? now);
            if (now - (place.freeSince ?? now) > VACANT_MS || now - killed > LONGEST_VACANT_MS) {
                this.#hire(place);
                this.#listener(place.name, { told: 'hired', after: name });
            }
        }
    }

    stop() {
        this.#ended.abort();
        this.#quarrel?.stop();
        clearTimeout(this.#ringLimit);
        this.#places.forEach(({ worker }) => worker.terminate());
    }

    /** @param {Inspection} inspection */
    #kill(inspection) {
        const isMortal = (/** @type {string} */ thread) =>
            this.#places.some(({ name, killed }) => name === thread && killed === undefined);
        const victim = holderToKill(inspection, isMortal);
        const place = this.#places.find(({ name }) => name === victim);
        if (place !== undefined) {
            this.#shallKill = false;
            place.worker.terminate();
            place.killed = timeNow();
            this.#quarrel?.leave(place.worker);
            const held = heldBy(inspection, place.name);
            this.#listener(place.name, { told: 'killed', at: place.killed, held });
        }
    }

    /**
     * @param {{ title: string, steps: Step[] }} post
     * @returns {Place}
     */
    #open(post) {
        const place = /** @type {Place} */ ({ ...post, hired: 0 });
        this.#hire(place);
        return place;
    }

    /** @param {Place} place */
    #hire(place) {
        place.hired += 1;
        const name = place.hired === 1 ? place.title : `${place.title} ${place.hired}`;
        const worker = new Worker(new URL('./shop-worker.js', import.meta.url), { type: 'module', name });
        Object.assign(place, { name, worker, killed: undefined, freeSince: undefined });
        worker.onmessage = ({ data }) => this.#hear(worker, name, data);
        const { handle: space } = this.#space;
        const job = { space, books: this.#books, steps: place.steps, turnMs: this.#turnMs };
        worker.postMessage({ job });
    }

    /**
     * @param {Worker} worker
     * @param {string} name
     * @param {import('./shop-worker.js').News} news
     */
    #hear(worker, name, news) {
        if (news.told === 'present' || news.told === 'ready') {
            this.#quarrel?.reach(worker, news.told);
        } else if (news.told === 'settled') {
            this.#quarrel?.settle(worker);
            clearTimeout(this.#ringLimit);
        } else if (news.told === 'deadlock') {
            this.#ringLimit = setTimeout(() => this.killHolder(), LONGEST_RING_MS);
        }
        if (!this.#ended.signal.aborted) {
            this.#listener(name, news);
        }
    }

    /** The page asks for locks, too, and goes on with its frames while it waits. */
    async #visit() {
        const { signal } = this.#ended;
        try {
            for (let visits = 0; !signal.aborted; visits += 1) {
                await sleep(someTime(2 * this.#turnMs));
                const next = /** @type {Step} */ (PAGE_STEPS[visits % PAGE_STEPS.length]);
                await this.#locks.visit(next, () => sleep(someTime(this.#turnMs)), signal);
            }
        } catch (error) {
            if (!signal.aborted) {
                throw error;
            }
        }
    }
}
