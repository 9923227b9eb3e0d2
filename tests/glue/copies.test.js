/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Several copies of the package in one thread (two bundles, an ES module and a CommonJS build, two versions) are one
 * owner. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { AGENT_PRESENCE_OFFSET, AGENTS_SLOTS_OFFSET } from '../../js-glue/memory/layout.js';
import { trace } from '../../js-glue/trace.js';
import { LockManager } from '../../js-glue/web-locks.js';
import { ROOT } from '../support/documents.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { countIn, programMemory } from '../support/program-memory.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

const FOLDER = join(ROOT, 'build', 'copies');

/** @typedef {typeof import('../../js-glue/index.js')} Copy */
/** @typedef {import('../../js-glue/index.js').Mutex} Mutex */
/** @type {Copy} */
let esModule;
/** @type {Copy} */
let commonJs;
/** A copy with a polyfilled waitAsync, which waits in no queue of the engine. @type {Copy} */
let polyfilled;

const { waitAsync } = Atomics;

/**
 * Removes the time limits of waits, so no wake may be lost. The wait that starts sweeps keeps its limit.
 *
 * @type {typeof Atomics.waitAsync}
 */
const waitUntilWoken = (/** @type {any} */ words, /** @type {any} */ index, /** @type {any} */ value) =>
    waitAsync(words, index, value);

before(async () => {
    mkdirSync(FOLDER, { recursive: true });
    const entryPoints = [join(ROOT, 'js-glue', 'index.js')];
    const files = { esm: join(FOLDER, 'holdfast.mjs'), cjs: join(FOLDER, 'holdfast.cjs') };
    for (const format of /** @type {const} */ (['esm', 'cjs'])) {
        await build({ entryPoints, bundle: true, minify: true, format, outfile: files[format] });
    }
    // Each copy keeps the function that it finds when it is loaded. A bound function is not taken for a
    // polyfill.
    Atomics.waitAsync = waitUntilWoken.bind(undefined);
    esModule = await import(pathToFileURL(files.esm).href);
    commonJs = createRequire(import.meta.url)(files.cjs);
    const again = join(FOLDER, 'polyfilled.cjs');
    copyFileSync(files.cjs, again);
    Atomics.waitAsync = /** @type {any} */ (() => ({ async: true, value: new Promise(() => {}) }));
    polyfilled = createRequire(import.meta.url)(again);
    Atomics.waitAsync = waitAsync;
    assert.notEqual(esModule.Mutex, commonJs.Mutex);
});

/** Each copy has its own class of errors. @param {string} code */
const hasCode = (code) => (/** @type {any} */ error) => error.code === code;

/** @param {string} code @param {RegExp} pattern */
const isRefused = (code, pattern) => (/** @type {any} */ error) => {
    assert.equal(error.code, code);
    assert.match(error.message, pattern);
    return true;
};

/** The result of `hf_threads()` in a program. */
const THREADS = 4096;

const foreign = () => new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });

for (const [where, make] of /** @type {[string, (copy: Copy) => Mutex][]} */ ([
    ['a space', ({ Mutex }) => new Mutex()],
    ['the memory of another program', ({ Mutex }) => Mutex.at(foreign(), 64)],
    [
        'the memory of a program that counts its threads',
        ({ LockSpace, Mutex }) =>
            Mutex.at(LockSpace.attach(programMemory(THREADS), { threads: THREADS }).memory, 64),
    ],
])) {
    const inBoth = () => {
        const one = make(esModule);
        const { memory, byteOffset } = one.handle;
        return { one, other: commonJs.Mutex.at(memory, byteOffset) };
    };

    test(`copies: in ${where}, a request does not wait for a lock that another copy of this thread holds`, () => {
        const { one, other } = inBoth();
        const isDeadlock = hasCode('HF_DEADLOCK');
        one.lock();
        assert.throws(() => other.tryLock(100), isDeadlock);
        assert.throws(() => other.lock(), isDeadlock);
        assert.equal(other.tryLock(), false);
        other.unlock();
        assertFree(one);
    });

    test(`copies: in ${where}, requests by both copies are granted, whichever copy releases`, async () => {
        const { one, other } = inBoth();
        one.lock();
        let inside = 0;
        const section = async () => {
            inside += 1;
            assert.equal(inside, 1);
            await jobEnds();
            inside -= 1;
        };
        const requests = [one, other, one, other, one, other].map((mutex) => mutex.execAsync(section));
        await jobEnds();
        other.unlock();
        await within(Promise.all(requests), 'all requests', [one]);
        assertFree(one);
    });

    test(`copies: in ${where}, a request of one copy is granted after a request of the other timed out`, async () => {
        const { one, other } = inBoth();
        one.lock();
        const given = reasonOf(other.execAsync(assert.fail, { timeout: 5 }));
        const kept = one.execAsync(() => 'met');
        await within(given, 'the end of the one', [one]);
        one.unlock();
        assert.equal(await within(kept, 'the other', [one]), 'met');
        assertFree(one);
    });
}

test('copies: an object of another copy is refused, and the message says what to do', async () => {
    const { Barrier, Condition, LockSpace, Mutex } = esModule;
    const space = /** @type {any} */ (new commonJs.LockSpace());
    const isTold = isRefused('HF_BAD_OPTION', /of this copy of holdfast, as from LockSpace\.from\(handle\)/);
    for (const make of [() => new Mutex({ space }), () => new Barrier({ space, parties: 2 })]) {
        assert.throws(make, isTold);
    }
    const own = LockSpace.from(space.handle);
    const condition = new Condition({ space: own });
    const mutex = /** @type {any} */ (new commonJs.Mutex({ space }));
    mutex.lock();
    const isForeign = isRefused('HF_BAD_MUTEX', /of another copy of holdfast, .*: use Mutex\.from\(/);
    assert.throws(() => condition.wait(mutex), isForeign);
    assert.ok(isForeign(await reasonOf(condition.waitAsync(mutex))));
    assert.equal(condition.waitFor(Mutex.from(mutex.handle), { timeout: 0 }), false);
    mutex.unlock();
    const isOther = isRefused('HF_BAD_OPTION', /of another copy of holdfast/);
    assert.throws(() => trace(mutex), isRefused('HF_BAD_OPTION', /come from two copies of holdfast/));
    assert.throws(() => new LockManager({ space }), isOther);
    const isLock = isRefused('HF_BAD_OPTION', /trace\(\) takes a lock, as in trace\(mutex\), not/);
    for (const value of [own, space, new LockManager(), { handle: 1 }, { handle: null }]) {
        assert.throws(() => trace(/** @type {any} */ (value)), isLock);
    }
    const isNoCopy = isRefused('HF_BAD_OPTION', /, not an object\.$/);
    assert.throws(() => new Mutex(/** @type {any} */ ({ space: { alloc() {} } })), isNoCopy);
    const isOfNoCopy = isRefused('HF_BAD_MUTEX', /waits with a Mutex, not an object/);
    assert.throws(() => condition.wait(/** @type {any} */ (own)), isOfNoCopy);
});

test('copies: a lock in place of a space is refused, even a lock of another copy', () => {
    for (const lock of [new esModule.Mutex(), new commonJs.Mutex()]) {
        assert.throws(
            () => new esModule.Mutex(/** @type {any} */ (lock)),
            isRefused('HF_BAD_OPTION', /For a handle: Mutex\.from\(handle\)\.$/),
        );
        assert.throws(
            () => new LockManager(/** @type {any} */ (lock)),
            isRefused('HF_BAD_OPTION', /takes one object of options, with a LockSpace as space\.$/),
        );
    }
});

test('copies: a thread takes one slot in the memory of a program, whatever the number of copies', () => {
    const memory = programMemory(THREADS);
    for (const { LockSpace } of [esModule, commonJs, esModule]) {
        LockSpace.attach(memory, { threads: THREADS });
        LockSpace.attach(structuredClone(memory), { threads: THREADS });
    }
    assert.equal(countIn(memory, THREADS), 1);
});

test('copies: attach with threads fails with HF_TOO_LATE if another copy has drawn an identity', () => {
    const memory = programMemory(THREADS);
    const mutex = commonJs.Mutex.at(structuredClone(memory), 64);
    assert.throws(() => esModule.LockSpace.attach(memory, { threads: THREADS }), hasCode('HF_TOO_LATE'));
    mutex.lock();
    assert.throws(() => esModule.Mutex.at(memory, 64).lock(), hasCode('HF_DEADLOCK'));
    mutex.unlock();
});

/** A semaphore with a third of its permits free, in both copies. */
function semaphoreInBoth() {
    const one = new esModule.CountingSemaphore({ max: 3 });
    one.enter({ permits: 2 });
    return { one, other: commonJs.CountingSemaphore.from(one.handle) };
}

test('copies: an heir that is aborted wakes the request of another copy behind it', async () => {
    const { one, other } = semaphoreInBoth();
    const abort = new AbortController();
    const given = reasonOf(other.execAsync(assert.fail, { permits: 3, signal: abort.signal }));
    await jobEnds();
    const kept = one.execAsync(() => 'met', { permits: 3 });
    await jobEnds();
    abort.abort();
    await given;
    await jobEnds();
    one.leave(2);
    assert.equal(await within(kept, 'the other', [one]), 'met');
});

test("copies: a small request that overtakes the heir of another copy does not end the heir's wait", async () => {
    const { one, other } = semaphoreInBoth();
    const large = one.execAsync(() => 'met', { permits: 3 });
    await jobEnds();
    await within(other.enterAsync({ permits: 1 }), 'the small one', [one]);
    await jobEnds();
    one.leave(3);
    assert.equal(await within(large, 'the large one', [one]), 'met');
});

test('copies: a copy with an incompatible format throws HF_COPIES', () => {
    const symbol = Symbol.for('holdfast');
    const scope = /** @type {Record<symbol, any>} */ (/** @type {unknown} */ (globalThis));
    const before = scope[symbol];
    scope[symbol] = { ...before, format: before.format + 1 };
    try {
        assert.throws(() => new esModule.Mutex({ space: new esModule.LockSpace() }), hasCode('HF_COPIES'));
    } finally {
        scope[symbol] = before;
    }
});

test('copies: if one copy has drawn a random identity, the other copy takes no slot', () => {
    const { support, LockSpace } = polyfilled;
    assert.equal(support().death, 'none');
    const { memory, handle } = new LockSpace();
    const header = new Uint8Array(memory.buffer, 0, 64).slice();
    esModule.LockSpace.from(handle);
    assert.deepEqual(new Uint8Array(memory.buffer, 0, 64).slice(), header);
});

test('copies: each copy arms entries of its own that show that the thread lives', () => {
    const memory = programMemory(THREADS);
    const words = new Int32Array(memory.buffer);
    const slot = THREADS + /** @type {number} */ (words[(THREADS + AGENTS_SLOTS_OFFSET) / 4]);
    const presence = (slot + AGENT_PRESENCE_OFFSET) / 4;
    for (const { LockSpace } of [esModule, commonJs]) {
        LockSpace.attach(memory, { threads: THREADS });
        assert.equal(Atomics.notify(words, presence), 16);
    }
});

test('copies: a cache line that one copy has freed is used by later locks of the other', () => {
    const space = new esModule.LockSpace();
    /** @type {Mutex[]} */
    const locks = [];
    assert.throws(() => {
        for (;;) {
            locks.push(new esModule.Mutex({ space }));
        }
    });
    const beginsLine = (/** @type {Mutex} */ { byteOffset }) => byteOffset % 64 === 0;
    locks.sort((a, b) => a.byteOffset - b.byteOffset);
    const line = locks.findLast(beginsLine);
    const packed = locks.filter((lock) => !beginsLine(lock)).slice(0, 100);
    assert.ok(line);
    const other = commonJs.LockSpace.attach(space.memory);
    [...packed, line].forEach(({ byteOffset }) => other.free(byteOffset));
    const again = packed.slice(0, 50).map(() => new esModule.Mutex({ space }));
    assert.ok(again.some(({ byteOffset }) => byteOffset === line.byteOffset));
});
