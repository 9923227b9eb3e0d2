/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debug, inspect } from '../../js-glue/debug.js';
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { dataOf } from '../../js-glue/memory/data.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { errorWith } from '../support/errors.js';
import { messageOf, startThread } from '../support/thread.js';

/* A program's own data in a space, by name. */

/** @type {any[]} */
const CLASSES = [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
];

/**
 * Counts the blocks of 16 bytes that the space still has, by allocating and freeing them.
 *
 * @param {LockSpace} space
 */
function countFree(space) {
    /** @type {number[]} */
    const blocks = [];
    try {
        for (;;) {
            blocks.push(space.alloc(16));
        }
    } catch {
        blocks.forEach((block) => space.free(block));
    }
    return blocks.length;
}

test('named data: each class of typed arrays is aligned, zero at first, and the same bytes each time', () => {
    const space = new LockSpace();
    for (const Class of CLASSES) {
        for (const length of [1, 3, 8]) {
            const name = `${Class.name} ${length}`;
            const data = space.named(name, Class, length);
            assert.equal(data.constructor, Class);
            assert.equal(data.buffer, space.buffer);
            assert.deepEqual([...data].map(Number), new Array(length).fill(0));
            data.fill(Class.name.startsWith('Big') ? 7n : 7);
            const same = LockSpace.from(structuredClone(space.handle)).named(name, Class, length);
            assert.equal(same.byteOffset, data.byteOffset);
            assert.deepEqual([...same].map(Number), new Array(length).fill(7));
        }
    }
});

test('named data: threads that ask for a name at the same time get the same bytes, and leave no other block', async (t) => {
    const [READY, GO, THREADS, LENGTH] = [0, 1, 3, 2];
    const names = Array.from({ length: 20 }, (_, at) => `data ${at}`);
    const space = new LockSpace();
    const board = makeBoard(2);
    const answers = Array.from({ length: THREADS }, (_, index) =>
        messageOf(
            startThread(t, 'data-user', {
                handle: space.handle,
                ...{ board, ready: READY, go: GO, names, length: LENGTH },
            }),
            `thread ${index}`,
            [],
        ),
    );
    await reached(board, READY, THREADS);
    reach(board, GO);
    const places = await Promise.all(answers);
    for (const other of places) {
        assert.deepEqual(other, places[0]);
    }
    for (const name of names) {
        assert.deepEqual(
            space.named(name, BigInt64Array, LENGTH),
            new BigInt64Array(LENGTH).fill(BigInt(THREADS)),
        );
    }
    const free = countFree(space);
    const other = new LockSpace();
    names.forEach((name) => other.named(name, BigInt64Array, LENGTH));
    assert.equal(countFree(other), free);
});

test('named data: a name that is taken by a lock or by other data is refused with HF_BAD_NAME', () => {
    const space = new LockSpace();
    space.named('counter', Int32Array, 2).fill(7);
    const mutex = Mutex.named(space, 'lock');
    mutex.lock();
    const free = countFree(space);
    for (const [ask, message] of /** @type {[() => unknown, RegExp][]} */ ([
        [() => space.named('counter', Uint32Array, 2), /'counter' is Int32Array\(2\), not Uint32Array\(2\)/],
        [() => space.named('counter', Int32Array, 1), /'counter' is Int32Array\(2\), not Int32Array\(1\)/],
        [() => Mutex.named(space, 'counter'), /'counter' is Int32Array\(2\), not a Mutex/],
        [() => new Mutex({ space, name: 'counter' }), /is taken in this space/],
        [() => space.named('lock', Int32Array, 1), /'lock' is a Mutex, not Int32Array\(1\)/],
    ])) {
        assert.throws(ask, errorWith('HF_BAD_NAME', message));
    }
    assert.equal(countFree(space), free);
    assert.deepEqual([...space.named('counter', Int32Array, 2)], [7, 7]);
    assert.equal(mutex.tryLock(), false);
    mutex.unlock();
});

test('named data: bad input is refused, and nothing is allocated', () => {
    const space = new LockSpace();
    const free = countFree(space);
    const bad = /** @type {any[]} */ ([
        undefined,
        null,
        7,
        'Int32Array',
        Array,
        DataView,
        {},
        Mutex,
        ArrayBuffer,
    ]);
    for (const Class of bad) {
        assert.throws(
            () => space.named('name', Class, 1),
            errorWith('HF_BAD_OPTION', /a typed array, such as Int32Array/),
        );
    }
    for (const length of /** @type {any[]} */ ([
        undefined,
        null,
        0,
        -1,
        1.5,
        NaN,
        Infinity,
        '1',
        1n,
        {},
        2 ** 32,
    ])) {
        assert.throws(
            () => space.named('name', Int32Array, length),
            errorWith('HF_BAD_COUNT', /^length must be a whole/),
        );
    }
    for (const name of /** @type {any[]} */ ([undefined, null, 7, '', 'x'.repeat(33), 'a\0', '\ud800'])) {
        assert.throws(() => space.named(name, Int32Array, 1), errorWith('HF_BAD_NAME', /A name has 1 to 32/));
    }
    assert.throws(() => space.named('name', Int8Array, 65_536), { code: 'HF_NO_SPACE' });
    assert.throws(
        () => space.named('name', Float64Array, 8193),
        errorWith('HF_BAD_COUNT', /from 1 to 8192 \(more with new LockSpace\(\{ pages \}\)\), not 8193/),
    );
    assert.equal(countFree(space), free);
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    assert.throws(() => LockSpace.attach(memory).named('name', Int32Array, 1), { code: 'HF_NO_ALLOCATOR' });
});

test('named data: free() takes the array or its offset once, and then the name is free', () => {
    const space = new LockSpace();
    space.named('a', Int32Array, 4); // leaves the name's record, which is never freed
    const free = countFree(space);
    for (const blockOf of /** @type {((data: Int32Array) => any)[]} */ ([
        (data) => data,
        (data) => data.byteOffset,
    ])) {
        const data = space.named('a', Int32Array, 4);
        data.fill(7);
        space.free(blockOf(data));
        assert.deepEqual([...data], [0, 0, 0, 0]);
        assert.throws(
            () => space.free(blockOf(data)),
            errorWith('HF_BAD_ADDRESS', /an unfreed block of this space/),
        );
        const next = space.named('a', Float64Array, 2);
        assert.deepEqual([...next], [0, 0]);
        space.free(next);
        const mutex = Mutex.named(space, 'a');
        space.free(mutex);
        space.named('a', Int32Array, 4);
    }
    assert.equal(countFree(space), free);
});

test('named data: free() refuses arrays that are not in the space, or do not begin a block', () => {
    const space = new LockSpace();
    const data = space.named('a', Int32Array, 4);
    const others = [
        new Int32Array(4),
        new LockSpace().named('a', Int32Array, 4),
        data.subarray(1),
        data.byteOffset - 8, // its block
        new Int32Array(0),
    ];
    for (const other of others) {
        assert.throws(() => space.free(other), errorWith('HF_BAD_ADDRESS', /an unfreed block of this space/));
    }
    const bytes = new Float64Array(space.buffer, space.alloc(32), 4);
    space.free(bytes);
    assert.throws(() => space.free(bytes), { code: 'HF_BAD_ADDRESS' });
    assert.equal(space.named('a', Int32Array, 4).byteOffset, data.byteOffset);
});

test('named data: if a thread dies before it names its block, only that block is lost', () => {
    const space = new LockSpace();
    const free = countFree(space);
    dataOf(attach(space.memory), Int32Array, 2).make(); // and here the thread dies
    assert.equal(countFree(space), free - 1);
    assert.deepEqual([...space.named('a', Int32Array, 2)], [0, 0]);
});

test('named data: inspect() lists locks only, and debug() lets data be freed', (t) => {
    const space = new LockSpace();
    const data = space.named('data', Int32Array, 1);
    Mutex.named(space, 'lock');
    const names = () => inspect(space).objects.map(({ name }) => name);
    assert.deepEqual(names(), ['lock']);
    t.after(debug({ onReport: () => assert.fail() }));
    space.free(data);
    assert.deepEqual(names(), ['lock']);
});
