/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Runtimes without timers, a clock, Atomics or memory; removed windows; and memories that are posted back.
 * `npm run coverage` showed that no other test ran these lines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { Barrier, LockSpace, Mutex, support } from '../../js-glue/index.js';
import { instantiate } from '../../js-glue/memory/module.js';
import { environment, yieldToLoop } from '../../js-glue/thread/environment.js';
import { replaceInEnvironment } from '../support/environment.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { within } from '../support/watchdog.js';
import { assertFree, restOf } from '../support/words.js';
import { garbageCollector } from '../support/garbage.js';

/**
 * Runs a function with parts of the runtime replaced or removed.
 *
 * @template T
 * @param {Record<string, unknown>} parts
 * @param {() => T} run
 * @returns {T}
 */
function where(parts, run) {
    const restore = replaceInEnvironment(parts);
    try {
        return run();
    } finally {
        restore();
    }
}

/**
 * The environment as the glue finds it when globals have other values, or are missing.
 *
 * @param {Record<string, unknown>} globals
 * @returns {Promise<Record<string, any>>}
 */
async function environmentWith(globals) {
    const scope = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (globalThis));
    const before = Object.keys(globals).map((name) => Object.getOwnPropertyDescriptor(scope, name));
    for (const [name, value] of Object.entries(globals)) {
        Object.defineProperty(scope, name, { value, configurable: true, writable: true });
    }
    try {
        const { environment } = await import(
            `../../js-glue/thread/environment.js?with=${Object.keys(globals)}`
        );
        return environment;
    } finally {
        Object.keys(globals).forEach((name, at) => {
            delete scope[name];
            const descriptor = before[at];
            if (descriptor) {
                Object.defineProperty(scope, name, descriptor);
            }
        });
    }
}

test('support: in a thread without timers, the advice says what still works', () => {
    const { asyncWait, advice } = where({ setTimeout: undefined }, support);
    assert.equal(asyncWait, 'none');
    assert.match(advice.join('\n'), /no timers.*try without a timeout/);
});

test('environment: the clock is Date if there is no performance', async () => {
    const { now } = await environmentWith({ performance: undefined });
    assert.ok(Math.abs(now() - Date.now()) < 60_000);
});

test('environment: the module loads without Atomics, and posts tasks if it can', async () => {
    const postTask = () => 'posted';
    const found = await environmentWith({
        Atomics: undefined,
        setImmediate: undefined,
        scheduler: { postTask },
    });
    assert.equal(found.waitAsync, undefined);
    assert.equal(found.setImmediate(), 'posted');
});

test('environment: in browser workers no tasks are posted, since Firefox would run them before all timers', async () => {
    const { setImmediate: post } = await environmentWith({
        setImmediate: undefined,
        MessageChannel: undefined,
        WorkerGlobalScope: class {},
        scheduler: { postTask: assert.fail },
    });
    assert.equal(post, undefined);
});

test('lock space: without WebAssembly no space can be made, and support() says so', () => {
    const { WebAssembly } = globalThis;
    Reflect.deleteProperty(globalThis, 'WebAssembly');
    try {
        assert.throws(() => new LockSpace(), errorWith('HF_NO_WEBASSEMBLY', /WebAssembly is disabled/));
        assert.match(support().advice.join('\n'), /WebAssembly is disabled/);
    } finally {
        Object.defineProperty(globalThis, 'WebAssembly', {
            value: WebAssembly,
            configurable: true,
            writable: true,
        });
    }
});

test('lock space: without crypto an identity is drawn from other sources', () => {
    const { crypto } = globalThis;
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
    const space = new LockSpace();
    Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
    const mutex = new Mutex({ space });
    mutex.lock();
    mutex.unlock();
    assertFree(mutex);
});

test('module: an error for lack of memory is not reported as a content security policy', () => {
    const { Instance } = WebAssembly;
    const { memory } = new Mutex().handle;
    const fail = function () {
        throw new RangeError('out of memory');
    };
    Object.assign(WebAssembly, { Instance: fail });
    try {
        assert.throws(() => instantiate(memory), /^RangeError: out of memory/);
    } finally {
        Object.assign(WebAssembly, { Instance });
    }
    instantiate(memory);
});

test('yield to loop: in a visible page every fourth call is a timer, so that Firefox can draw', () => {
    const waysWhere = (/** @type {object | undefined} */ document) => {
        /** @type {string[]} */
        const ways = [];
        const setImmediate = () => ways.push('task');
        const setTimeout = (/** @type {unknown} */ _, /** @type {number} */ delay) =>
            ways.push(`timer ${delay}`);
        Object.assign(globalThis, { document });
        where({ setImmediate, setTimeout }, () => Array.from({ length: 8 }, () => yieldToLoop(() => {})));
        Reflect.deleteProperty(globalThis, 'document');
        return ways.sort();
    };
    const tasks = new Array(6).fill('task');
    assert.deepEqual(waysWhere({ hidden: false }), [...tasks, 'timer 1', 'timer 1']);
    // The timers of hidden pages are a second late.
    assert.deepEqual(waysWhere({ hidden: true }), [...tasks, 'task', 'task']);
    assert.deepEqual(waysWhere(undefined), [...tasks, 'task', 'task']);
});

/** yieldToLoop() in the best way that the runtime has. */
for (const [name, parts] of /** @type {[string, (task: (callback: () => void) => void) => any][]} */ ([
    ['setImmediate', (task) => ({ setImmediate: task })],
    ['setTimeout', (task) => ({ setImmediate: undefined, setTimeout: task })],
])) {
    test(`yield to loop: yieldToLoop() calls back by ${name}`, () => {
        /** @type {unknown[]} */
        const asked = [];
        const callback = () => {};
        where(
            parts((task) => asked.push(task)),
            () => yieldToLoop(callback),
        );
        assert.deepEqual(asked, [callback]);
    });
}

/* Removed windows: Chromium still runs the reactions to a wake there, and no other task */

/**
 * Acts as if this thread's window were removed from its page during a wait.
 *
 * @param {import('../../js-glue/memory/placed.js').Placed} object
 * @param {() => Promise<unknown>} wait the wait to give up
 * @param {() => unknown} wake
 * @param {string} rest the expected words after the wait
 */
async function waitInRemovedWindow(object, wait, wake, rest) {
    await jobEnds(); // in a new turn, the wait has its entry before the window is removed
    const refused = assert.rejects(wait(), errorWith('HF_NO_TIMERS', /no timers/));
    await jobEnds();
    const tag = Object.getOwnPropertyDescriptor(globalThis, Symbol.toStringTag);
    Object.defineProperty(globalThis, Symbol.toStringTag, { value: 'Window', configurable: true });
    Object.assign(globalThis, { document: { defaultView: null } });
    let isOver = false;
    try {
        wake();
        const givenUp = async () => {
            while (restOf(object).join() !== rest && !isOver) {
                await jobEnds();
            }
        };
        await within(givenUp(), 'the wait is given up', [object]);
        await within(refused, 'the wait ends with an error', [object]);
    } finally {
        isOver = true;
        delete (/** @type {any} */ (globalThis).document);
        Object.defineProperty(globalThis, Symbol.toStringTag, tag ?? { value: undefined });
    }
}

test('mutex: a request of a removed window, whose tasks no longer run, is withdrawn when woken', async (t) => {
    const LONGER_THAN_A_BURST_MS = 5;
    const mutex = new Mutex();
    const free = restOf(mutex).join();
    mutex.lock();
    const first = mutex.execAsync(() => 'met');
    await jobEnds();
    // The clock stands still until both wait, so that the burst does not end before.
    let time = environment.now();
    t.after(replaceInEnvironment({ setImmediate: () => {}, now: () => time }));
    mutex.unlock();
    assert.equal(await within(first, 'the first', [mutex]), 'met');
    mutex.lock();
    const wake = () => {
        time += LONGER_THAN_A_BURST_MS;
        mutex.unlock();
    };
    await waitInRemovedWindow(mutex, () => mutex.execAsync(assert.fail), wake, free);
});

test('mutex: a request of a removed window is withdrawn when woken, even if the thread is slow', async (t) => {
    const mutex = new Mutex();
    const free = restOf(mutex).join();
    mutex.lock();
    const { now } = environment;
    let late = 0;
    const wake = () => {
        const LONGER_THAN_A_BURST_MS = 5;
        t.after(
            replaceInEnvironment({
                setImmediate: () => {},
                now: () => now() + (late += LONGER_THAN_A_BURST_MS),
            }),
        );
        mutex.unlock();
    };
    await waitInRemovedWindow(mutex, () => mutex.execAsync(assert.fail), wake, free);
});

test('mutex: when a request of a removed window is withdrawn, the next request is granted', async () => {
    const mutex = new Mutex();
    const free = restOf(mutex).join();
    let ran = false;
    mutex.lock();
    const request = () => mutex.execAsync(() => (ran = true));
    await waitInRemovedWindow(mutex, request, () => mutex.unlock(), free);
    assert.equal(ran, false);
    assert.equal(
        await within(
            mutex.execAsync(() => 'met'),
            'the next request',
            [mutex],
        ),
        'met',
    );
    assertFree(mutex);
});

test('barrier: the arrival of a removed window is withdrawn', async () => {
    const barrier = new Barrier({ parties: 2 });
    const atRest = restOf(barrier).join();
    await waitInRemovedWindow(
        barrier,
        () => barrier.arriveAndWaitAsync(),
        () => {},
        atRest,
    );
});

/* Memories that are collected and posted back */

/** Posts a memory to this thread itself, and drops the former objects. */
function lockAndClone() {
    const mutex = new Mutex({ space: new LockSpace() });
    mutex.lock();
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(mutex.handle.memory);
    /** @type {WebAssembly.Memory} */
    const memory = receiveMessageOnPort(port2)?.message;
    port1.close();
    return { memory, byteOffset: mutex.byteOffset, before: new WeakRef(mutex.handle.memory) };
}

test('lock space: a thread keeps its identity in a memory even if its first WebAssembly.Memory object was collected', async () => {
    const collectGarbage = garbageCollector();
    const { memory, byteOffset, before } = lockAndClone();
    for (let tries = 0; before.deref() !== undefined && tries < 100; tries += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        collectGarbage();
    }
    assert.equal(before.deref(), undefined, 'the first memory object is still there');
    const again = Mutex.at(memory, byteOffset);
    again.unlock();
    assertFree(again);
});

test('mutex: a shared memory without a page is refused', () => {
    const memory = new WebAssembly.Memory({ initial: 0, maximum: 1, shared: true });
    assert.throws(() => Mutex.at(memory, 0), errorWith('HF_BAD_MEMORY', /This memory is empty/));
});

test('mutex: a global document set by a library does not make the thread a removed window', async () => {
    Object.assign(globalThis, { document: { defaultView: null } });
    try {
        const mutex = new Mutex();
        await mutex.execAsync(async () => {
            await jobEnds();
            assert.equal(mutex.tryLock(), false, 'the section holds it');
        });
        const guard = mutex.acquire();
        assert.equal(mutex.tryLock(), false, 'the guard holds it');
        guard.release();
        assert.notEqual(support().asyncWait, 'none');
    } finally {
        delete (/** @type {any} */ (globalThis).document);
    }
});

test("event loop: the module loads where addEventListener throws, as in WebKit's audio worklets", async (t) => {
    const scope = /** @type {any} */ (globalThis);
    const before = scope.addEventListener;
    t.after(() => (scope.addEventListener = before));
    scope.addEventListener = () => {
        throw new TypeError('Can only call EventTarget.addEventListener on instances of EventTarget');
    };
    await import(`../../js-glue/thread/event-loop.js?${t.name}`);
});
