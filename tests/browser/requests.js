/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CountingSemaphore, LockSpace, Mutex } from '../../js-glue/index.js';
import { DROPPED, dropMany } from '../support/dropped-locks.js';
import { nextFrame, startWorker, until, within } from './page-threads.js';
import { HELD, Shared, STOP } from './shared-words.js';

/* Runs on the page: its requests, and what its program does while they wait. Each scenario returns plain data;
 * requests.test.js judges it. */

/** A worker that holds the lock until it is told to release. */
async function startHolder() {
    const shared = Shared.create();
    const holder = await startWorker(shared, 'holder');
    await until(shared, 'the holder holds', () => shared.read(HELD) === 1);
    return { shared, holder };
}

const CALLERS = ['anna', 'bert', 'carl'];

/** An async context for code without await, with the part of AsyncContext that the glue uses. */
function polyfillContext() {
    let current = 'nobody';
    /** @template T @param {string} name @param {() => T} callback */
    const run = (name, callback) => {
        const before = current;
        current = name;
        try {
            return callback();
        } finally {
            current = before;
        }
    };
    const wrap = (/** @type {(...args: unknown[]) => unknown} */ callback) => {
        const mine = current;
        return (/** @type {unknown[]} */ ...args) => run(mine, () => callback(...args));
    };
    return { AsyncContext: { Snapshot: { wrap } }, variable: { run, get: () => current } };
}

/**
 * The async context of each callback that had to wait: the browser's, a polyfill's, or none.
 *
 * @param {{ polyfills: boolean }} options
 */
export async function contexts({ polyfills }) {
    const global = /** @type {any} */ (globalThis);
    const own = global.AsyncContext;
    const { AsyncContext, variable } = polyfills
        ? polyfillContext()
        : { AsyncContext: own, variable: own && new own.Variable() };
    global.AsyncContext = AsyncContext;
    const { shared, holder } = await startHolder();
    const requests = CALLERS.map((caller) => {
        const ask = () => shared.mutex.execAsync(() => variable?.get() ?? caller);
        return variable ? variable.run(caller, ask) : ask();
    });
    shared.publish(STOP, 1);
    const seen = await within(shared, 'the requests', Promise.all(requests));
    await holder.ended();
    return { callers: CALLERS, seen, lockWords: shared.lockWords() };
}

const MARK = 0x5eed_5eed;
const LINE = 64;
/** Long enough for several re-checks by the thread. */
const LOOKS_MS = 200;

/**
 * Frees locks while requests of the page wait for them, then allocates their bytes again, and returns what is
 * in them.
 */
export async function freedWithRequests() {
    const shared = Shared.create();
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const semaphore = new CountingSemaphore({ space, initial: 0, max: 2 });
    mutex.tryLock();
    const requests = [
        mutex.execAsync(() => 'met'),
        mutex.acquireAsync(),
        semaphore.execAsync(() => 'met', { permits: 2 }),
    ];
    const outcomes = Promise.allSettled(requests);
    await nextFrame();
    const blocks = [mutex, semaphore].map((object) => {
        const { byteOffset } = object;
        space.free(object);
        const bytes = /** @type {typeof Mutex} */ (object.constructor).BYTES;
        const isSame = space.alloc(bytes, LINE) === byteOffset; // a lock begins a line
        const words = new Uint32Array(space.buffer, byteOffset, bytes / 4).fill(MARK);
        return { isSame, words };
    });
    const settled = await within(shared, 'the requests', outcomes);
    await new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
    return {
        outcomes: settled.map((one) => (one.status === 'rejected' ? one.reason.code : 'met')),
        areSame: blocks.map(({ isSame }) => isSame),
        areUntouched: blocks.map(({ words }) => words.every((word) => word === MARK)),
    };
}

const CROWD = 1000;
const REACTION_MS = 0.1;

function react() {
    for (const end = performance.now() + REACTION_MS; performance.now() < end;) {
        // the work of a handler after the request was granted or gave up
    }
}

/** How a crowd of requests ends at once. @type {Record<string, (semaphore: CountingSemaphore, controller: AbortController) => void>} */
const ENDS = {
    granted: (semaphore) => semaphore.leave(CROWD),
    aborted: (_, controller) => controller.abort(),
    'timed out': () => {},
};

/**
 * A thousand requests end at once, each with some work. Between them the page gets turns for other tasks.
 *
 * @param {{ how: 'granted' | 'aborted' | 'timed out' }} options
 */
export async function crowd({ how }) {
    const space = new LockSpace();
    const semaphore = new CountingSemaphore({ space, initial: 0, max: CROWD });
    const controller = new AbortController();
    const limits = how === 'timed out' ? { timeout: 500 } : { signal: controller.signal };
    let inTurn = 0;
    let mostInTurn = 0;
    /** @type {number[]} */
    const order = [];
    const requests = Array.from({ length: CROWD }, (_, index) => {
        const end = () => {
            react();
            order.push(index);
            inTurn += 1;
            mostInTurn = Math.max(mostInTurn, inTurn);
        };
        return semaphore.enterAsync(limits).then(end, end);
    });
    await nextFrame();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
        inTurn = 0;
        port2.postMessage('next turn');
    };
    port2.postMessage('next turn');
    const ticks = setInterval(() => (inTurn = 0));
    ENDS[how]?.(semaphore, controller);
    await within(Shared.create(), 'all of them', Promise.all(requests));
    clearInterval(ticks);
    port1.close();
    return { mostInTurn, crowd: CROWD, isOrdered: order.every((value, index) => value === index) };
}

/** Loops of requests in a worker, beside its timers. */
export async function loopsBesideTimers() {
    const mutex = new Mutex({ space: new LockSpace() });
    const guard = await mutex.acquireAsync();
    const worker = new Worker(new URL('looping-worker.js', import.meta.url), { type: 'module' });
    const outcome = new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
    });
    worker.postMessage(mutex.handle);
    try {
        return await within(Shared.create(), 'the worker', outcome);
    } finally {
        worker.terminate();
        guard.release();
    }
}

const MANY = 3000;

/** Makes more requests than fit into one turn, again and again. The page gets turns while sections wait. */
export function makeManyForEver() {
    const mutex = new Mutex();
    const rounds = async () => {
        for (;;) {
            await Promise.all(Array.from({ length: MANY }, () => mutex.execAsync(async () => {})));
        }
    };
    void rounds();
}

/** The results of one request of this page that is granted and one that times out. */
export async function areServed() {
    const [free, held] = [new Mutex(), new Mutex()];
    held.tryLock();
    const met = free.execAsync(() => 'met');
    const late = held.execAsync(() => 'met', { timeout: 50 }).catch(({ code }) => code);
    return within(Shared.create(), 'requests', Promise.all([met, late]));
}

/**
 * @param {number} count
 * @returns {Promise<string[]>} the classes, after the page has made and dropped `count` objects of each
 */
export async function droppedLocks(count) {
    const done = [];
    for (const [name, make, use] of DROPPED) {
        await dropMany(make, use, count, () => new Promise((resolve) => setTimeout(resolve, 1)));
        done.push(name);
    }
    return done;
}
