/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread's identity in another program's memory. If the program contains our C, it counts threads there; otherwise
 * each thread draws a random number. Here the program is only a memory with the few words that the C code
 * would write; tests/package/emscripten.test.js has real programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { AGENT_BYTES, AGENTS_BYTES, THREAD_MASK, THREAD_RANDOM } from '../../js-glue/memory/layout.js';
import { instantiate } from '../../js-glue/memory/module.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { countIn, identityIn, PAGE, programMemory, SLOTS } from '../support/program-memory.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

const THREADS = 4096;
const LOCK = 64;

/** @param {WebAssembly.Memory} memory */
const selfIn = (memory) => attach(memory).self;

/**
 * Starts threads that use that memory and all draw the same random number, and returns their reports.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} what
 * @param {WebAssembly.Memory} what.memory
 * @param {number} [what.threads]
 * @param {number} [what.drawn]
 * @param {'tryLock' | 'unlock'} [what.calls]
 * @param {number} [what.count] the number of threads
 * @returns {Promise<{ self: number, came: string }[]>}
 */
function tellAll(t, { memory, threads, drawn = 7, calls = 'tryLock', count = 1 }) {
    const data = { memory, byteOffset: LOCK, threads, drawn, calls };
    const users = Array.from({ length: count }, () => startThread(t, 'program-user', data));
    return Promise.all(users.map((user) => messageOf(user, 'an identity', [], 30_000)));
}

/** @param {{ self: number }[]} told */
const selvesOf = (told) => told.map(({ self }) => self);

for (const [how, threads, came] of /** @type {const} */ ([
    ['draw the same number can unlock the locks of each other', undefined, 'done'],
    ['attach with the address are distinct even if they draw the same number', THREADS, 'HF_NOT_OWNER'],
])) {
    test(`counted threads: threads that ${how}`, async (t) => {
        const memory = programMemory(THREADS);
        const [holder] = await tellAll(t, { memory, threads, calls: 'tryLock' });
        const [other] = await tellAll(t, { memory, threads, calls: 'unlock' });
        assert.equal(holder?.came, 'done');
        assert.equal(other?.came, came);
        assert.equal(holder?.self === other?.self, threads === undefined);
    });
}

test('counted threads: counted identities, random ones and those of C threads never coincide', async (t) => {
    const memory = programMemory(THREADS);
    const drawn = [0, 1, 2 ** 31, 2 ** 32 - 1];
    const told = await Promise.all(drawn.map((number) => tellAll(t, { memory, drawn: number })));
    for (const self of selvesOf(told.flat())) {
        assert.ok(self >= THREAD_RANDOM && self <= THREAD_MASK, `${self} was drawn`);
    }
    assert.equal(countIn(memory, THREADS), 0);
    const counted = selvesOf(await tellAll(t, { memory, threads: THREADS, count: 2 }));
    assert.deepEqual(
        counted.sort((a, b) => a - b),
        [identityIn(1), identityIn(2)],
    );
});

test('counted threads: attach returns the space of that memory, and writes only to the table', () => {
    const memory = programMemory(THREADS);
    const before = new Uint8Array(memory.buffer).slice();
    const space = LockSpace.attach(memory, { threads: THREADS });
    assert.equal(space.memory, memory);
    assert.throws(() => space.alloc(16), { code: 'HF_NO_ALLOCATOR' });
    assert.equal(countIn(memory, THREADS), 1);
    const after = new Uint8Array(memory.buffer).slice();
    const end = THREADS + AGENTS_BYTES + SLOTS * AGENT_BYTES;
    [before, after].forEach((bytes) => bytes.fill(0, THREADS, end));
    assert.deepEqual(after, before);
});

test('counted threads: if the table is full, HF_NO_THREADS names the build option for more slots', () => {
    const memory = programMemory(THREADS);
    const exports = instantiate(memory);
    for (let joined = 0; joined < SLOTS; joined += 1) {
        const self = exports.agents_join(THREADS, 0);
        exports.agent_credit(exports.agents_slot(THREADS, self), self, 0);
    }
    assert.throws(() => LockSpace.attach(memory, { threads: THREADS }), {
        code: 'HF_NO_THREADS',
        message: /-DHF_THREADS=128/,
    });
});

test('counted threads: a thread takes one slot, however many memory objects it uses', async () => {
    const memory = programMemory(THREADS);
    LockSpace.attach(memory, { threads: THREADS });
    LockSpace.attach(memory, { threads: THREADS });
    LockSpace.attach(memory);
    const arrived = structuredClone(memory);
    LockSpace.attach(arrived, { threads: THREADS });
    const mutexes = [
        Mutex.at(memory, LOCK),
        Mutex.at(arrived, LOCK),
        Mutex.from(structuredClone(Mutex.at(memory, LOCK).handle)),
    ];
    assert.equal(countIn(memory, THREADS), 1);
    const [own, other, third] = /** @type {[Mutex, Mutex, Mutex]} */ (mutexes);
    own.lock();
    assert.throws(() => other.lock(), { code: 'HF_DEADLOCK' });
    const request = third.execAsync(() => 7);
    await jobEnds();
    other.unlock();
    assert.equal(await within(request, 'the request', [own]), 7);
    assertFree(own);
});

test('counted threads: the handle of the space carries the address of the table to another thread', async (t) => {
    const memory = programMemory(THREADS);
    const { handle } = LockSpace.attach(memory, { threads: THREADS });
    assert.deepEqual({ ...handle }, { holdfast: 'LockSpace', memory, threads: THREADS });
    assert.ok(Object.isFrozen(handle));
    const [{ self } = { self: 0 }] = await tellAll(t, structuredClone(handle));
    assert.equal(self, identityIn(2));
    LockSpace.from(structuredClone(handle));
    assert.equal(countIn(memory, THREADS), 2, 'this thread is counted already');
    assert.deepEqual(Object.keys(LockSpace.attach(memory).handle), ['holdfast', 'memory']);
});

test('counted threads: LockSpace.from(handle) counts the thread', () => {
    const memory = programMemory(THREADS);
    LockSpace.from({ holdfast: 'LockSpace', memory, threads: THREADS });
    assert.equal(countIn(memory, THREADS), 1);
    assert.equal(selfIn(memory), identityIn(1));
});

test('counted threads: each program has its own counter, even at equal addresses', () => {
    const programs = [THREADS, THREADS, 2 * THREADS].map((threads) => ({
        threads,
        memory: programMemory(threads),
    }));
    const drawn = programMemory(THREADS);
    Mutex.at(drawn, LOCK);
    for (const { memory, threads } of programs) {
        LockSpace.attach(memory, { threads });
    }
    for (const { memory, threads } of programs) {
        assert.equal(selfIn(memory), identityIn(1));
        assert.equal(selfIn(structuredClone(memory)), identityIn(1));
        assert.equal(countIn(memory, threads), 1);
    }
    assert.ok(selfIn(drawn) >= THREAD_RANDOM);
    assert.ok(selfIn(structuredClone(drawn)) >= THREAD_RANDOM);
    assert.equal(countIn(drawn, THREADS), 0);
});

for (const [what, use] of /** @type {[string, (memory: WebAssembly.Memory) => unknown][]} */ ([
    ['a lock in the memory', (memory) => Mutex.at(memory, LOCK)],
    ['LockSpace.attach without the address', (memory) => LockSpace.attach(memory)],
    ['a lock through another object of the memory', (memory) => Mutex.at(structuredClone(memory), LOCK)],
])) {
    test(`counted threads: after ${what}, attach fails with HF_TOO_LATE, and changes nothing`, () => {
        const memory = programMemory(THREADS);
        const used = use(memory);
        const isLate = errorWith('HF_TOO_LATE', /before this thread's first lock/);
        for (const object of [memory, structuredClone(memory)]) {
            assert.throws(() => LockSpace.attach(object, { threads: THREADS }), isLate);
            assert.throws(
                () => LockSpace.from({ holdfast: 'LockSpace', memory: object, threads: THREADS }),
                isLate,
            );
        }
        assert.ok(selfIn(memory) >= THREAD_RANDOM);
        assert.ok(selfIn(structuredClone(memory)) >= THREAD_RANDOM);
        assert.ok(used);
    });
}

test('counted threads: a memory with two WebAssembly.Memory objects can grow by either', async () => {
    const memory = programMemory(THREADS);
    const arrived = structuredClone(memory);
    LockSpace.attach(memory, { threads: THREADS });
    LockSpace.attach(arrived);
    arrived.grow(1);
    const mutex = Mutex.at(memory, PAGE + LOCK);
    mutex.lock();
    const request = Mutex.at(arrived, PAGE + LOCK).execAsync(() => 7);
    await jobEnds();
    mutex.unlock();
    assert.equal(await within(request, 'the request', [mutex]), 7);
    assertFree(mutex);
});

test('counted threads: a lock beyond the old end of a grown memory works', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
    const before = memory.buffer;
    memory.grow(1);
    new Uint8Array(memory.buffer).set(new Uint8Array(programMemory(THREADS).buffer), PAGE);
    const threads = PAGE + THREADS;
    LockSpace.attach(memory, { threads });
    assert.equal(selfIn(structuredClone(memory)), identityIn(1));
    assert.equal(before.byteLength, PAGE);

    // The address is beyond the end of a smaller memory.
    assert.ok(selfIn(programMemory(THREADS)) >= THREAD_RANDOM);
});

const isNoPlace = errorWith('HF_BAD_ADDRESS', /hf_threads\(\)/);

for (const threads of /** @type {any[]} */ ([
    ...[0, 1, -32, 8, 16, THREADS + 4, THREADS + 8, THREADS + 16, THREADS + 0.5, 2 * THREADS, PAGE - 32],
    ...[PAGE, 2 * PAGE, 2 ** 32, 2 ** 32 + THREADS, 2 ** 53, Infinity, NaN],
    ...[null, '4096', BigInt(THREADS), {}, [THREADS], () => THREADS, true, Symbol('threads')],
])) {
    const what = Array.isArray(threads) ? 'an array' : String(threads);
    test(`counted threads: attach refuses an address without a table of threads: ${what} (${typeof threads})`, () => {
        const memory = programMemory(THREADS);
        const before = new Uint8Array(memory.buffer).slice();
        assert.throws(() => LockSpace.attach(memory, { threads }), isNoPlace);
        assert.deepEqual(new Uint8Array(memory.buffer), before);
        // The right address still works afterwards.
        LockSpace.attach(memory, { threads: THREADS });
        assert.throws(() => LockSpace.attach(memory, { threads }), isNoPlace);
    });
}

test('counted threads: a space has its own table of threads, and accepts no other address', () => {
    const space = new LockSpace();
    for (const threads of [16, 32, 48, 1024]) {
        assert.throws(() => LockSpace.attach(space.memory, { threads }), isNoPlace);
    }
    const self = selfIn(space.memory);
    const block = space.alloc(32, 32);
    new Uint8Array(space.buffer).set(new Uint8Array(programMemory(THREADS).buffer, THREADS, 32), block);
    const attached = LockSpace.attach(space.memory, { threads: block });
    attached.free(attached.alloc(16));
    assert.equal(selfIn(space.memory), self, "the program in a space's memory has the space's identities");
});

test('counted threads: invalid options and memories are refused', () => {
    const memory = programMemory(THREADS);
    for (const options of /** @type {any[]} */ ([null, 7, 'threads', () => {}])) {
        assert.throws(() => LockSpace.attach(memory, options), { code: 'HF_BAD_OPTION' });
    }
    for (const none of /** @type {any[]} */ ([
        undefined,
        null,
        {},
        memory.buffer,
        new WebAssembly.Memory({ initial: 1 }),
    ])) {
        assert.throws(() => LockSpace.attach(none, { threads: THREADS }), { code: 'HF_NOT_SHARED' });
    }
});
