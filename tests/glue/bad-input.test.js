/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { HoldfastError, LockSpace, Mutex, support } from '../../js-glue/index.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { runChild } from '../support/child.js';
import { errorWith } from '../support/errors.js';
import { PAGE } from '../support/program-memory.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* Mistakes of users, and their errors. Values that the types do not allow are typed `any`. */

const foreign = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });

/* Misuse of a lock */

test('mutex: unlock of a free lock is refused', () => {
    const mutex = new Mutex();
    assert.throws(() => mutex.unlock(), errorWith('HF_NOT_OWNER', /This thread does not hold Mutex at \d+/));
    assertFree(mutex);
});

test('mutex: unlock twice is refused', () => {
    const mutex = new Mutex();
    mutex.lock();
    mutex.unlock();
    assert.throws(() => mutex.unlock(), errorWith('HF_NOT_OWNER', /This thread does not hold Mutex at \d+/));
    assertFree(mutex);
});

test('mutex: unlock by another thread is refused, and changes nothing', async (t) => {
    const mutex = new Mutex();
    const board = makeBoard(3);
    const [held, release, released] = [0, 1, 2];
    startThread(t, 'holder', { handle: mutex.handle, board, held, release, released });
    await within(reached(board, held), 'the holder', [mutex]);
    const words = wordsOf(mutex);
    assert.throws(() => mutex.unlock(), errorWith('HF_NOT_OWNER', /This thread does not hold Mutex at \d+/));
    assert.deepEqual(wordsOf(mutex), words);
    reach(board, release);
    await within(reached(board, released), 'the release', [mutex]);
    assertFree(mutex);
});

test('mutex: lock twice is refused, and the lock stays held', () => {
    const mutex = new Mutex();
    mutex.lock();
    const words = wordsOf(mutex);
    assert.throws(
        () => mutex.lock(),
        errorWith('HF_DEADLOCK', /already holds Mutex at \d+.*acquireAsync\(\)/),
    );
    assert.throws(() => mutex.exec(assert.fail), errorWith('HF_DEADLOCK', /already holds Mutex at \d+/));
    assert.throws(() => mutex.acquire(), errorWith('HF_DEADLOCK', /already holds Mutex at \d+/));
    assert.throws(() => mutex.tryLock(1), errorWith('HF_DEADLOCK', /already holds Mutex at \d+/));
    assert.deepEqual(wordsOf(mutex), words);
    mutex.unlock();
    assertFree(mutex);
});

test('mutex: exec with an async callback throws once the callback has returned, and releases the lock', () => {
    const mutex = new Mutex();
    assert.throws(
        () => mutex.exec(/** @type {any} */ (async () => {})),
        errorWith('HF_BAD_CALLBACK', /execAsync\(\)/),
    );
    assertFree(mutex);
});

for (const callback of /** @type {any[]} */ ([undefined, null, 7, 'word', {}, Symbol('s')])) {
    test(`mutex: a callback that is ${String(callback)} is refused`, async () => {
        const mutex = new Mutex();
        const isBad = errorWith('HF_BAD_CALLBACK', /callback must be a function/);
        assert.throws(() => mutex.exec(callback), isBad);
        await assert.rejects(mutex.execAsync(callback), isBad);
        assertFree(mutex);
    });
}

for (const timeout of /** @type {any[]} */ ([NaN, '5', null, {}, 5n, Symbol('s'), true])) {
    test(`mutex: a timeout that is ${String(timeout)} (${typeof timeout}) is refused`, async () => {
        const mutex = new Mutex();
        const isBad = errorWith('HF_BAD_TIMEOUT', /number in ms/);
        for (const limit of typeof timeout === 'object' ? [{ timeout }] : [timeout, { timeout }]) {
            assert.throws(() => mutex.tryLock(limit), isBad);
            assert.throws(() => mutex.tryAcquire(limit), isBad);
        }
        await assert.rejects(mutex.execAsync(assert.fail, { timeout }), isBad);
        await assert.rejects(mutex.acquireAsync({ timeout }), isBad);
        assertFree(mutex);
    });
}

test('mutex: a signal of null means no signal, as in fetch', async () => {
    const mutex = new Mutex();
    assert.equal(await mutex.execAsync(() => 'ran', { signal: null }), 'ran');
    mutex.lock();
    const waits = mutex.execAsync(() => 'got', { signal: null });
    mutex.unlock();
    assert.equal(await waits, 'got');
    assertFree(mutex);
});

test('mutex: a timeout error names this thread as the holder, without advice to release', async () => {
    const mutex = new Mutex();
    const holds = errorWith('HF_TIMEOUT', /, held by this thread\.$/);
    const nested = mutex.execAsync(() => mutex.execAsync(assert.fail, { timeout: 0 }));
    await assert.rejects(nested, holds);
    const awaited = mutex.execAsync(async () => {
        await mutex.execAsync(assert.fail, { timeout: 5 });
    });
    await assert.rejects(awaited, holds);
    const guard = await mutex.acquireAsync();
    for (const timeout of [0, 5]) {
        await assert.rejects(mutex.acquireAsync({ timeout }), (/** @type {any} */ error) => {
            assert.doesNotMatch(error.message, /Release it first|already/);
            return holds(error);
        });
    }
    guard.release();
    assertFree(mutex);
});

test('mutex: a timeout error does not name this thread if another one holds the lock', async (t) => {
    const mutex = new Mutex();
    const board = makeBoard(3);
    const [held, release, released] = [0, 1, 2];
    startThread(t, 'holder', { handle: mutex.handle, board, held, release, released });
    await within(reached(board, held), 'the holder', [mutex]);
    await assert.rejects(
        mutex.execAsync(assert.fail, { timeout: 2 }),
        errorWith('HF_TIMEOUT', /^Timed out after 2 ms waiting for Mutex at \d+, held by worker \d+\.$/),
    );
    reach(board, release);
    await within(reached(board, released), 'the release', [mutex]);
    assertFree(mutex);
});

/* Wrong places */

for (const offset of /** @type {any[]} */ ([
    0,
    -8,
    4,
    12,
    1.5,
    PAGE,
    PAGE - 8,
    2 ** 32,
    2 ** 32 + 8,
    NaN,
    Infinity,
    undefined,
    null,
    '16',
    16n,
    Symbol('s'),
])) {
    test(`mutex: byte offset ${String(offset)} (${typeof offset}) is refused`, () => {
        const isBad = errorWith('HF_BAD_ADDRESS', /must be a multiple of 8 from 8 to 65520, not .*\./);
        assert.throws(() => Mutex.at(foreign, offset), isBad);
        const handle = /** @type {any} */ ({ holdfast: 'Mutex', memory: foreign, byteOffset: offset });
        assert.throws(() => Mutex.from(handle), isBad);
    });
}

test('mutex: the last 16 bytes of a memory can hold a mutex', () => {
    const mutex = Mutex.at(foreign, PAGE - Mutex.BYTES);
    mutex.lock();
    mutex.unlock();
    assertFree(mutex);
});

const lostItsMemory = errorWith('HF_BAD_HANDLE', /as posted, not one without its memory/);

for (const memory of /** @type {any[]} */ ([
    undefined,
    null,
    {},
    new ArrayBuffer(PAGE),
    new WebAssembly.Memory({ initial: 1, maximum: 1 }),
])) {
    const what = Object.prototype.toString.call(memory);
    test(`lock space: ${what} in place of a shared memory is refused`, () => {
        const isBad = errorWith('HF_NOT_SHARED', /shared: true/);
        assert.throws(() => Mutex.at(memory, 16), isBad);
        assert.throws(() => LockSpace.attach(memory), isBad);
        const isBadHandle = memory instanceof WebAssembly.Memory ? isBad : lostItsMemory;
        assert.throws(() => Mutex.from({ holdfast: 'Mutex', memory, byteOffset: 16 }), isBadHandle);
        assert.throws(() => LockSpace.from({ holdfast: 'LockSpace', memory }), isBadHandle);
    });
}

test('mutex: a handle that went through JSON is refused, and the message says what to do', () => {
    const space = new LockSpace();
    for (const [Class, handle] of /** @type {[any, object][]} */ ([
        [Mutex, new Mutex({ space }).handle],
        [LockSpace, space.handle],
    ])) {
        const arrived = JSON.parse(JSON.stringify(handle));
        assert.throws(() => Class.from(arrived), lostItsMemory);
    }
});

test('lock space: a proxy of a memory is refused, since the engine cannot use it', () => {
    const isBad = errorWith('HF_BAD_MEMORY', /belongs to another window\. Post it/);
    const memory = new Proxy(foreign, { get: (target, key) => Reflect.get(target, key) });
    assert.throws(() => Mutex.at(memory, 16), isBad);
    assert.throws(() => LockSpace.attach(memory), isBad);
    assert.throws(() => Mutex.from({ holdfast: 'Mutex', memory, byteOffset: 16 }), isBad);
    assert.throws(() => LockSpace.from({ holdfast: 'LockSpace', memory }), isBad);
    const block = /** @type {any} */ ({ byteOffset: 16, memory });
    assert.throws(() => new LockSpace().free(block), isBad);
});

test('lock space: a buffer in place of its memory is refused, and the message says which to pass', () => {
    const isBad = errorWith('HF_NOT_SHARED', /WebAssembly\.Memory.*, not \[object SharedArrayBuffer\]/);
    assert.throws(() => Mutex.at(/** @type {any} */ (new SharedArrayBuffer(PAGE)), 16), isBad);
});

test('lock space: a shared memory of another realm is accepted', () => {
    const memory = runInNewContext('new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })');
    const mutex = Mutex.at(memory, 64);
    mutex.lock();
    mutex.unlock();
    assertFree(mutex);
});

test('mutex: from() refuses a mutex in place of its handle, and says what to pass', () => {
    const mutex = /** @type {any} */ (new Mutex());
    const posted = structuredClone(mutex);
    const isBad = errorWith('HF_BAD_HANDLE', /takes the `handle` of a Mutex, .*, not an object/);
    assert.throws(() => Mutex.from(mutex), isBad);
    assert.throws(() => Mutex.from(posted), isBad);
    assert.throws(() => new Mutex(mutex.handle), errorWith('HF_BAD_OPTION', /Mutex\.from\(handle\)/));
});

for (const handle of /** @type {any[]} */ ([undefined, null, 7, 'Mutex', {}, [], () => {}])) {
    test(`mutex: a handle that is ${typeof handle} ${String(handle)} is refused`, () => {
        const isBad = errorWith('HF_BAD_HANDLE', /takes the `handle` of a \w+, as posted/);
        assert.throws(() => Mutex.from(handle), isBad);
        assert.throws(() => LockSpace.from(handle), isBad);
    });
}

test('mutex: the handle of another class is refused, and the message names that class', () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const spaceHandle = /** @type {any} */ (space.handle);
    const mutexHandle = /** @type {any} */ (mutex.handle);
    assert.throws(
        () => Mutex.from(spaceHandle),
        errorWith('HF_BAD_HANDLE', /`handle` of a Mutex.*that of a LockSpace/),
    );
    assert.throws(
        () => LockSpace.from(mutexHandle),
        errorWith('HF_BAD_HANDLE', /`handle` of a LockSpace.*that of a Mutex/),
    );
    const other = { ...mutexHandle, holdfast: 'RwLock' };
    assert.throws(() => Mutex.from(other), errorWith('HF_BAD_HANDLE', /that of a RwLock/));
});

/* Spaces */

test('lock space: new LockSpace() refuses a memory or a handle, and names the method to call', () => {
    const isTold = errorWith('HF_BAD_OPTION', /LockSpace\.from\(handle\) or LockSpace\.attach\(memory\)/);
    for (const given of /** @type {any[]} */ ([foreign, new LockSpace().handle, new Mutex().handle])) {
        assert.throws(() => new LockSpace(given), isTold);
    }
});

for (const pages of /** @type {any[]} */ ([0, -1, 1.5, 257, NaN, Infinity, '1', 1n, Symbol('s')])) {
    test(`lock space: ${String(pages)} pages (${typeof pages}) are refused`, () => {
        assert.throws(() => new LockSpace({ pages }), errorWith('HF_BAD_OPTION', /from 1 to 256/));
    });
}

test('lock space: the error of a full space says what to do', () => {
    const space = new LockSpace();
    const full = errorWith('HF_NO_SPACE', /is full .* more \{ pages \}/);
    assert.throws(() => space.alloc(PAGE), full);
    assert.throws(() => space.alloc(2 ** 40), full);
    assert.throws(() => space.alloc(16, 2 ** 40), full);
    assert.throws(() => {
        for (;;) {
            new Mutex({ space });
        }
    }, full);
    assert.throws(() => space.alloc(1), full);
});

for (const bytes of [0, -1, 1.5, NaN, Infinity]) {
    test(`lock space: alloc of ${bytes} bytes is refused`, () => {
        assert.throws(
            () => new LockSpace().alloc(bytes),
            errorWith('HF_BAD_OPTION', /alloc\(\) takes a whole number of bytes/),
        );
    });
}

for (const align of [0, -16, 3, 24, 1.5, NaN, Infinity]) {
    test(`lock space: alloc aligned to ${align} is refused`, () => {
        assert.throws(() => new LockSpace().alloc(16, align), errorWith('HF_BAD_OPTION', /power of two/));
    });
}

test('lock space: free() refuses an address that is not a block, and a block that is free', () => {
    const space = new LockSpace();
    const isBad = errorWith(
        'HF_BAD_ADDRESS',
        /free\(\) takes an unfreed block of this space: an address from alloc\(\), an array or a lock/,
    );
    const block = space.alloc(64);
    const behind = space.alloc(16);
    for (const offset of /** @type {any[]} */ ([
        0,
        16,
        32,
        block + 1,
        block + 16,
        block + 48,
        behind + 16,
        -16,
        PAGE,
        2 ** 32 + block,
        NaN,
        1.5,
    ])) {
        assert.throws(() => space.free(offset), isBad, String(offset));
    }
    const isNoOffset = errorWith('HF_BAD_ADDRESS', /free\(\) takes/);
    for (const other of /** @type {any[]} */ ([undefined, 'x', null, {}, `${block}`])) {
        assert.throws(() => space.free(other), isNoOffset, String(other));
    }
    space.free(block);
    assert.throws(() => space.free(block), isBad);
    space.free(behind);
    assert.throws(() => space.free(behind), isBad);
});

test('lock space: the memory of another program has no allocator, and the error says how to place a lock', () => {
    const space = LockSpace.attach(foreign);
    const isBad = errorWith('HF_NO_ALLOCATOR', /allocate there, and call at\(\)/);
    assert.throws(() => space.alloc(16), isBad);
    assert.throws(() => space.free(16), isBad);
    assert.throws(() => new Mutex({ space }), isBad);
});

/* Kinds of threads. Each is a process that pretends to be such a thread. */

const MAY_NOT_BLOCK = 'HF_MAY_NOT_BLOCK';

/**
 * @param {string[]} preludes
 * @returns {Promise<any>}
 */
async function reportOf(...preludes) {
    const { code, stdout, stderr } = await runChild('may-block-report', preludes);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
}

/** @param {any} report */
function assertAsyncWorks(report) {
    assert.equal(report.tryLock, true);
    assert.equal(report.unlock, undefined);
    assert.equal(report.execAsync, 7);
    assert.equal(report.contended, 8);
    assert.equal(report.guard, true);
}

for (const prelude of ['page', 'audio-worklet', 'no-wait']) {
    test(`mutex: blocking calls throw before they change a word, in a thread that may not block (${prelude})`, async () => {
        const report = await reportOf(prelude);
        for (const method of ['lock', 'exec', 'acquire', 'tryLockFor']) {
            assert.equal(report[method]?.code, MAY_NOT_BLOCK, method);
            assert.match(report[method].message, /execAsync\(\), acquireAsync\(\) or tryLock\(\)/);
        }
        assert.deepEqual(report.wordsAfterRefusals, [0, 0, 0, 0]);
        assertAsyncWorks(report);
        assert.deepEqual(report.words, [0, 0, 0, 0]);
        assert.equal(report.support.mayBlock, false);
        assert.equal(report.support.mayShare, true);
        assert.equal(report.support.asyncWait, 'waitAsync');
        assert.deepEqual(report.support.advice, [], 'nothing is to be changed here');
    });
}

test('mutex: without cross-origin isolation a mutex works on one thread, and its handle throws', async () => {
    const report = await reportOf('page', 'not-isolated');
    assertAsyncWorks(report);
    for (const { code, message } of [report.handle, report.spaceHandle]) {
        assert.equal(code, 'HF_NOT_ISOLATED');
        assert.match(message, /https or localhost/);
        assert.match(message, /Cross-Origin-Opener-Policy: same-origin/);
        assert.match(message, /Cross-Origin-Embedder-Policy: require-corp/);
    }
    assert.equal(report.support.mayShare, false);
    assert.equal(report.support.mayBlock, false);
    assert.equal(report.support.advice.length, 1);
    assert.match(report.support.advice[0], /Cross-Origin-Opener-Policy.*Cross-Origin-Embedder-Policy/);
});

test('support: the advice names headers only if headers would help', (t) => {
    const scope = /** @type {any} */ (globalThis);
    const before = ['crossOriginIsolated', 'location', 'navigator'].map((name) => [
        name,
        Object.getOwnPropertyDescriptor(scope, name),
    ]);
    const put = (/** @type {string} */ name, /** @type {unknown} */ value) =>
        Object.defineProperty(scope, name, { configurable: true, value });
    t.after(() => {
        for (const [name, property] of /** @type {any} */ (before)) {
            delete scope[name];
            property && Object.defineProperty(scope, name, property);
        }
    });
    put('crossOriginIsolated', false);
    put('location', { protocol: 'file:' });
    assert.match(support().advice.join(), /page with a file: URL .*loadFile\(\).*localhost/);
    put('location', { protocol: 'https:' });
    put('navigator', { userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel; wv) Chrome/130' });
    assert.match(support().advice.join(), /WebView shares no memory, whatever the headers/);
    assert.throws(() => new Mutex().handle, errorWith('HF_NOT_ISOLATED', /See support\(\)/));
});

test('space: the error of a full space says to free locks or to use more pages', () => {
    const space = new LockSpace();
    space.alloc(40_000);
    assert.throws(() => space.alloc(40_000), errorWith('HF_NO_SPACE', /Make it with more \{ pages \}/));
});

test('mutex: without waitAsync a request polls by timer, and support() says so', async () => {
    const report = await reportOf('page', 'no-wait-async');
    assertAsyncWorks(report);
    assert.deepEqual(report.words, [0, 0, 0, 0]);
    assert.equal(report.support.asyncWait, 'poll');
    assert.match(report.support.advice[0], /Atomics\.waitAsync is missing/);
});

test('mutex: a thread with a Window but no document, as in Deno, may block', async () => {
    const report = await reportOf('deno-window');
    assert.equal(report.support.mayBlock, true);
    for (const method of ['lock', 'exec', 'acquire', 'tryLockFor']) {
        assert.notEqual(report[method]?.code, MAY_NOT_BLOCK, method);
    }
});

test('support: a thread of Node supports everything', () => {
    assert.deepEqual(support(), {
        mayShare: true,
        mayBlock: true,
        asyncWait: 'waitAsync',
        death: 'probe',
        advice: [],
    });
    assert.ok(Object.isFrozen(support()));
});

test('errors: a HoldfastError is an Error with a name, a code and the stack of the call', () => {
    const error = new HoldfastError('HF_TOO_LATE', 'what to do');
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'HoldfastError');
    assert.equal(error.code, 'HF_TOO_LATE');
    assert.match(error.stack ?? '', /bad-input\.test\.js/);
});

/* Values of the wrong type */

/** @param {any} value */
const any = (value) => value;

for (const [what, code, call] of /** @type {[string, string, () => unknown][]} */ ([
    ['lock space: free(null)', 'HF_BAD_ADDRESS', () => new LockSpace().free(any(null))],
    ['lock space: new LockSpace(null)', 'HF_BAD_OPTION', () => new LockSpace(any(null))],
    ['lock space: new LockSpace(4)', 'HF_BAD_OPTION', () => new LockSpace(any(4))],
    ['lock space: alloc(Symbol())', 'HF_BAD_OPTION', () => new LockSpace().alloc(any(Symbol('s')))],
    ['lock space: alloc(16, {})', 'HF_BAD_OPTION', () => new LockSpace().alloc(16, any({}))],
    [
        'lock space: alloc(16, Object.create(null))',
        'HF_BAD_OPTION',
        () => new LockSpace().alloc(16, Object.create(null)),
    ],
    [
        'mutex: tryLock({ timeout: Object.create(null) })',
        'HF_BAD_TIMEOUT',
        () => new Mutex().tryLock({ timeout: Object.create(null) }),
    ],
    ['mutex: execAsync(f, null)', 'HF_BAD_OPTION', () => new Mutex().execAsync(assert.fail, any(null))],
    ['mutex: execAsync(f, 5)', 'HF_BAD_OPTION', () => new Mutex().execAsync(assert.fail, any(5))],
    ['mutex: acquireAsync(7)', 'HF_BAD_OPTION', () => new Mutex().acquireAsync(any(7))],
])) {
    test(`${what} throws an error with a code`, async () => {
        await assert.rejects(async () => call(), errorWith(code, /./));
    });
}

test('mutex: if blocking is not allowed, the message names the methods to use', async () => {
    const { lock, exec, acquire, tryLockFor } = await reportOf('page');
    for (const { message } of [lock, exec, acquire, tryLockFor]) {
        assert.match(message, /execAsync\(\), acquireAsync\(\) or tryLock\(\)/);
    }
});
