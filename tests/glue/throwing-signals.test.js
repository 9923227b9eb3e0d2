/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountingSemaphore, LockSpace, Mutex } from '../../js-glue/index.js';
import { environment } from '../../js-glue/thread/environment.js';
import { PendingRequest, RequestList } from '../../js-glue/waiting/pending.js';
import { WaitQueue } from '../../js-glue/waiting/wait-queue.js';
import { runChild } from '../support/child.js';
import { replaceInEnvironment } from '../support/environment.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/* Signals of the program, and a runtime's waitAsync, that throw while the glue calls them: the queue goes on. */

const SOON_MS = 2000;

/** A signal as a polyfill has it. One part of it throws. */
class OddSignal extends EventTarget {
    isAborted = false;
    isOdd = false;
    /** @type {string} */
    part;
    reads = 0;

    /** @param {string} part */
    constructor(part) {
        super();
        this.part = part;
    }

    /** @param {string} part */
    #throwFor(part) {
        if (this.isOdd && part === this.part) {
            throw new Error(`odd ${part}`);
        }
    }

    get aborted() {
        this.#throwFor('aborted');
        return this.isAborted;
    }

    get reason() {
        this.#throwFor('reason');
        return new Error('enough');
    }

    /** @param {any[]} args */
    removeEventListener(...args) {
        this.#throwFor('removeEventListener');
        Reflect.apply(super.removeEventListener, this, args);
    }

    /** @param {any[]} args */
    addEventListener(...args) {
        this.#throwFor('addEventListener');
        Reflect.apply(super.addEventListener, this, args);
    }

    abort() {
        this.isAborted = true;
        this.dispatchEvent(new Event('abort'));
    }
}

/** Collects what is thrown where nobody catches it, in this test. @param {import('node:test').TestContext} t */
function uncaught(t) {
    /** @type {unknown[]} */
    const errors = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => errors.push(error));
    t.after(() => {
        process.removeAllListeners('uncaughtException');
        listeners.forEach((listener) => process.on('uncaughtException', listener));
    });
    return errors;
}

for (const part of ['aborted', 'reason', 'removeEventListener']) {
    for (const abort of [false, true]) {
        test(`a signal whose ${part} throws, ${abort ? 'aborted' : 'not aborted'}: others are served`, async (t) => {
            const errors = uncaught(t);
            const mutex = new Mutex();
            mutex.lock();
            const signal = new OddSignal(part);
            const settling = Promise.allSettled([
                mutex.executeLocked(() => 7, { signal: /** @type {any} */ (signal) }),
            ]);
            const behind = mutex.executeLocked(() => 8);
            await jobEnds();
            signal.isOdd = true;
            if (abort) {
                signal.abort();
            }
            mutex.unlock();
            assert.equal(await within(behind, 'the one behind', [mutex], SOON_MS), 8);
            const [settled] = await within(settling, 'the odd one', [mutex], SOON_MS);
            if (settled?.status === 'rejected') {
                assert.match(settled.reason.message, /odd|enough/);
            } else {
                assert.equal(abort, false, 'a callback ran after the abort');
                assert.equal(settled?.value, 7);
            }
            await jobEnds();
            assertFree(mutex);
            assert.equal(errors.length, part === 'removeEventListener' ? 1 : 0);
        });
    }
}

for (const abort of [false, true]) {
    test(`a clearTimeout of tests that throws, ${abort ? 'aborted' : 'not aborted'}: others are served`, async (t) => {
        const errors = uncaught(t);
        const mutex = new Mutex();
        mutex.lock();
        const { setTimeout, clearTimeout } = globalThis;
        const controller = new AbortController();
        let ask;
        try {
            globalThis.setTimeout = /** @type {any} */ (() => 1);
            globalThis.clearTimeout = () => {
                throw new Error('odd clearTimeout');
            };
            ask = mutex.executeLocked(() => 7, { timeout: 1000, signal: controller.signal });
        } finally {
            Object.assign(globalThis, { setTimeout, clearTimeout });
        }
        const settling = Promise.allSettled([ask]);
        const behind = mutex.executeLocked(() => 8);
        await jobEnds();
        if (abort) {
            controller.abort(new Error('enough'));
        }
        mutex.unlock();
        assert.equal(await within(behind, 'the one behind', [mutex], SOON_MS), 8);
        const [settled] = await within(settling, 'the odd one', [mutex], SOON_MS);
        assert.equal(settled?.status, abort ? 'rejected' : 'fulfilled');
        assertFree(mutex);
        assert.deepEqual(errors.map(String), ['Error: odd clearTimeout']);
    });
}

test("a signal whose addEventListener throws: the error is the caller's, and there is no request", async () => {
    const semaphore = new CountingSemaphore(undefined, { initial: 0, max: 1 });
    const signal = new OddSignal('addEventListener');
    signal.isOdd = true;
    const request = semaphore.enterAsync({ signal: /** @type {any} */ (signal) });
    await assert.rejects(request, /odd addEventListener/);
    semaphore.leave();
    await within(semaphore.enterAsync(), 'a later request', [semaphore], SOON_MS);
});

test('a signal that aborts within its addEventListener ends the request', async () => {
    const semaphore = new CountingSemaphore(undefined, { initial: 0, max: 1 });
    const signal = new OddSignal('');
    signal.addEventListener = (/** @type {any[]} */ ...args) => {
        Reflect.apply(EventTarget.prototype.addEventListener, signal, args);
        signal.abort();
    };
    const request = semaphore.enterAsync({ signal: /** @type {any} */ (signal) });
    await assert.rejects(request, /enough/);
    semaphore.leave();
    await within(semaphore.enterAsync(), 'a later request', [semaphore], SOON_MS);
});

test('a signal that aborts within its addEventListener ends a request that is not the first, too', async () => {
    const semaphore = new CountingSemaphore(undefined, { initial: 0, max: 1 });
    const first = semaphore.enterAsync();
    const signal = new OddSignal('');
    signal.addEventListener = (/** @type {any[]} */ ...args) => {
        Reflect.apply(EventTarget.prototype.addEventListener, signal, args);
        signal.abort();
    };
    const request = semaphore.enterAsync({ signal: /** @type {any} */ (signal), timeout: 60_000 });
    await assert.rejects(within(request, 'the second request', [semaphore], SOON_MS), /enough/);
    semaphore.leave();
    await within(first, 'the first request', [semaphore], SOON_MS);
});

test('a signal that has aborted within its addEventListener, and was set back, ends no later request', async () => {
    const semaphore = new CountingSemaphore(undefined, { initial: 0, max: 1 });
    const signal = new OddSignal('');
    signal.addEventListener = (/** @type {any[]} */ ...args) => {
        Reflect.apply(EventTarget.prototype.addEventListener, signal, args);
        signal.abort();
    };
    const ask = () => semaphore.enterAsync({ signal: /** @type {any} */ (signal) });
    await assert.rejects(ask(), /enough/);
    signal.isAborted = false;
    signal.addEventListener = OddSignal.prototype.addEventListener;
    const request = ask();
    semaphore.leave();
    await within(request, 'the later request', [semaphore], SOON_MS);
});

test('a waitAsync that throws ends the request that waits, and not the queue', async () => {
    const { code, stdout, stderr } = await runChild('wait-async-throws');
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'odd waitAsync; 7');
});

/** A signal whose time is looked at only when somebody asks: its listeners run while it says that it has aborted. */
class LazySignal extends EventTarget {
    isDue = false;
    isAborted = false;
    reason = new Error('too late');
    get aborted() {
        if (this.isDue && !this.isAborted) {
            this.isAborted = true;
            this.dispatchEvent(new Event('abort'));
        }
        return this.isAborted;
    }
}

test('a signal that aborts while it is asked ends its request once', async () => {
    const mutex = new Mutex();
    mutex.lock();
    const signal = new LazySignal();
    const ended = reasonOf(mutex.executeLocked(assert.fail, { signal: /** @type {any} */ (signal) }));
    const behind = mutex.executeLocked(() => 8);
    signal.isDue = true;
    mutex.unlock();
    assert.equal(await within(ended, 'the one that ends', [mutex]), signal.reason);
    assert.equal(await within(behind, 'the one behind', [mutex], SOON_MS), 8);
    assertFree(mutex);
});

/** As where there is no stack left. */
class OddRequest extends PendingRequest {
    run() {}

    reject() {
        throw new Error('odd reject');
    }
}

/** What a queue waits for that comes to no step. */
const NEVER_ASKED = {
    step: () => assert.fail(),
    withdraw: () => assert.fail(),
    locate: () => assert.fail(),
    look: () => 0,
    late: '',
};

class BareQueue extends WaitQueue {
    endOf() {
        return undefined;
    }

    timeoutError() {}

    whyNoWait() {}
}

test('a request whose end throws, where nothing can be thrown later, does not hang its thread', (t) => {
    let withdrawn = 0;
    const waitable = {
        step: () => assert.fail(),
        withdraw: () => void (withdrawn += 1),
        locate: () => assert.fail(),
        look: () => 0,
        late: '',
    };
    const queue = new BareQueue(waitable);
    const request = new OddRequest(queue, 1, Infinity);
    const { queueMicrotask } = environment;
    t.after(() => (environment.queueMicrotask = queueMicrotask));
    queue.add(request);
    let calls = 0;
    environment.queueMicrotask = () => {
        calls += 1;
        if (calls < 1000) {
            throw new RangeError('odd stack'); // after that, it would be for ever
        }
    };
    queue.giveUp(request, new Error('enough'));
    assert.deepEqual([calls, withdrawn, queue.waits], [1, 0, false]);
});

test('what two actions of one event throw is thrown later, each', async (t) => {
    const words = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const queue = new BareQueue({
        step: () => ({ next: 'turn', expected: 0, watched: 0, isSenior: false, reservation: 0 }),
        withdraw() {
            throw new Error('odd withdraw');
        },
        locate: () => ({ words, index: 0 }),
        look: () => 0,
        late: '',
    });
    const request = new OddRequest(queue, 1, Infinity);
    queue.add(request);
    await new Promise(setImmediate); // it waits
    /** @type {(() => void)[]} */
    const thrown = [];
    t.after(replaceInEnvironment({ queueMicrotask: (/** @type {() => void} */ job) => thrown.push(job) }));
    queue.giveUp(request, new Error('enough'));
    thrown.forEach((job, at) => assert.throws(job, { message: at === 0 ? 'odd withdraw' : 'odd reject' }));
    assert.equal(thrown.length, 2);
});

test('a request that cannot be ended is not tried again and again', (t) => {
    const queue = new BareQueue(NEVER_ASKED);
    const request = new OddRequest(queue, 1, Infinity);
    queue.add(request);
    const overflow = new RangeError('odd stack');
    let calls = 0;
    t.mock.method(request, 'endWait', () => {
        calls += 1;
        if (calls < 1000) {
            throw overflow; // after that, it would be for ever
        }
    });
    assert.throws(() => queue.giveUp(request, new Error('enough')), overflow);
    assert.equal(calls, 1);
    assert.equal(queue.waits, true); // nothing was done by half
    t.mock.restoreAll();
    t.mock.method(request, 'reject', () => {});
    queue.giveUp(request, new Error('enough'));
    assert.equal(queue.waits, false);
});

test('a request that ends while it is taken out is taken out once', () => {
    const queue = new BareQueue(NEVER_ASKED);
    const list = new RequestList();
    /** As where a signal's own code comes back to it. */
    class Returning extends OddRequest {
        endWait() {
            super.endWait();
            if (this.waits && !this.isAgain) {
                this.isAgain = true;
                list.remove(this);
            }
        }

        isAgain = false;
    }
    const requests = Array.from({ length: 3 }, () => new Returning(queue, 1, Infinity));
    requests.forEach((request) => list.append(request));
    const [first, second, third] = /** @type {[Returning, Returning, Returning]} */ (requests);
    list.remove(first);
    assert.deepEqual(
        [list.first === second, second.previous, second.next === third],
        [true, undefined, true],
    );
    list.remove(third);
    assert.deepEqual([list.first === second, second.next], [true, undefined]);
    list.remove(second);
    assert.equal(list.first, undefined);
    // Else this process would not end, or not live as long as the next one waits.
    list.append(new OddRequest(queue, 1, Infinity));
    assert.equal(list.shift().waits, false);
});

/**
 * A request that `add` refuses, since the program's `setTimeout` throws.
 *
 * @param {Mutex} mutex
 * @param {AbortSignal} signal
 * @param {() => void} [callback]
 */
function refusedRequest(mutex, signal, callback = assert.fail) {
    const { setTimeout } = globalThis;
    globalThis.setTimeout = /** @type {any} */ (
        () => {
            throw new Error('odd setTimeout');
        }
    );
    try {
        return mutex.executeLocked(callback, { timeout: 1000, signal });
    } finally {
        globalThis.setTimeout = setTimeout;
    }
}

test('a request that was refused does not wait, though its listener cannot be taken away', async () => {
    const mutex = new Mutex();
    mutex.lock();
    const { signal } = new AbortController();
    const noStack = () => {
        throw new RangeError('odd stack');
    };
    signal.removeEventListener = noStack;
    const before = mutex.executeLocked(() => 7);
    await jobEnds();
    const restore = replaceInEnvironment({ queueMicrotask: noStack }); // so it cannot be thrown later
    let ran = 0;
    const refused = refusedRequest(mutex, signal, () => void (ran += 1));
    restore();
    await assert.rejects(refused, /odd/);
    const behind = mutex.executeLocked(() => 8);
    mutex.unlock();
    assert.deepEqual(await within(Promise.all([before, behind]), 'the others', [mutex], SOON_MS), [7, 8]);
    assert.equal(ran, 0);
    assertFree(mutex);
});

test('a request that was refused while its signal frees the lock rejects nothing that nobody has', async () => {
    const space = new LockSpace();
    const mutex = new Mutex(space);
    const { signal } = new AbortController();
    signal.removeEventListener = () => space.free(mutex);
    mutex.lock();
    await assert.rejects(refusedRequest(mutex, signal), /odd setTimeout/);
    await jobEnds(); // an unhandled rejection fails this test
    assert.equal(new Mutex(space).byteOffset, mutex.byteOffset);
});
