/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace } from '../../js-glue/index.js';
import { OUTCOMES } from '../browser/used-memory.js';
import { runChild } from '../support/child.js';
import { CLASSES } from '../support/classes.js';
import { errorWith } from '../support/errors.js';
import { randomOf, seedFor } from '../support/seed.js';
import { isFree, wordsOf } from '../support/words.js';

/* How objects of all classes are made: new ones, of a handle, and at a place in a memory. */

const PAGE = 65536;

/** @type {Record<string, object>} which options each class needs or has */
const OPTIONS = {
    BinarySemaphore: { initial: 0 },
    CountingSemaphore: { initial: 2, max: 5 },
    Event: { autoReset: true },
    Latch: { count: 3 },
    Barrier: { parties: 2 },
};
const KINDS = Object.values(CLASSES).map((Class) => ({ Class, options: OPTIONS[Class.name] }));

/** @param {object} object @returns {Promise<object>} */
const posted = (object) =>
    new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => {
            port1.close();
            resolve(data);
        };
        port2.postMessage(object);
    });

for (const { Class, options } of KINDS) {
    const { name, KIND, BYTES, ALIGN } = Class;

    test(`${name}: a new one is in the space, aligned, and names its class`, () => {
        const space = new LockSpace();
        const made = new Class(space, options);
        assert.equal(KIND, name);
        assert.equal(made.memory, space.memory);
        assert.equal(made.byteOffset % ALIGN, 0);
        assert.ok(BYTES > 0 && BYTES % 4 === 0);
        space.free(made);
        assert.throws(() => space.free(made), errorWith('HF_BAD_ADDRESS', /freed before/));
    });

    test(`${name}: a subclass whose constructor keeps what from() and at() give it from the class is told so`, () => {
        const made = new Class(undefined, options);
        const Base = /** @type {any} */ (Class);
        const Wrong = class extends Base {
            constructor() {
                super(undefined, options);
            }
        };
        const isTold = errorWith('HF_BAD_OPTION', /arguments on to super\(\)/);
        assert.throws(() => Wrong.from(made.handle), isTold);
        assert.throws(() => Wrong.at(made.memory, made.byteOffset), isTold);
        const Right = class extends Base {
            constructor(/** @type {unknown[]} */ ...all) {
                super(...all);
            }
        };
        assert.equal(Right.from(made.handle).byteOffset, made.byteOffset);
        assert.equal(Right.at(made.memory, made.byteOffset).memory, made.memory);
    });

    test(`${name}: a handle is plain, frozen, and gives the same object in this thread and after a post`, async () => {
        const made = new Class(undefined, options);
        const { handle } = made;
        assert.deepEqual(handle, { holdfast: KIND, memory: made.memory, byteOffset: made.byteOffset });
        assert.ok(Object.isFrozen(handle));
        const words = wordsOf(made);
        for (const arrived of [handle, structuredClone(handle), await posted(handle)]) {
            const same = Class.from(arrived);
            assert.ok(same instanceof Class);
            assert.equal(same.byteOffset, made.byteOffset);
            assert.deepEqual(wordsOf(same), words, 'from changes nothing');
        }
    });

    test(`${name}: at without options takes what is there; with options it makes a new one`, () => {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
        const there = Class.at(memory, 64);
        assert.ok(isFree(there), 'zeroed memory is one, which at leaves as it is');
        if (options !== undefined) {
            const made = wordsOf(Class.at(memory, 64, options));
            assert.deepEqual(made, wordsOf(new Class(undefined, options)));
            assert.deepEqual(wordsOf(Class.at(memory, 64)), made);
        }
        assert.equal(Class.at(memory, PAGE - BYTES).byteOffset, PAGE - BYTES);
    });

    test(`${name}: at with options makes a new one of any memory, and touches nothing beside it`, (t) => {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
        const bytes = new Uint8Array(memory.buffer);
        const fresh = wordsOf(new Class(undefined, options));
        const random = randomOf(seedFor(t));
        for (const fill of [() => 0xff, () => random.below(0x100)]) {
            bytes.forEach((_, at) => (bytes[at] = fill()));
            const before = [...bytes];
            const made = Class.at(memory, 64, options ?? {});
            assert.deepEqual(wordsOf(made), fresh);
            before.fill(0, 64, 64 + BYTES);
            bytes.fill(0, 64, 64 + BYTES);
            assert.deepEqual([...bytes], before);
        }
        assert.throws(
            () => Class.at(memory, 64, /** @type {any} */ (7)),
            errorWith('HF_BAD_OPTION', /options are an object/),
        );
    });

    test(`${name}: a handle of another class is refused, by name`, () => {
        for (const { Class: Other, options: otherOptions } of KINDS) {
            if (Other !== Class) {
                const { handle } = new Other(undefined, otherOptions);
                const isBad = errorWith(
                    'HF_BAD_HANDLE',
                    new RegExp(`handle of a ${name}\\b.*one of a ${Other.name}`),
                );
                assert.throws(() => Class.from(handle), isBad);
            }
        }
        const made = new Class(undefined, options);
        assert.throws(() => Class.from(made), errorWith('HF_BAD_HANDLE', /post its `handle`/));
        assert.throws(
            () => Class.from({ ...made.handle, holdfast: 'Lock' }),
            errorWith('HF_BAD_HANDLE', /Lock/),
        );
        assert.throws(() => new Class(made.handle, options), errorWith('HF_BAD_OPTION', /takes a LockSpace/));
    });

    for (const offset of /** @type {any[]} */ ([
        0,
        4,
        -8,
        1.5,
        PAGE - BYTES + 8,
        2 ** 32,
        NaN,
        '16',
        undefined,
    ])) {
        test(`${name}: byte offset ${String(offset)} (${typeof offset}) is refused`, () => {
            const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
            assert.throws(() => Class.at(memory, offset), errorWith('HF_BAD_ADDRESS', /No lock can be at/));
        });
    }

    if (options !== undefined) {
        for (const bad of /** @type {any[]} */ ([null, 7, 'options', Symbol('s')])) {
            test(`${name}: options that are ${String(bad)} are refused, and take no space`, () => {
                const space = new LockSpace();
                const next = space.alloc(BYTES);
                space.free(next);
                assert.throws(
                    () => new Class(space, bad),
                    errorWith('HF_BAD_OPTION', /options are an object/),
                );
                assert.equal(space.alloc(BYTES), next);
            });
        }
    }
}

test('construction: what is made in used memory can be waited for, whatever was there', async () => {
    const { code, stdout, stderr } = await runChild('waits-on-used-memory');
    assert.equal(code, 0, `null: it hung; ${stderr}`);
    assert.deepEqual(JSON.parse(stdout), OUTCOMES);
});
