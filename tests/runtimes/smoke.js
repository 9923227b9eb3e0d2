/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { BinarySemaphore, Condition, LockSpace, Mutex } from '../../js-glue/index.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { errorWith } from '../support/errors.js';
import { messageOf } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertAtRest, restOf } from '../support/words.js';

/* The main thread and a worker take a mutex, a semaphore and a condition from each other, in every way.
 * Prints each success, and ends by itself when nothing is pending. */

const [held, released, asks] = [0, 1, 2];
const SOON_MS = 5;
const WHILE_WAITING_MS = 100;

const space = new LockSpace();
const mutex = new Mutex({ space });
const semaphore = new BinarySemaphore({ space, initial: 0 });
const condition = new Condition({ space });
const words = new Int32Array(space.buffer, space.alloc(4), 1);
const objects = [mutex, semaphore, condition];
const rests = objects.map(restOf);
const board = makeBoard(3);

const worker = new Worker(new URL('./smoke-worker.js', import.meta.url), {
    workerData: {
        board,
        held,
        released,
        asks,
        mutex: mutex.handle,
        semaphore: semaphore.handle,
        condition: condition.handle,
        space: space.handle,
        word: words.byteOffset,
    },
});

/** @param {string} task */
function workerDoes(task) {
    const done = messageOf(worker, task, objects);
    worker.postMessage(task);
    return done;
}

let rounds = 0;

/**
 * The worker holds the mutex until the callback releases it.
 *
 * @param {(release: () => void) => unknown} callback
 */
async function whileWorkerHolds(callback) {
    rounds += 1;
    const done = workerDoes('hold');
    await within(reached(board, held, rounds), 'the worker holds', objects);
    await callback(() => reach(board, released));
    await done;
}

/** @type {Record<string, () => unknown>} */
const STEPS = {
    'lock() here, after the worker': () =>
        whileWorkerHolds((release) => {
            release();
            mutex.lock();
            mutex.unlock();
        }),
    'lock() in the worker, after this thread': async () => {
        mutex.lock();
        const done = workerDoes('lock');
        await within(reached(board, asks), 'the worker asks', objects);
        mutex.unlock();
        await done;
    },
    'execAsync() and acquireAsync() here, after the worker': () =>
        whileWorkerHolds(async (release) => {
            const requests = [
                mutex.execAsync(() => 7),
                mutex.acquireAsync().then((guard) => guard.release()),
            ];
            release();
            const [result] = await within(Promise.all(requests), 'the requests', objects);
            assert.equal(result, 7);
        }),
    'execAsync() in the worker, after this thread': async () => {
        const guard = mutex.acquire();
        const done = workerDoes('execAsync');
        await within(reached(board, asks, 2), 'the worker asks', objects);
        guard.release();
        await done;
    },
    timeouts: () =>
        whileWorkerHolds(async (release) => {
            assert.equal(mutex.tryLock(), false);
            assert.equal(mutex.tryLock(SOON_MS), false);
            const request = mutex.execAsync(assert.fail, { timeout: SOON_MS });
            await assert.rejects(within(request, 'the timeout', objects), errorWith('HF_TIMEOUT', /./));
            release();
        }),
    aborts: () =>
        whileWorkerHolds(async (release) => {
            const controller = new AbortController();
            const request = mutex.execAsync(assert.fail, { signal: controller.signal });
            setTimeout(() => controller.abort(new Error('no longer')), SOON_MS);
            await assert.rejects(within(request, 'the abort', objects), /no longer/);
            release();
        }),
    'permits of a semaphore, both ways': async () => {
        const entered = workerDoes('enter');
        await within(reached(board, asks, 3), 'the worker asks', objects);
        semaphore.leave();
        await entered;
        const request = semaphore.execAsync(() => {});
        await workerDoes('leave');
        await within(request, 'the permit', objects);
        assert.equal(semaphore.tryEnter(), true);
    },
    'notifies of a condition, both ways': async () => {
        const notified = mutex.execAsync(() =>
            condition.waitAsync(mutex, { predicate: () => words[0] === 1 }),
        );
        await workerDoes('set and notify');
        await within(notified, 'the notify', objects);
        const done = workerDoes('wait');
        await within(reached(board, asks, 4), 'the worker waits', objects);
        await mutex.execAsync(() => {
            words[0] = 2;
            condition.notify();
        });
        await done;
    },
};

for (const [name, step] of Object.entries(STEPS)) {
    await step();
    console.log(name);
}
objects.forEach((object, index) => assertAtRest(object, rests[index] ?? []));

// Nothing but the request keeps the process alive now.
worker.postMessage('hold');
await within(reached(board, held, rounds + 1), 'the worker holds', objects);
worker.unref();
void mutex.execAsync(() => console.log('the process lives while it waits'));
setTimeout(() => reach(board, released), WHILE_WAITING_MS).unref();
