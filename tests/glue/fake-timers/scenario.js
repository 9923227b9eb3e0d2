/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A program's locks while its tests fake the time. Each tool runs this file. */
import assert from 'node:assert/strict';
import { BinarySemaphore, Condition, deadlineIn, Mutex, TimeoutError } from 'holdfast';

const MINUTE_MS = 60_000;
const BUSY_MS = 6;
const now = performance.now.bind(performance);

function beBusy() {
    const end = now() + BUSY_MS;
    while (now() < end) {
        // nothing: other tasks must wait
    }
}

/**
 * True if the promise is still pending after the microtasks, which no tool delays.
 * @param {Promise<unknown>} promise
 */
async function isPending(promise) {
    let pending = true;
    const settled = () => (pending = false);
    promise.then(settled, settled);
    for (let turns = 0; turns < 100; turns += 1) {
        await undefined;
    }
    return pending;
}

/** The lock goes from request to request, with pauses for other tasks. */
async function handsOver() {
    const mutex = new Mutex();
    mutex.lock();
    /** @type {number[]} */
    const order = [];
    const all = [0, 1, 2].map((index) => mutex.execAsync(() => (beBusy(), order.push(index))));
    await isPending(Promise.all(all));
    mutex.unlock();
    await Promise.all(all);
    assert.deepEqual(order, [0, 1, 2]);
}

/** No code can advance a blocked thread: its time limit is real. */
function blocksForItsTimeout() {
    assert.equal(new BinarySemaphore().tryEnter({ timeout: 50 }), true);
    const taken = new BinarySemaphore({ initial: 0 });
    const begin = now();
    assert.equal(taken.tryEnter({ timeout: 50 }), false);
    assert.ok(now() - begin >= 49);
}

/** @param {(milliseconds: number) => unknown} advance */
async function timesOutWhenAdvanced(advance) {
    const mutex = new Mutex();
    mutex.lock();
    for (const limit of [() => ({ timeout: MINUTE_MS }), () => ({ deadline: deadlineIn(MINUTE_MS) })]) {
        const request = mutex.execAsync(assert.fail, limit());
        await advance(MINUTE_MS - 1);
        assert.equal(await isPending(request), true);
        await advance(1);
        await assert.rejects(request, TimeoutError);
    }
    mutex.unlock();
}

/** @param {(milliseconds: number) => unknown} advance */
async function waitsOfOneTimeoutAddUp(advance) {
    const mutex = new Mutex();
    const condition = new Condition();
    mutex.lock();
    let looks = 0;
    const wait = condition.waitAsync(mutex, { timeout: MINUTE_MS, predicate: () => ++looks > 5 });
    await advance(MINUTE_MS / 2);
    condition.notify();
    while (looks < 2) {
        await new Promise((resolve) => MESSAGES.push(resolve));
    }
    await advance(MINUTE_MS / 2);
    await assert.rejects(wait, TimeoutError);
    mutex.unlock();
}

/** Turns of the event loop that no tool fakes. */
class Messages {
    #channel = new MessageChannel();
    /** @param {(value: undefined) => void} resolve */
    push(resolve) {
        this.#channel.port1.onmessage = () => resolve(undefined);
        this.#channel.port2.postMessage(undefined);
    }
    close() {
        this.#channel.port1.close();
    }
}
const MESSAGES = new Messages();

/** @param {(milliseconds: number) => unknown} advance the time that is faked */
export async function locksWork(advance) {
    await handsOver();
    blocksForItsTimeout();
    await timesOutWhenAdvanced(advance);
    await waitsOfOneTimeoutAddUp(advance);
    MESSAGES.close();
}
