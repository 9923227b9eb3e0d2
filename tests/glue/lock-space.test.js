/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event, LockSpace, Mutex, RwLock } from '../../js-glue/index.js';
import { AGENT_BYTES } from '../../js-glue/memory/layout.js';
import { RecoverableSemaphore } from '../../js-glue/recoverable.js';
import { useAllocator } from '../support/allocator-use.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { PAGE } from '../support/program-memory.js';
import { seedFor } from '../support/seed.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree } from '../support/words.js';

/**
 * Counts the blocks of that size that the space still has, by allocating and freeing them.
 *
 * @param {LockSpace} space
 * @param {number} bytes
 */
function countFree(space, bytes) {
    /** @type {number[]} */
    const blocks = [];
    try {
        for (;;) {
            blocks.push(space.alloc(bytes));
        }
    } catch {
        blocks.forEach((block) => space.free(block));
    }
    return blocks.length;
}

test('lock space: a space has one page by default, and never grows', () => {
    for (const [options, pages] of /** @type {const} */ ([
        [undefined, 1],
        [{}, 1],
        [{ pages: 1 }, 1],
        [{ pages: 3 }, 3],
        [{ pages: 256 }, 256],
    ])) {
        const space = new LockSpace(options);
        assert.equal(space.buffer.byteLength, pages * PAGE);
        assert.equal(space.memory.buffer, space.buffer);
        assert.throws(() => space.memory.grow(1), RangeError);
    }
});

const CACHE_LINE = 64;

test('lock space: a lock starts a cache line, and later blocks come after it', () => {
    const space = new LockSpace();
    const places = [
        new Mutex({ space }),
        new RwLock({ space }),
        Mutex.named(space, 'a'),
        new Event({ space }),
    ].map(({ byteOffset }) => byteOffset);
    assert.deepEqual(
        places.map((place) => place % CACHE_LINE),
        [0, 0, 0, 0],
    );
    assert.equal(new Set(places).size, places.length);
    const mutex = new Mutex({ space });
    assert.equal(space.alloc(4), mutex.byteOffset + Mutex.BYTES);
});

test('lock space: without a free cache line, locks share cache lines until some are freed', () => {
    const space = new LockSpace();
    const room = countFree(space, Mutex.BYTES);
    const locks = Array.from({ length: room }, () => new Mutex({ space }));
    assert.throws(() => new Mutex({ space }), errorWith('HF_NO_SPACE', /16 bytes/));
    assert.equal(new Set(locks.map(({ byteOffset }) => byteOffset)).size, room);
    locks.sort((a, b) => a.byteOffset - b.byteOffset);
    const packed = locks.find(({ byteOffset }) => byteOffset % CACHE_LINE !== 0);
    const line = locks.findLast(({ byteOffset }) => byteOffset % CACHE_LINE === 0);
    assert.ok(packed && line);
    space.free(packed);
    space.free(line);
    assert.equal(new Mutex({ space }).byteOffset, line.byteOffset);
    assert.equal(new Mutex({ space }).byteOffset, packed.byteOffset);
});

test('lock space: locks larger than half a cache line are packed without gaps', () => {
    const space = new LockSpace();
    const places = [1, 2, 3].map(() => new RecoverableSemaphore({ space, max: 1 }).byteOffset);
    assert.ok(places.some((place) => place % CACHE_LINE !== 0));
});

test('lock space: locks can take almost all bytes of a space', () => {
    for (const [pages, threads] of /** @type {const} */ ([
        [1, 64],
        [2, 1],
        [4, 1023],
    ])) {
        const space = new LockSpace({ pages, threads });
        const locks = countFree(space, Mutex.BYTES);
        const bytes = pages * PAGE - threads * AGENT_BYTES;
        assert.ok(locks * Mutex.BYTES > 0.96 * bytes, `${locks} locks in ${pages} pages`);
        assert.equal(countFree(space, Mutex.BYTES), locks, 'all were given back');
    }
});

test('lock space: blocks are zeroed, disjoint, within the memory, and never at address 0', () => {
    const space = new LockSpace();
    const bytes = new Uint8Array(space.buffer);
    const taken = new Set();
    for (const size of [1, 15, 16, 17, 100, 1000, 4096]) {
        const block = space.alloc(size);
        assert.ok(block > 0 && block + size <= PAGE);
        for (let at = block; at < block + size; at += 1) {
            assert.equal(bytes[at], 0);
            assert.ok(!taken.has(at));
            taken.add(at);
        }
        bytes.fill(255, block, block + size);
    }
});

test('lock space: blocks are aligned as requested, to at least 16', () => {
    const space = new LockSpace({ pages: 2 });
    for (const align of [1, 2, 8, 16, 32, 64, 1024, 4096, 65536]) {
        const block = space.alloc(16, align);
        assert.equal(block % Math.max(align, 16), 0, `aligned to ${align}`);
        space.alloc(16);
    }
});

test('lock space: a freed block is reused, and zeroed again', () => {
    const space = new LockSpace();
    const block = space.alloc(48);
    space.alloc(16);
    new Uint8Array(space.buffer, block, 48).fill(255);
    space.free(block);
    assert.equal(space.alloc(48), block);
    assert.ok(new Uint8Array(space.buffer, block, 48).every((byte) => byte === 0));
});

test('lock space: free() takes a lock object or its offset', () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    space.free(mutex);
    const again = new Mutex({ space });
    assert.equal(again.byteOffset, mutex.byteOffset);
    space.free(again.byteOffset);
    assert.equal(space.alloc(16), mutex.byteOffset);
});

test('lock space: a lock that is freed while held is unlocked for its next user', () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    mutex.lock();
    space.free(mutex);
    const next = new Mutex({ space });
    assert.equal(next.byteOffset, mutex.byteOffset);
    assertFree(next);
    next.lock();
    next.unlock();
    assertFree(next);
});

test('lock space: one block can take all free memory, and then nothing is free', () => {
    const space = new LockSpace();
    const rest = countFree(space, 16) * 16;
    const block = space.alloc(rest);
    assert.equal(block + rest, PAGE);
    assert.throws(() => space.alloc(1), { code: 'HF_NO_SPACE' });
    space.free(block);
    assert.equal(countFree(space, 16) * 16, rest);
});

test('lock space: neighbouring blocks can be freed in any order', () => {
    const space = new LockSpace();
    const free = countFree(space, 16);
    const blocks = Array.from({ length: 60 }, (_, index) => space.alloc(16 * (1 + (index % 40))));
    for (const parity of [1, 0]) {
        blocks.filter((_, index) => index % 2 === parity).forEach((block) => space.free(block));
    }
    assert.equal(countFree(space, 16), free);
});

test('lock space: several threads allocate and free at once', async (t) => {
    const seed = seedFor(t);
    const space = new LockSpace();
    const free = countFree(space, 16);
    const options = { handle: space.handle, rounds: 20_000 };
    const workers = [1, 2, 3].map((mark) =>
        startThread(t, 'allocator', { ...options, seed: seed + mark, mark }),
    );
    const messages = Promise.all(workers.map((worker) => messageOf(worker, 'a report', [], 30_000)));
    const own = useAllocator({ ...options, seed, mark: 4 });
    for (const report of [...(await messages), own]) {
        assert.deepEqual(report.problems.slice(0, 5), []);
        assert.ok(report.allocated > 1000);
    }
    assert.equal(countFree(space, 16), free, 'nothing is lost');
});

test('lock space: several threads make and free locks in a nearly full space', async (t) => {
    const seed = seedFor(t);
    const space = new LockSpace();
    const free = countFree(space, 16);
    const block = space.alloc(16 * (free - 120));
    const options = { handle: space.handle, rounds: 5000 };
    const workers = [1, 2].map((mark) =>
        startThread(t, 'allocator', { ...options, seed: seed + mark, mark }),
    );
    const messages = Promise.all(workers.map((worker) => messageOf(worker, 'a report', [], 30_000)));
    const own = useAllocator({ ...options, seed, mark: 4 });
    const reports = [...(await messages), own];
    assert.deepEqual(
        reports.flatMap(({ problems }) => problems.slice(0, 5)),
        [],
    );
    assert.ok(
        reports.some(({ full }) => full > 0),
        'it was full at times',
    );
    space.free(block);
    assert.equal(countFree(space, 16), free, 'nothing is lost');
});

test('lock space: a handle gives the same space', () => {
    const space = new LockSpace({ pages: 2 });
    const { handle } = space;
    assert.deepEqual(Object.keys(handle).sort(), ['holdfast', 'memory']);
    assert.ok(Object.isFrozen(handle));
    for (const same of [LockSpace.from(handle), LockSpace.from(structuredClone(handle))]) {
        assert.notEqual(same, space);
        assert.equal(same.memory, space.memory);
        const block = same.alloc(16);
        new Int32Array(space.buffer, block, 1)[0] = 7;
        assert.equal(new Int32Array(same.buffer, block, 1)[0], 7);
        space.free(block);
    }
});

test("lock space: attach() of a space's memory returns that space, with its allocator", () => {
    const space = new LockSpace();
    const attached = LockSpace.attach(structuredClone(space.memory));
    const mutex = new Mutex({ space: attached });
    mutex.lock();
    assert.throws(() => Mutex.at(space.memory, mutex.byteOffset).lock(), { code: 'HF_DEADLOCK' });
    mutex.unlock();
    space.free(mutex);
});

test('lock space: attach accepts the memory of another program, and writes nothing to it', () => {
    const memory = new WebAssembly.Memory({ initial: 2, maximum: 4, shared: true });
    const space = LockSpace.attach(memory);
    assert.equal(space.memory, memory);
    assert.equal(space.buffer, memory.buffer);
    assert.ok(new Uint8Array(memory.buffer).every((byte) => byte === 0));
    const mutex = Mutex.at(memory, 4096);
    mutex.lock();
    assert.notEqual(new Uint32Array(memory.buffer, 4096, 1)[0], 0);
    mutex.unlock();
    assert.ok(new Uint8Array(memory.buffer).every((byte) => byte === 0));
});

test('lock space: locks made without a space share the default space of the thread', () => {
    const [first, second] = [new Mutex(), new Mutex()];
    assert.equal(first.handle.memory, second.handle.memory);
    assert.notEqual(first.byteOffset, second.byteOffset);
    const space = LockSpace.attach(first.handle.memory);
    space.free(second);
    assert.equal(new Mutex().byteOffset, second.byteOffset);
});

test('lock space: two spaces have separate memories', () => {
    const [first, second] = [new LockSpace(), new LockSpace()];
    assert.notEqual(first.memory, second.memory);
    const mutexes = [new Mutex({ space: first }), new Mutex({ space: second })];
    assert.equal(mutexes[0]?.byteOffset, mutexes[1]?.byteOffset);
    mutexes.forEach((mutex) => mutex.lock());
    mutexes.forEach((mutex) => mutex.unlock());
    mutexes.forEach(assertFree);
});

/**
 * @param {number} pages
 * @returns {number} milliseconds a block, until the space is full
 */
function costOfBlock(pages) {
    const space = new LockSpace({ pages });
    const start = performance.now();
    let blocks = 0;
    try {
        for (;;) {
            space.alloc(16);
            blocks += 1;
        }
    } catch {
        return (performance.now() - start) / blocks;
    }
}

test('lock space: allocation is about as fast in a large space as in a small one, however full', (t) => {
    costOfBlock(1);
    const [one = 0, four = 0, sixteen = 0] = [1, 4, 16].map((pages) =>
        Math.min(...Array.from({ length: 3 }, () => costOfBlock(pages))),
    );
    const microseconds = [one, four, sixteen].map((cost) => (cost * 1000).toFixed(2)).join(', ');
    t.diagnostic(`1, 4, 16 pages: ${microseconds} us a block`);
    assert.ok(four <= 8 * one && sixteen <= 8 * one, `1, 4, 16 pages: ${microseconds} us a block`);
});

test('lock space: free() of a lock of another space frees nothing in this space', () => {
    const [here, there] = [new LockSpace(), new LockSpace()];
    const [mine, other] = [new Mutex({ space: here }), new Mutex({ space: there })];
    assert.equal(mine.byteOffset, other.byteOffset);
    mine.lock();
    other.lock();
    assert.throws(() => here.free(other), errorWith('HF_BAD_ADDRESS', /./));
    mine.unlock();
    other.unlock();
    assert.notEqual(new Mutex({ space: here }).byteOffset, mine.byteOffset);
    assert.notEqual(new Mutex({ space: there }).byteOffset, other.byteOffset);
    here.free(mine);
    there.free(other);
});

test('lock space: free() takes an object made from a posted handle', () => {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    space.free(Mutex.from(structuredClone(mutex.handle)));
    assert.equal(new Mutex({ space }).byteOffset, mutex.byteOffset);
});

test('lock space: at() refuses addresses in the header of a space', () => {
    const space = new LockSpace();
    const before = new Uint8Array(space.buffer).slice();
    assert.throws(() => Mutex.at(space.memory, 16), errorWith('HF_BAD_ADDRESS', /./));
    assert.deepEqual(new Uint8Array(space.buffer).slice(), before);
});

test('lock space: lock.memory is the memory in which the lock was made', () => {
    const space = new LockSpace();
    assert.equal(new Mutex({ space }).memory, space.memory);
    const foreign = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    assert.equal(Mutex.at(foreign, 64).memory, foreign);
});

test('lock space: a lock beyond the old end of a grown memory works', async (t) => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 3, shared: true });
    assert.equal(await Mutex.at(memory, 64).execAsync(() => 7), 7);
    const [held, release] = [0, 1];

    memory.grow(1);
    const own = Mutex.at(memory, PAGE + 64);
    own.lock();
    const request = own.execAsync(() => 7);
    await jobEnds();
    own.unlock();
    assert.equal(await within(request, 'the request', [own]), 7);
    assertFree(own);

    const byteOffset = 2 * PAGE + 64;
    const board = makeBoard(2);
    startThread(t, 'grower', { memory, byteOffset, board, held, release });
    await within(reached(board, held), 'the other thread', [own]);
    const grown = Mutex.at(memory, byteOffset);
    assert.equal(grown.tryLock(), false);
    const other = grown.execAsync(() => 8);
    await jobEnds();
    reach(board, release);
    assert.equal(await within(other, 'the request', [grown]), 8);
    assertFree(grown);
});

test('space: free() takes a view only if it begins where a block of this space begins', () => {
    const space = new LockSpace();
    const offset = space.alloc(16);
    const isBad = errorWith(
        'HF_BAD_ADDRESS',
        /an unfreed block of this space: an address from alloc\(\), an array or a lock/,
    );
    for (const other of [
        new Int32Array(space.buffer, offset + 4, 3),
        new Int32Array(new LockSpace().buffer, offset, 4),
        new Int32Array(4),
        new Mutex(),
    ]) {
        assert.throws(() => space.free(other), isBad);
    }
    space.free(new Int32Array(space.buffer, offset, 4));
    assert.throws(() => space.free(offset), isBad);
});
