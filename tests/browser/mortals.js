/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { inspect } from '../../js-glue/debug.js';
import { LockSpace, Mutex, support } from '../../js-glue/index.js';
import { START_MS, startFrameWith, within } from './page-threads.js';

/* Runs on the page: a worker ends holding a lock, for which the page and another worker wait. */

const UNSHARED = { description: () => '' };

/** The next message of a worker. @param {Worker} worker @param {string} what */
function messageOf(worker, what) {
    const told = new Promise((resolve) => {
        worker.addEventListener('message', ({ data }) => resolve(data), { once: true });
    });
    return within(UNSHARED, what, told);
}

/** @param {object} task */
function startMortal(task) {
    const worker = new Worker(new URL('./mortal-worker.js', import.meta.url), {
        type: 'module',
        name: 'mortal',
    });
    worker.postMessage(task);
    return worker;
}

/**
 * Starts a worker that holds the lock of a new space. If a nested worker does not start, tries another
 * (page-threads.js).
 *
 * @param {{ way: string, givesUp: boolean }} task
 * @param {number} [startMs] the time limit of its start
 */
async function startHolder({ way, givesUp }, startMs = START_MS) {
    const space = new LockSpace();
    const [mutex, other] = [new Mutex({ space }), new Mutex({ space })];
    other.tryLock();
    const locks = { handle: mutex.handle, other: other.handle, givesUp };
    const mortal = startMortal({ way, ...locks });
    const held = messageOf(mortal, 'a worker holds the lock');
    const silence = new Promise((resolve) => setTimeout(resolve, startMs));
    if (way === 'nested' && (await Promise.race([held, silence])) === undefined) {
        held.catch(() => {});
        mortal.terminate();
        return startHolder({ way, givesUp }, 2 * startMs);
    }
    await held;
    return { space, mutex, locks, mortal };
}

/** @param {any} error */
function toldBy({ code, owner, message }) {
    return { code: code ?? message, owner };
}

/**
 * @param {{ way: string, isEnded: boolean, givesUp?: boolean }} options isEnded: the page terminates it;
 *     givesUp: it first gives up its waits
 */
export async function deathOfHolder({ way, isEnded, givesUp = false }) {
    const { space, mutex, locks, mortal } = await startHolder({ way, givesUp });
    const waiter = startMortal({ way: 'waits', ...locks });
    await messageOf(waiter, 'a worker waits for the lock');
    const asked = mutex.execAsync(() => ({ code: 'got it' })).catch(toldBy);
    const begin = performance.now();
    if (givesUp) {
        inspect(space)
            .threads.find(({ isThis }) => !isThis)
            ?.terminate(mortal);
    } else if (isEnded) {
        mortal.terminate();
    }
    const [page, worker] = await Promise.all([
        within(UNSHARED, 'news for the page', asked).then((told) => ({
            ...told,
            ms: performance.now() - begin,
        })),
        messageOf(waiter, 'news for the worker').then((told) => ({ ...told, ms: performance.now() - begin })),
    ]);
    const recovered = await within(
        UNSHARED,
        'the repair',
        mutex.recoverAsync(() => {}),
    );
    const later = await within(
        UNSHARED,
        'the next section',
        mutex.execAsync(() => 'met'),
    );
    return { page, worker, recovered, later, support: support().death };
}

/** Frames of the page come and go: each has a slot in the table of threads, and gives it back. @param {{ count: number }} options */
export async function manyFrames({ count }) {
    const space = new LockSpace({ threads: 4 });
    const mutex = new Mutex({ space });
    for (let left = count; left > 0; left -= 1) {
        const { frame } = await startFrameWith(UNSHARED, 'useLock', { handle: mutex.handle });
        /** @type {any} */ (frame.contentWindow).useLock({ handle: mutex.handle });
        frame.remove();
    }
    return mutex.execAsync(() => 'met');
}
