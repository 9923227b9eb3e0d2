/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex, RwLock } from '../../js-glue/index.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';
import { startTicks } from '../support/ticks.js';
import { startFrame, startFrameWith, startWorker, until, within } from './page-threads.js';
import { FIRST, GIVEN_UP, HELD, RELEASED, SECOND, SECTIONS, Shared, STOP, TORN } from './shared-words.js';

/* Runs on the page: a worker or an iframe ends while it waits, first in the queue, or while it holds locks. Each scenario
 * returns plain data; threads.test.js judges it. */

/**
 * Indices of the section counts: of the thread that ends, of the waiters behind it, and of a later thread.
 */
const VICTIM = 0;
const SURVIVOR = 1;
const PAGE = 2;
const LATE = 3;

/** A limit for the page's busy loop: longer than another thread takes to get a core. */
const SPIN_MS = 5000;

/**
 * @param {Shared} shared
 * @param {() => Promise<{ end: () => unknown }>} startVictim starts the thread that is to die, which asks for the
 *     lock and waits
 * @param {(victim: { end: () => unknown }, release: () => void) => unknown} endAndRelease
 */
async function outlive(shared, startVictim, endAndRelease) {
    const holder = await startWorker(shared, 'holder');
    await until(shared, 'the holder holds', () => shared.read(HELD) === 1);
    const heldOnly = shared.lockWords().join();
    const victim = await startVictim();
    await until(shared, 'the victim waits', () => shared.lockWords().join() !== heldOnly);
    const survivor = await startWorker(shared, 'waiter', SURVIVOR);
    let ticks = () => Infinity;
    const answer = shared.mutex.execAsync(() => {
        shared.countedSection(PAGE);
        return ticks();
    });

    await endAndRelease(victim, () => {
        ticks = startTicks();
        shared.publish(STOP, 1);
    });
    const [pageTicks, survivorTicks] = await Promise.all([
        within(shared, 'the page gets the lock', answer),
        survivor.ended().then(() => ticks()),
        holder.ended(),
    ]);
    await within(
        shared,
        'the page gets it again',
        shared.mutex.execAsync(() => shared.countedSection(PAGE)),
    );
    const late = await startWorker(shared, 'waiter', LATE);
    await late.ended();
    const sections = [VICTIM, SURVIVOR, PAGE, LATE].map((index) => shared.read(SECTIONS + index));
    return {
        pageTicks,
        survivorTicks,
        victimSections: sections[VICTIM],
        survivorSections: sections[SURVIVOR],
        sections: sections.reduce((sum, count) => sum + count),
        first: shared.read(FIRST),
        second: shared.read(SECOND),
        torn: shared.read(TORN),
        lockWords: shared.lockWords(),
    };
}

/**
 * A worker is terminated. Chromium lets it live on for up to two seconds after that.
 *
 * @param {object} options
 * @param {'waiter' | 'asker'} options.role whether it blocks, or waits by its event loop
 * @param {boolean} options.isGone whether the lock is released after the thread is gone, or at once
 */
export function terminatedWorker({ role, isGone }) {
    const shared = Shared.create();
    const startVictim = async () => {
        const { worker, gone } = await startWorker(shared, role, VICTIM);
        const end = () => {
            worker.terminate();
            return isGone ? gone() : undefined;
        };
        return { end };
    };
    return outlive(shared, startVictim, async (victim, release) => {
        await victim.end();
        release();
    });
}

/**
 * An iframe of the page is removed. It shares the page's thread.
 *
 * @param {object} options
 * @param {boolean} options.isWoken whether the lock is released before the removal, while the page is too
 *     busy to run the frame's wake-up
 * @param {boolean} options.hears whether the frame's code still runs after the removal, so that it sees the
 *     rejection of its request
 */
export async function removedFrame({ isWoken, hears }) {
    const shared = Shared.create();
    let posted = false;
    const startVictim = async () => {
        const started = await startFrame(shared, VICTIM);
        ({ posted } = started);
        return { end: () => started.frame.remove() };
    };
    const seen = await outlive(shared, startVictim, (victim, release) => {
        if (isWoken) {
            release();
            spinUntil(shared, 'the holder has released', () => shared.read(RELEASED) === 1);
            victim.end();
        } else {
            victim.end();
            release();
        }
    });
    if (hears) {
        await until(shared, 'the iframe hears', () => shared.read(GIVEN_UP) === 1);
    }
    return { ...seen, posted, heard: shared.read(GIVEN_UP) === 1 };
}

/** The locks and permits that an iframe holds. */
export class Holdables {
    #space = new LockSpace();
    #mutex = new Mutex({ space: this.#space });
    #other = new Mutex({ space: this.#space });
    #shared = new RecoverableRwLock({ space: this.#space });
    #exclusive = new RwLock({ space: this.#space });
    #seats = new RecoverableSemaphore({ space: this.#space, max: 2 });

    get handles() {
        return {
            mutex: this.#mutex.handle,
            other: this.#other.handle,
            shared: this.#shared.handle,
            exclusive: this.#exclusive.handle,
            seats: this.#seats.handle,
        };
    }

    /** One boolean for each object: true if it is free. */
    areFree() {
        const locks = [this.#mutex, this.#other, this.#shared, this.#exclusive];
        return [...locks.map((lock) => lock.tryLock() && (lock.unlock(), true)), this.#seats.value === 2];
    }

    /** Requests for each object; each resolves with its outcome. */
    requests() {
        const locks = [this.#mutex, this.#other, this.#exclusive, this.#shared];
        return [
            ...locks.map((lock) => lock.execAsync(() => 'met')),
            this.#seats.execAsync(() => 'met', { permits: 2 }),
        ].map((request) => request.catch(({ code }) => code));
    }

    /** The words that the watchdog prints. */
    description() {
        return `free: ${this.areFree()}`;
    }
}

/** An iframe of the page is removed while its sections and guards hold locks. */
export async function removedHolder() {
    const holdables = new Holdables();
    const { frame } = await startFrameWith(holdables, 'holdAll', { handles: holdables.handles });
    await until(holdables, 'the iframe holds', () => !holdables.areFree().includes(true));
    const requests = holdables.requests();
    // These events do not end the thread: only an event of the browser itself does, if the page is not kept.
    for (const persisted of [true, false]) {
        frame.contentWindow?.dispatchEvent(new PageTransitionEvent('pagehide', { persisted }));
    }
    const heldOn = !holdables.areFree().includes(true);
    frame.remove();
    const outcomes = await within(holdables, 'the requests of the page', Promise.all(requests));
    return { heldOn, outcomes };
}

/** An iframe of the page removes itself, and takes locks in the same job. */
export async function leavingHolder() {
    const holdables = new Holdables();
    const { frame } = await startFrameWith(holdables, 'holdAll', {
        handles: holdables.handles,
        leaves: true,
    });
    await until(holdables, 'the iframe leaves', () => !frame.isConnected);
    const outcomes = await within(holdables, 'the requests of the page', Promise.all(holdables.requests()));
    return outcomes;
}

/** An iframe takes locks, before and after its document is rewritten. Then the page removes it. */
export async function rewrittenHolder() {
    const before = new Holdables();
    const { frame } = await startFrameWith(before, 'holdAll', { handles: before.handles });
    await until(before, 'the iframe holds', () => !before.areFree().includes(true));
    frame.contentDocument?.open(); // removes all listeners of the window
    frame.contentDocument?.close();
    const after = new Holdables();
    /** @type {any} */ (frame.contentWindow).holdAll({ handles: after.handles });
    frame.remove();
    const requests = [...before.requests(), ...after.requests()];
    return within(after, 'the requests of the page', Promise.all(requests));
}

/**
 * Keeps the page busy until the condition holds.
 *
 * @param {Shared} shared
 * @param {string} what
 * @param {() => boolean} condition
 */
function spinUntil(shared, what, condition) {
    const end = performance.now() + SPIN_MS;
    while (!condition()) {
        if (performance.now() > end) {
            throw new Error(`${what}: not in ${SPIN_MS} ms; ${shared.description()}`);
        }
    }
}
