/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Three workers feed a queue that this thread drains, and drain one that it feeds. They block while the queue is full
 * or empty; this thread, which may be a page's, never does. */
import { check, print } from '../report.js';
import { inWorker } from '../threads.js';
import { BoundedQueue } from './bounded-queue.js';

const WORKERS = 3;
const ITEMS_PER_WORKER = 2000;
const ITEMS = WORKERS * ITEMS_PER_WORKER;
const CAPACITY = 8;

/**
 * @param {BoundedQueue} queue
 * @param {'feed' | 'drain'} task
 */
function startWorkers(queue, task) {
    const workers = Array.from({ length: WORKERS }, (_, worker) =>
        inWorker(new URL('./worker.js', import.meta.url), {
            queue: queue.handle,
            task,
            first: worker * ITEMS_PER_WORKER,
            count: ITEMS_PER_WORKER,
        }),
    );
    return Promise.all(workers);
}

async function drainHere() {
    const queue = BoundedQueue.create(CAPACITY);
    const fed = startWorkers(queue, 'feed');
    /** @type {number[]} */
    const taken = [];
    for (let count = 0; count < ITEMS; count += 1) {
        taken.push(await queue.takeAsync());
    }
    await fed;
    const ownerOf = (/** @type {number} */ item) => Math.floor(item / ITEMS_PER_WORKER);
    return Array.from({ length: WORKERS }, (_, worker) => taken.filter((item) => ownerOf(item) === worker));
}

async function feedHere() {
    const queue = BoundedQueue.create(CAPACITY);
    const drained = startWorkers(queue, 'drain');
    for (let item = 0; item < ITEMS; item += 1) {
        await queue.putAsync(item);
    }
    return drained;
}

/**
 * @param {number[][]} lists of items that one thread put, or took
 * @param {string} words
 */
function checkAndPrint(lists, words) {
    const inOrder = lists.every((items) =>
        items.every((item, index) => index === 0 || item > Number(items[index - 1])),
    );
    check(inOrder, `${words} in order`);
    const all = lists.flat();
    check(all.length === ITEMS && new Set(all).size === ITEMS, `${words}, none lost or doubled`);
    print(`${ITEMS} items ${words} through a queue of ${CAPACITY}: in order, none lost or doubled`);
}

checkAndPrint(await drainHere(), `from ${WORKERS} workers to this thread`);
checkAndPrint(await feedHere(), `from this thread to ${WORKERS} workers`);
