/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guard, HoldfastError, LockSpace, Mutex, TimeoutError } from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';
import { FIRST, keysAt, NEXT, read, STRIPE_BYTES, STRIPES } from '../../js-glue/keyed/keys.js';
import { attachmentFor } from '../../js-glue/memory/placed.js';
import { runChild } from '../support/child.js';
import { waitWithoutLimit } from '../support/endless.js';
import { errorWith } from '../support/errors.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { freeBytes } from '../support/free-bytes.js';
import { keysOfOneStripe, twinOf } from '../support/keyed-steps.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';

waitWithoutLimit();

/** The number of keys in a public bug report of another library. */
const MANY = 30_000;

/** Keys that look alike, or are unusual. */
const KEYS = [
    '',
    'a',
    'b',
    'aa',
    'Aa', // has the same hash as the next key
    'BB',
    '\0',
    '\0\0',
    'é',
    'e\u0301',
    '\ud800',
    '\udc00',
    '💶',
    'x'.repeat(5000),
    '__proto__',
];

/** @param {import('node:test').TestContext} t @param {KeyedMutex} keyed */
function startUser(t, keyed) {
    const worker = startThread(t, 'keyed-user', { handle: keyed.handle });
    return (/** @type {string} */ use, /** @type {string} */ key) => {
        const answer = messageOf(worker, `${use} of ${key}`, [keyed]);
        worker.postMessage([use, key]);
        return answer;
    };
}

test('keyed: the table has room for 256 stripes, each behind a mutex of 16 bytes', () => {
    assert.equal(Mutex.BYTES, 16);
    assert.equal(KeyedMutex.BYTES, 256 * 24);
    assert.deepEqual([STRIPES, STRIPE_BYTES], [256, 24]);
});

test('keyed: each key has a mutex of its own, whatever characters it has', () => {
    const keyed = new KeyedMutex();
    KEYS.forEach((key) => assert.equal(keyed.tryLock(key), true, key));
    KEYS.forEach((key) => assert.equal(keyed.tryLock(key), false, key));
    KEYS.forEach((key) => keyed.unlock(key));
    KEYS.forEach((key) => keyed.exec(key, () => assert.equal(keyed.tryLock(key), false)));
});

test('keyed: keys with one hash are different keys, even if one is a prefix of the other', () => {
    const keyed = new KeyedMutex();
    const keys = ['key', twinOf('key'), 'xAx\u0800', 'xBx\u043f'];
    for (const order of [keys, keys.toReversed()]) {
        order.forEach((key) => assert.equal(keyed.tryLock(key), true, key));
        order.forEach((key) => keyed.unlock(key));
        keyed.reclaim();
    }
});

test('keyed: a key takes 48 bytes and 2 for each character, and nothing is written behind them', () => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    for (const [length, bytes] of /** @type {const} */ ([
        [0, 48],
        [8, 64],
        [9, 80],
    ])) {
        const [block, behind] = [space.alloc(bytes), space.alloc(16)];
        const data = new Uint8Array(space.buffer, behind, 16).fill(255);
        space.free(block);
        const before = freeBytes(space);
        keyed.lock('x'.repeat(length));
        assert.equal(before - freeBytes(space), bytes);
        assert.ok(keysAt(attachmentFor(keyed), keyed.byteOffset).includes(block));
        assert.ok(data.every((byte) => byte === 255));
        keyed.unlock('x'.repeat(length));
        keyed.reclaim();
        assert.equal(freeBytes(space), before);
        keyed.lock('x'.repeat(length));
        assert.equal(before - freeBytes(space), bytes, 'again');
    }
});

test('keyed: the search for unused keys makes only a few calls of the module per new key', () => {
    const keyed = new KeyedMutex();
    const attachment = attachmentFor(keyed);
    const { exports } = attachment;
    let calls = 0;
    attachment.exports = {
        ...exports,
        owner_probe(...args) {
            calls += 1;
            assert.deepEqual(
                args.slice(2),
                [0, 0],
                'the thread does not probe itself, which would look dead',
            );
            return exports.owner_probe(...args);
        },
    };
    const keys = keysOfOneStripe(200);
    keys.forEach((key) => keyed.lock(key));
    assert.ok(calls < 10 * keys.length, `${calls} calls`);
    assert.equal(keysAt(attachment, keyed.byteOffset).length, keys.length);
    keys.forEach((key) => keyed.unlock(key));
    keyed.reclaim();
});

test('keyed: threads exclude each other even if the hash of the key overflows at its last character', async (t) => {
    const keyed = new KeyedMutex();
    const use = startUser(t, keyed);
    await use('lock', 'key 65300\uffff');
    assert.equal(keyed.tryLock('key 65300\uffff'), false);
});

test('keyed: a lock at the address of a freed key is a new lock', async () => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    keyed.lock('key');
    assert.match(String(await reasonOf(keyed.acquireAsync('key', { timeout: 1 }))), /KeyedMutex 'key'/);
    keyed.unlock('key');
    const [place = 0] = keysAt(attachmentFor(keyed), keyed.byteOffset);
    keyed.reclaim();
    const mutex = Mutex.at(space.memory, place, {});
    mutex.lock();
    assert.match(String(await reasonOf(mutex.acquireAsync({ timeout: 1 }))), /for Mutex at \d+/);
});

test('keyed: 30,000 keys can be held at once, and their memory is freed', (t) => {
    const space = new LockSpace({ pages: 64 });
    const keyed = new KeyedMutex({ space });
    const before = freeBytes(space);
    const keys = Array.from({ length: MANY }, (_, at) => `account ${at}`);
    const begin = performance.now();
    keys.forEach((key) => keyed.lock(key));
    t.diagnostic(`${MANY} keys locked in ${Math.round(performance.now() - begin)} ms`);
    assert.ok(keys.every((key) => !keyed.tryLock(key)));
    assert.ok(before - freeBytes(space) > MANY * 48);
    const { words } = attachmentFor(keyed);
    const stripes = Array.from({ length: STRIPES }, (_, at) => keyed.byteOffset + at * STRIPE_BYTES);
    assert.ok(
        stripes.every((stripe) => read(words, stripe + FIRST) !== 0),
        'each stripe has some of them',
    );
    keys.forEach((key) => keyed.unlock(key));
    keyed.reclaim();
    assert.equal(freeBytes(space), before);
});

test('keyed: if keys change all the time, memory stays at most twice that of the keys in use', () => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    const before = freeBytes(space);
    keyed.lock('kept');
    for (let at = 0; at < MANY; at += 1) {
        keyed.lock(`key ${at}`);
        keyed.unlock(`key ${at}`);
    }
    const stripes = (KeyedMutex.BYTES / 24) * 64;
    assert.ok(before - freeBytes(space) <= 2 * stripes);
    assert.equal(keyed.tryLock('kept'), false);
    keyed.unlock('kept');
    keyed.reclaim();
    assert.equal(freeBytes(space), before);
});

test('keyed: many requests at once are granted one by one for each key, in the order made', async () => {
    const keyed = new KeyedMutex();
    /** @type {Map<string, number[]>} */
    const runs = new Map();
    const all = Array.from({ length: 600 }, (_, at) => {
        const key = `key ${at % 100}`;
        return keyed.execAsync(key, async () => {
            assert.equal(keyed.tryLock(key), false);
            const mine = runs.get(key) ?? [];
            runs.set(key, mine);
            mine.push(at);
            await jobEnds();
            assert.equal(mine.at(-1), at);
        });
    });
    await within(Promise.all(all), 'all sections', [keyed]);
    for (const mine of runs.values()) {
        assert.equal(mine.length, 6);
        assert.deepEqual(
            mine,
            [...mine].sort((one, other) => one - other),
        );
    }
});

test('keyed: a section of one key does not delay one of another', async () => {
    const keyed = new KeyedMutex();
    await keyed.execAsync('a', () =>
        within(
            keyed.execAsync('b', () => keyed.execAsync('c', () => {})),
            'other keys',
            [keyed],
        ),
    );
});

test('keyed: a KeyedMutex at the address of a freed one has no keys', () => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    keyed.lock('key');
    space.free(keyed);
    const next = new KeyedMutex({ space });
    assert.equal(next.byteOffset, keyed.byteOffset);
    assert.throws(() => next.unlock('key'), errorWith('HF_NOT_OWNER', /does not hold/));
    assert.equal(next.tryLock('key'), true);
});

test('keyed: a free key runs its callback before the call returns', () => {
    const keyed = new KeyedMutex();
    let isRun = false;
    void keyed.execAsync('key', () => {
        isRun = true;
    });
    assert.ok(isRun);
});

test('keyed: acquire, tryAcquire and acquireAsync return a guard that releases once', async () => {
    const keyed = new KeyedMutex();
    for (const take of [
        () => keyed.acquire('key'),
        () => keyed.tryAcquire('key'),
        () => keyed.tryAcquire('key', 5),
        () => keyed.acquireAsync('key'),
    ]) {
        const guard = await take();
        assert.ok(guard instanceof Guard);
        assert.equal(keyed.tryAcquire('key'), null);
        assert.equal(keyed.tryLock('other'), true);
        keyed.unlock('other');
        guard.release();
        assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /already released/));
        assert.equal(keyed.tryLock('key'), true);
        keyed.unlock('key');
    }
});

test('keyed: exec passes on the result or the error of its callback, and releases the key', async () => {
    const keyed = new KeyedMutex();
    const failure = new Error('of the callback');
    const fail = () => {
        throw failure;
    };
    assert.equal(
        keyed.exec('key', () => 7),
        7,
    );
    assert.equal(await keyed.execAsync('key', () => 8), 8);
    assert.throws(() => keyed.exec('key', fail), failure);
    assert.equal(await reasonOf(keyed.execAsync('key', fail)), failure);
    assert.equal(await reasonOf(keyed.execAsync('key', async () => fail())), failure);
    assert.equal(keyed.tryLock('key'), true);
});

test('keyed: a timeout, a deadline or a signal ends a wait, and no memory stays allocated', async (t) => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    const before = freeBytes(space);
    const user = startUser(t, keyed);
    await user('lock', 'key');
    assert.equal(keyed.tryLock('key', 3), false);
    assert.equal(keyed.tryLock('key', { deadline: performance.now() + 3 }), false);
    assert.equal(keyed.tryAcquire('key', 3), null);
    const error = await reasonOf(keyed.execAsync('key', assert.fail, { timeout: 3 }));
    assert.ok(error instanceof TimeoutError);
    assert.match(error.message, /^Timed out after 3 ms waiting for KeyedMutex 'key', held by worker \d+/);
    assert.equal(error.lock?.name, 'key');
    assert.ok((await reasonOf(keyed.acquireAsync('key', { timeout: 0 }))) instanceof TimeoutError);
    const controller = new AbortController();
    const aborted = reasonOf(keyed.acquireAsync('key', { signal: controller.signal }));
    await jobEnds();
    controller.abort();
    assert.equal(await within(aborted, 'the abort', [keyed]), controller.signal.reason);
    await user('unlock', 'key');
    keyed.lock('key');
    keyed.unlock('key');
    keyed.reclaim();
    assert.equal(freeBytes(space), before);
});

test('keyed: a blocked thread, and an event loop, acquire a key that another thread releases', async (t) => {
    const keyed = new KeyedMutex();
    const user = startUser(t, keyed);
    await user('lock', 'key');
    assert.equal(keyed.tryLock('key'), false);
    assert.equal(keyed.tryLock('other'), true);
    const asked = keyed.execAsync('key', () => 'got it');
    await user('unlock', 'key');
    assert.equal(await within(asked, 'the key', [keyed]), 'got it');
    await user('lock', 'key');
    const released = user('unlock', 'key');
    keyed.lock('key'); // blocks
    await released;
    assert.equal(await user('tryLock', 'key'), false);
    assert.equal(await user('tryLock', 'free'), true);
});

test('keyed: objects with the same handle or name share their keys', () => {
    const space = new LockSpace();
    const keyed = KeyedMutex.named(space, 'accounts');
    const same = KeyedMutex.named(space, 'accounts');
    const byHandle = KeyedMutex.from(keyed.handle);
    assert.deepEqual(Object.keys(keyed.handle).sort(), ['byteOffset', 'holdfast', 'memory', 'name']);
    assert.equal(keyed.name, 'accounts');
    keyed.lock('key');
    assert.equal(same.tryLock('key'), false);
    byHandle.unlock('key');
    assert.equal(same.tryLock('key'), true);
    assert.equal(keyed.tryLock('key'), false);
    assert.throws(() => Mutex.named(space, 'accounts'), errorWith('HF_BAD_NAME', /KeyedMutex/));
    assert.throws(
        () => Mutex.from(/** @type {any} */ (keyed.handle)),
        errorWith('HF_BAD_HANDLE', /KeyedMutex/),
    );
});

test('keyed: a KeyedMutex made without a space has a space of its own', () => {
    const [one, other] = [
        new KeyedMutex(),
        new KeyedMutex({ name: 'other', space: /** @type {any} */ (null) }),
    ];
    assert.notEqual(one.memory, other.memory);
    assert.notEqual(other.memory, new Mutex().memory);
    assert.equal(one.memory.buffer.byteLength, 4 * 1024 * 1024);
    assert.equal(other.name, 'other');
    one.lock('key');
    assert.equal(other.tryLock('key'), true);
});

test('keyed: errors name the key', async () => {
    const keyed = new KeyedMutex();
    keyed.lock('orders');
    assert.throws(() => keyed.lock('orders'), errorWith('HF_DEADLOCK', /KeyedMutex 'orders'/));
    assert.throws(() => keyed.unlock('stock'), errorWith('HF_NOT_OWNER', /KeyedMutex 'stock'/));
    keyed.unlock('orders');
    assert.throws(() => keyed.unlock('orders'), errorWith('HF_NOT_OWNER', /KeyedMutex 'orders'/));
    const guard = await keyed.acquireAsync('orders');
    assert.throws(() => keyed.unlock('orders'), errorWith('HF_NOT_OWNER', /KeyedMutex 'orders'/));
    guard.release();
    const own = keyed.execAsync('orders', () => keyed.execAsync('orders', () => {}));
    await assert.rejects(own, errorWith('HF_DEADLOCK', /KeyedMutex 'orders'/));
});

test('keyed: an error names the key that is now at the address, not an earlier one', async (t) => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    const user = startUser(t, keyed);
    for (const key of ['first', 'second']) {
        await user('lock', key);
        const error = /** @type {Error} */ (await reasonOf(keyed.acquireAsync(key, { timeout: 1 })));
        assert.match(error.message, new RegExp(`KeyedMutex '${key}'`));
        await user('unlock', key);
        await user('reclaim', '');
    }
});

test('keyed: invalid arguments are refused, and no key is taken', async () => {
    const space = new LockSpace();
    const keyed = /** @type {any} */ (new KeyedMutex({ space }));
    const before = freeBytes(space);
    const blocking = ['lock', 'tryLock', 'unlock', 'exec', 'acquire', 'tryAcquire', 'recover'];
    const async = ['execAsync', 'acquireAsync', 'recoverAsync'];
    for (const key of [undefined, null, 42, 42n, Symbol('key'), {}, ['key'], new String('key')]) {
        for (const method of blocking) {
            const args = ['exec', 'recover'].includes(method) ? [() => {}] : [];
            assert.throws(
                () => keyed[method](key, ...args),
                errorWith('HF_BAD_KEY', /A key must be a string/),
            );
        }
        for (const method of async) {
            await assert.rejects(
                keyed[method](key, () => {}),
                errorWith('HF_BAD_KEY', /A key must be a string/),
                method,
            );
        }
    }
    assert.throws(() => keyed.lock(42), errorWith('HF_BAD_KEY', /, not 42\.$/));
    for (const method of ['exec', 'recover']) {
        assert.throws(() => keyed[method]('key', 7), errorWith('HF_BAD_CALLBACK', /function/));
    }
    for (const method of ['execAsync', 'recoverAsync']) {
        await assert.rejects(keyed[method]('key', 7), errorWith('HF_BAD_CALLBACK', /function/));
        await assert.rejects(
            keyed[method]('key', () => {}, { time: 1 }),
            errorWith('HF_BAD_OPTION', /time/),
        );
        await assert.rejects(
            keyed[method]('key', () => {}, { signal: {} }),
            errorWith('HF_BAD_SIGNAL', /./),
        );
    }
    for (const method of ['tryLock', 'tryAcquire']) {
        assert.throws(() => keyed[method]('key', NaN), errorWith('HF_BAD_TIMEOUT', /./));
        assert.throws(() => keyed[method]('key', { signal: 1 }), errorWith('HF_BAD_OPTION', /./));
    }
    for (const [method, args, instead] of /** @type {[string, unknown[], RegExp][]} */ ([
        ['lock', [], /takes no timeout\. Use tryLock\(key, timeout\)/],
        ['acquire', [], /takes no timeout\. Use tryAcquire\(key, timeout\)/],
        ['exec', [() => {}], /takes no timeout\. Use tryAcquire\(key, timeout\)/],
        ['recover', [() => {}], /takes no timeout\. Use recoverAsync\(\)/],
    ])) {
        assert.throws(() => keyed[method]('key', ...args, 5), errorWith('HF_BAD_OPTION', instead));
    }
    assert.throws(() => keyed.exec('key', async () => {}), errorWith('HF_BAD_CALLBACK', /Async|promise/));
    const aborted = AbortSignal.abort();
    assert.equal(await reasonOf(keyed.acquireAsync('key', { signal: aborted })), aborted.reason);
    keyed.reclaim();
    assert.equal(freeBytes(space), before);
    assert.equal(keyed.tryLock('key'), true);
});

test('keyed: the constructor takes options, and `space` must be a LockSpace', () => {
    const Class = /** @type {any} */ (KeyedMutex);
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    for (const options of [
        null,
        7,
        'name',
        { keys: 5 },
        new LockSpace(),
        new Mutex(),
        memory,
        { space: memory },
    ]) {
        assert.throws(() => new Class(options), errorWith('HF_BAD_OPTION', /./));
    }
    assert.throws(() => new Class({}, {}), errorWith('HF_BAD_OPTION', /./));
    assert.throws(() => new Class({ name: 'x'.repeat(33) }), errorWith('HF_BAD_NAME', /32 bytes/));
    assert.throws(() => KeyedMutex.at(memory, 64, {}), errorWith('HF_NO_ALLOCATOR', /./));
});

test('keyed: in a thread that may not block, blocking calls throw before they search for the key', async () => {
    const { code, stdout, stderr } = await runChild('keyed-may-not-block', ['page']);
    assert.equal(code, 0, stderr);
    const { refused, untouched, tried } = JSON.parse(stdout);
    for (const [name, got, message] of refused) {
        assert.equal(got, 'HF_MAY_NOT_BLOCK', name);
        assert.match(message, /execAsync\(\), acquireAsync\(\) or tryLock\(\) without a timeout\./, name);
    }
    assert.ok(untouched);
    assert.deepEqual(tried, [true, 'ran', true, false, 'ran']);
});

test('keyed: a full space refuses a new key, and its other keys still work', async () => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    /** @type {string[]} */
    const held = [];
    const full = () => {
        for (;;) {
            keyed.lock(`key ${held.length}`);
            held.push(`key ${held.length}`);
        }
    };
    assert.throws(full, errorWith('HF_NO_SPACE', /^There is no room for KeyedMutex 'key \d+'\. .*full/));
    await assert.rejects(
        keyed.execAsync('', () => {}),
        errorWith('HF_NO_SPACE', /^There is no room for KeyedMutex ''\. .*full/),
    );
    assert.ok(held.length > 500, `${held.length}`);
    held.forEach((key) => assert.equal(keyed.tryLock(key), false));
    keyed.unlock('key 0');
    keyed.lock('key 0, which is longer'.slice(0, 6)); // this takes the memory of the unused key
    held.slice(1).forEach((key) => keyed.unlock(key));
    assert.equal(await keyed.execAsync('one more', () => 'there is room'), 'there is room');
});

test('keyed: every call ends, even if a list is circular or a stripe stays locked', () => {
    const keyed = new KeyedMutex({ space: new LockSpace() });
    const attachment = attachmentFor(keyed);
    const [key = '', other = ''] = keysOfOneStripe(2);
    keyed.lock(key);
    const [entry = 0] = keysAt(attachment, keyed.byteOffset);
    attachment.words[(entry + NEXT) / 4] = entry;
    assert.equal(keyed.tryLock(other), true);
    keyed.reclaim();
    for (let at = 0; at < KeyedMutex.BYTES; at += 24) {
        attachment.exports.mutex_trylock(keyed.byteOffset + at, attachment.self);
    }
    assert.throws(() => keyed.lock('key'), errorWith('HF_DEADLOCK', /KeyedMutex at/));
});

test('keyed: the search of a list ends at a word that is not an address', () => {
    const space = new LockSpace();
    const keyed = new KeyedMutex({ space });
    const words = new Int32Array(keyed.memory.buffer);
    const next = space.alloc(32);
    assert.equal(next, keyed.byteOffset + KeyedMutex.BYTES);
    words[(next + 16) / 4] = next; // of no stripe
    const behind = words.byteLength - 32; // an entry would not fit there
    for (const value of [0, 1, -16, 0x7fffffff, 0x7ffffff0, behind, behind + 16, behind + 32]) {
        for (let at = 0; at < KeyedMutex.BYTES; at += 24) {
            words[(keyed.byteOffset + at + 16) / 4] = value;
        }
        assert.deepEqual(keysAt(attachmentFor(keyed), keyed.byteOffset), []);
        keyed.reclaim();
        keyed.lock('');
        assert.equal(keysAt(attachmentFor(keyed), keyed.byteOffset).length, 1);
        keyed.unlock('');
        keyed.reclaim();
    }
});

test('keyed: every call ends, even if words of the table have addresses of other objects', () => {
    const keyed = new KeyedMutex();
    const words = new Int32Array(keyed.memory.buffer);
    for (const value of [16, keyed.byteOffset]) {
        for (let at = 0; at < KeyedMutex.BYTES; at += 24) {
            words[(keyed.byteOffset + at + 16) / 4] = value;
        }
        try {
            keyed.tryLock('key');
            keyed.reclaim();
        } catch (error) {
            assert.ok(error instanceof HoldfastError || error instanceof WebAssembly.RuntimeError);
        }
    }
});
