/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { debug, inspect } from '../../../js-glue/debug.js';
import { LockSpace } from '../../../js-glue/index.js';
import { someTime } from '../turns/some-time.js';
import { createBooks } from './books.js';
import { heldBy, holderToKill } from './graph.js';
import { Post } from './post.js';
import { Quarrel } from './quarrel.js';
import { LOCK_NAMES, ShopLocks, sleep } from './shop-locks.js';

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
 */

/**
 * A thread that has blocked in one job for minutes dies unnoticed (docs/guide.md), so a deadlock is ended before that.
 */
const LONGEST_RING_MS = 60_000;

/** @param {LockName} lock @param {LockMode} [mode] @returns {Step} */
function step(lock, mode = 'exclusive') {
    return { lock, mode };
}

/** Workers that may be killed take no lock shared, since the death of a reader is not noticed. */
const STAFF = [
    { title: 'seller', steps: [step('orders'), step('stock')] },
    { title: 'packer', steps: [step('orders'), step('stock')] },
    { title: 'buyer', steps: [step('stock'), step('prices')] },
    { title: 'auditor', steps: [step('prices', 'shared')] },
];

const PAGE_STEPS = [step('orders'), step('prices', 'shared')];

export class Shop {
    #space = new LockSpace();
    /** The page shows what it waits for, too. */
    #showNoMore = debug();
    #throws;
    #books = createBooks(LOCK_NAMES.length);
    #locks;
    #turnMs;
    #listener;
    #posts;
    #ended = new AbortController();
    /** @type {Quarrel | undefined} */
    #quarrel;
    #shallKill = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #ringLimit;

    /**
     * @param {{ turnMs: number, throws: boolean }} setting `throws`: in a deadlock one worker throws
     * @param {Listener} listener
     */
    constructor({ turnMs, throws }, listener) {
        this.#throws = throws;
        this.#turnMs = turnMs;
        this.#listener = listener;
        this.#locks = new ShopLocks(this.#space, this.#books, (news) => this.#tell('page', news));
        this.#posts = STAFF.map(({ title, steps }) => new Post(title, (name) => this.#start(name, steps)));
        void this.#visit();
    }

    /** How often a thread found broken data. */
    get broken() {
        return this.#locks.broken;
    }

    get mayQuarrel() {
        const areThere = this.#posts.slice(0, 2).every(({ isTaken }) => isTaken);
        return areThere && (this.#quarrel?.isOver ?? true);
    }

    /** The result of inspect(), as any program can get it. */
    inspect() {
        return inspect(this.#space);
    }

    /** Kills a worker that holds a lock, as soon as there is one. */
    killHolder() {
        this.#shallKill = true;
    }

    /** Two workers take two locks in opposite order. */
    quarrel() {
        const [seller, packer] = this.#posts;
        if (seller && packer && this.mayQuarrel) {
            const [orders, stock] = [step('orders'), step('stock')];
            this.#quarrel = new Quarrel([
                { worker: seller.worker, first: orders, second: stock },
                { worker: packer.worker, first: stock, second: orders },
            ]);
            this.#tell(seller.name, { told: 'quarrel', other: packer.name });
        }
    }

    /** Performs the actions whose condition is now visible. @param {Inspection} inspection of now */
    look(inspection) {
        if (this.#shallKill) {
            this.#kill(inspection);
        }
        for (const post of this.#posts) {
            const { name } = post;
            if (post.fill(inspection)) {
                this.#tell(post.name, { told: 'hired', after: name });
            }
        }
    }

    stop() {
        this.#ended.abort();
        this.#quarrel?.stop();
        clearTimeout(this.#ringLimit);
        this.#posts.forEach(({ worker }) => worker.terminate());
        this.#showNoMore();
    }

    /** @param {Inspection} inspection */
    #kill(inspection) {
        const isMortal = (/** @type {string} */ thread) =>
            this.#posts.some(({ name, isTaken }) => name === thread && isTaken);
        const victim = holderToKill(inspection, isMortal);
        const post = this.#posts.find(({ name }) => name === victim);
        if (post !== undefined) {
            this.#shallKill = false;
            const at = post.kill();
            this.#quarrel?.leave(post.worker);
            this.#tell(post.name, { told: 'killed', at, held: heldBy(inspection, post.name) });
        }
    }

    /** @param {string} name @param {Step[]} steps */
    #start(name, steps) {
        const worker = new Worker(new URL('./shop-worker.js', import.meta.url), { type: 'module', name });
        worker.onmessage = ({ data }) => this.#hear(worker, name, data);
        const { handle: space } = this.#space;
        const [turnMs, throws] = [this.#turnMs, this.#throws];
        worker.postMessage({ job: { space, books: this.#books, steps, turnMs, throws } });
        return worker;
    }

    /** @param {Worker} worker @param {string} name @param {import('./shop-worker.js').News} news */
    #hear(worker, name, news) {
        if (news.told === 'present' || news.told === 'ready') {
            this.#quarrel?.reach(worker, news.told);
        } else if (news.told === 'settled') {
            this.#quarrel?.settle(worker);
            clearTimeout(this.#ringLimit);
        } else if (news.told === 'deadlock') {
            this.#ringLimit = setTimeout(() => this.killHolder(), LONGEST_RING_MS);
        }
        this.#tell(name, news);
    }

    /**
     * Handles a worker's report. Reports after the end are dropped: they may not fit the next shop.
     * @param {string} who @param {News} news
     */
    #tell(who, news) {
        if (!this.#ended.signal.aborted) {
            this.#listener(who, news);
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
