/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { within } from './page-threads.js';

/* Runs on a page that is in the back/forward cache between the two calls. The page holds a mutex for which a worker
 * waits, and waits for one that another worker holds. */

const UNSHARED = { description: () => '' };
/** Long enough for several re-checks. */
const WAIT_MS = 2500;

const space = new LockSpace();
const [mutex, other] = [new Mutex({ space }), new Mutex({ space })];
let wasCached = false;
/** @type {Promise<any>} */
let told;
/** @type {Promise<any>} */
let asked;

/** @param {Worker} worker @param {string} what */
function messageOf(worker, what) {
    const message = new Promise((resolve) => {
        worker.addEventListener('message', ({ data }) => resolve(data), { once: true });
    });
    return within(UNSHARED, what, message);
}

/** @param {string} way @param {Mutex} first */
function startWorker(way, first) {
    const worker = new Worker(new URL('./mortal-worker.js', import.meta.url), { type: 'module' });
    worker.postMessage({ way, handle: first.handle, other: first.handle });
    return worker;
}

export async function begin() {
    addEventListener('pageshow', ({ persisted }) => (wasCached = persisted));
    mutex.tryLock();
    await messageOf(startWorker('idle', other), 'a worker holds its lock');
    const waiter = startWorker('waits', mutex);
    await messageOf(waiter, 'a worker waits for the page');
    told = new Promise((resolve) => waiter.addEventListener('message', ({ data }) => resolve(data)));
    asked = other.execAsync(() => 'got it').catch(({ code }) => code);
}

/** The outcomes of the requests of the page and of the worker, a while after the page is back. */
export async function end() {
    const nothing = new Promise((resolve) => setTimeout(() => resolve('nothing'), WAIT_MS));
    const page = await Promise.race([asked, nothing]);
    const worker = await Promise.race([told, nothing]);
    mutex.unlock();
    return { wasCached, page, worker, later: await within(UNSHARED, 'the lock of the page', told) };
}
