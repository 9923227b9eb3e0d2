/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockSpace } from '../../js-glue/index.js';
import { OUTCOMES } from '../browser/used-memory.js';
import { runChild } from '../support/child.js';
import { CLASSES } from '../support/classes.js';
import { errorWith } from '../support/errors.js';
import { PAGE } from '../support/program-memory.js';
import { randomOf, seedFor } from '../support/seed.js';
import { isFree, wordsOf } from '../support/words.js';

/* The ways to get an object of each class: constructor, named(), from() and at(). */

/** @type {Record<string, object>} which options each class needs or has */
const OPTIONS = {
    BinarySemaphore: { initial: 0 },
    CountingSemaphore: { initial: 2, max: 5 },
    Event: { autoReset: true },
    Latch: { count: 3 },
    Barrier: { parties: 2 },
};
const KINDS = Object.values(CLASSES).map((Class) => ({ Class, options: OPTIONS[Class.name] }));

/** A pattern for a text that names each of these options, in whichever order. @param {object | undefined} options */
function eachOf(options = {}) {
    return Object.keys(options)
        .map((name) => `(?=.*\\b${name}\\b)`)
        .join('');
}

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

    test(`${name}: a new object is inside the space, aligned, and has the KIND of its class`, () => {
        const space = new LockSpace();
        const made = new Class({ space, ...options });
        assert.equal(KIND, name);
        assert.equal(made.memory, space.memory);
        assert.equal(made.byteOffset % ALIGN, 0);
        assert.ok(BYTES > 0 && BYTES % 4 === 0);
        space.free(made);
        assert.throws(
            () => space.free(made),
            errorWith('HF_BAD_ADDRESS', /takes an unfreed block of this space/),
        );
    });

    test(`${name}: each call of named, from and at returns a new object for the same address`, async () => {
        const space = new LockSpace();
        const named = new Class({ space, ...options, name: 'one' });
        const byDefault = new Class(options);
        const others = /** @type {[any, any[]][]} */ ([
            [named, [Class.named(space, 'one'), Class.named(LockSpace.from(space.handle), 'one')]],
            [byDefault, []],
        ]);
        for (const [made, more] of others) {
            const { handle, memory, byteOffset } = made;
            const same = [
                Class.from(handle),
                Class.from(await posted(handle)),
                Class.at(memory, byteOffset),
                ...more,
            ];
            for (const other of same) {
                assert.notEqual(other, made);
                assert.equal(other.memory, memory);
                assert.equal(other.byteOffset, byteOffset);
            }
        }
    });

    test(`${name}: the constructor takes one object of options, with the space among them`, () => {
        const space = new LockSpace();
        const words = wordsOf(new Class(options));
        for (const where of [{}, { space: undefined }, { space: null }]) {
            const made = new Class({ ...options, ...where });
            assert.notEqual(made.memory, space.memory);
            assert.deepEqual(wordsOf(made), words);
        }
        for (const made of [
            new Class({ space, ...options }),
            new Class({ ...options, space, name: 'first' }),
        ]) {
            assert.equal(made.memory, space.memory);
            assert.deepEqual(wordsOf(made), words);
        }
        assert.equal(Class.named(space, 'first').name, 'first');
    });

    test(`${name}: an unknown option is refused, and takes no space`, () => {
        const space = new LockSpace();
        const next = space.alloc(BYTES);
        space.free(next);
        const wrong = { ...options, maximum: 3 };
        const isTold = errorWith(
            'HF_BAD_OPTION',
            new RegExp(`No option 'maximum'\\. Pass { ${eachOf(options)}.*space, name }\\.$`),
        );
        assert.throws(() => new Class({ space, ...wrong }), isTold);
        // at() and named() do not take these options.
        const isToldAt = errorWith('HF_BAD_OPTION', /No option '\w+'\. Pass \{ ([a-z]+(, [a-z]+)*)? \}\.$/i);
        for (const options of [wrong, { space }, { name: 'x' }]) {
            assert.throws(() => Class.named(space, 'there', options), isToldAt);
        }
        assert.equal(space.alloc(BYTES), next);
        const there = Class.named(space, 'there', options);
        for (const options of [wrong, { space }, { name: 'x' }]) {
            assert.throws(() => Class.named(space, 'there', options), isToldAt);
        }
        for (const options of [wrong, { space }, { name: 'x' }]) {
            assert.throws(() => Class.at(space.memory, there.byteOffset, options), isToldAt);
        }
    });

    const FORM = `one object of options: new ${name}\\({ space }\\)\\. For a handle: ${name}\\.from`;

    test(`${name}: arguments other than options are refused, take no space, and the error shows the right form`, () => {
        const space = new LockSpace();
        const next = space.alloc(BYTES);
        space.free(next);
        const Any = /** @type {any} */ (Class);
        const { memory } = space;
        const others = [3, 'orders', true, null, [], () => {}, memory, memory.buffer, new Int32Array(4)];
        const controller = new AbortController();
        for (const wrong of [...others, controller.signal, new Class(options), new Class(options).handle]) {
            assert.throws(() => new Any(wrong), errorWith('HF_BAD_OPTION', new RegExp(FORM)));
            assert.throws(() => new Any(wrong, options ?? {}), errorWith('HF_BAD_OPTION', new RegExp(FORM)));
        }
        for (const second of [{ name: 'b' }, {}, space, null, 5]) {
            for (const first of [undefined, {}, { ...options, space }]) {
                assert.throws(() => new Any(first, second), errorWith('HF_BAD_OPTION', new RegExp(FORM)));
            }
        }
        assert.equal(space.alloc(BYTES), next);
    });

    test(`${name}: a space in place of the options is refused, and the error says to pass it as an option`, () => {
        const space = new LockSpace();
        const isTold = errorWith('HF_BAD_OPTION', new RegExp(FORM));
        const Any = /** @type {any} */ (Class);
        assert.throws(() => new Any(space), isTold);
        assert.throws(() => new Any(space, options), isTold);
        assert.throws(() => new Any(space, space), isTold);
    });

    test(`${name}: an invalid space is refused, and so is named() without a space`, () => {
        const isTold = errorWith('HF_BAD_OPTION', /space must be a LockSpace .*, not (an )?\w+\.$/);
        const { handle } = new LockSpace();
        for (const wrong of /** @type {any[]} */ ([3, 'orders', true, {}, handle, new Class(options)])) {
            assert.throws(() => new Class({ ...options, space: wrong }), isTold);
        }
        const inSpace = errorWith('HF_BAD_OPTION', /Pass a LockSpace: .*\.named\(space, name\)/);
        assert.throws(() => Class.named(/** @type {any} */ ('orders'), 'x', options), inSpace);
    });

    test(`${name}: an object can have a name without a space, and its handle contains the name`, async () => {
        const made = new Class({ ...options, name: 'orders' });
        assert.equal(made.name, 'orders');
        const { memory, byteOffset } = made;
        assert.deepEqual(made.handle, { holdfast: KIND, memory, byteOffset, name: 'orders' });
        const arrived = Class.from(await posted(made.handle));
        assert.equal(arrived.name, 'orders');
        assert.equal(arrived.handle.name, 'orders');
        assert.equal(new Class({ ...options, name: 'orders' }).name, 'orders', 'none is taken');
        assert.equal(new Class({ ...options, name: undefined }).name, '');
        for (const wrong of [5, null, Symbol('orders')]) {
            assert.throws(
                () => new Class({ ...options, name: wrong }),
                errorWith('HF_BAD_NAME', /^A name must be a string, not /),
            );
        }
    });

    test(`${name}: the handle of an object that is named in a space contains that name`, async () => {
        const space = new LockSpace();
        const { handle } = Class.named(space, 'orders', options);
        assert.equal(handle.name, 'orders');
        assert.equal(Class.from(await posted(handle)).name, 'orders');
    });

    test(`${name}: a subclass may have its own options, and passes on the others`, () => {
        const Base = /** @type {any} */ (Class);
        class Logged extends Base {
            /** @param {any} [given] */
            constructor(given) {
                super({ ...options, ...given });
                this.log = given?.log;
            }
        }
        class WithKind extends Logged {
            static KIND = `My${name}`;
        }
        const space = new LockSpace();
        for (const Own of [Logged, WithKind]) {
            const Sub = /** @type {any} */ (Own);
            const made = new Sub({ space, log: 'orders' });
            assert.equal(made.log, 'orders');
            assert.equal(made.memory, space.memory);
            assert.equal(Sub.from(made.handle).byteOffset, made.byteOffset);
            assert.equal(Sub.at(space.memory, made.byteOffset, { log: 'y' }).log, 'y');
            assert.equal(new Sub().log, undefined);
        }
        assert.equal(new Logged({ space, name: 'mine' }).name, 'mine');
        assert.equal(/** @type {any} */ (Logged).named(space, 'mine', { log: 'x' }).log, 'x');
    });

    test(`${name}: from() and at() of a subclass find the object, even if its constructor passes other options on`, () => {
        const made = new Class(options);
        const Base = /** @type {any} */ (Class);
        const WithoutArguments = class extends Base {
            constructor() {
                super(options);
            }
        };
        const WithAll = class extends Base {
            constructor(/** @type {unknown[]} */ ...all) {
                super(...all);
            }
        };
        for (const Sub of [WithoutArguments, WithAll]) {
            assert.equal(Sub.from(made.handle).byteOffset, made.byteOffset);
            assert.equal(Sub.at(made.memory, made.byteOffset).memory, made.memory);
        }
    });

    test(`${name}: at() of a subclass finds one object, and all others that its constructor makes are new`, () => {
        const { memory, byteOffset } = new Class(options);
        let throws = false;
        /** @type {any} */
        const Sub = class extends /** @type {any} */ (Class) {
            constructor(isSecond = false) {
                if (throws) {
                    throw new Error('early');
                }
                super(options);
                this.other = isSecond || new Sub(true);
            }
        };
        const isNew = (/** @type {{ memory: unknown, byteOffset: number }} */ one) =>
            one.memory !== memory || one.byteOffset !== byteOffset;
        const found = Sub.at(memory, byteOffset);
        assert.ok(!isNew(found) && isNew(found.other));
        throws = true;
        assert.throws(() => Sub.at(memory, byteOffset), /early/);
        throws = false;
        assert.ok(isNew(new Sub(true)));
    });

    test(`${name}: a handle is a frozen plain object, and leads to the same lock, even once posted`, async () => {
        const made = new Class(options);
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

    test(`${name}: at() without options uses the existing lock; with options it makes a new one`, () => {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
        const there = Class.at(memory, 64);
        assert.ok(isFree(there), 'zeroed memory is one, which at leaves as it is');
        if (options !== undefined) {
            const made = wordsOf(Class.at(memory, 64, options));
            assert.deepEqual(made, wordsOf(new Class(options)));
            assert.deepEqual(wordsOf(Class.at(memory, 64)), made);
        }
        assert.equal(Class.at(memory, PAGE - BYTES).byteOffset, PAGE - BYTES);
    });

    test(`${name}: at() with options makes a new lock in any memory, and writes nothing beside it`, (t) => {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
        const bytes = new Uint8Array(memory.buffer);
        const fresh = wordsOf(new Class(options));
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
        const before = [...bytes];
        const space = new LockSpace();
        const isTold = errorWith('HF_BAD_OPTION', /one object of options/);
        for (const wrong of /** @type {any[]} */ ([7, null, [], space, AbortSignal.abort(), memory])) {
            assert.throws(() => Class.at(memory, 64, wrong), isTold);
            assert.throws(() => Class.named(space, 'x', wrong), isTold);
        }
        assert.deepEqual([...bytes], before);
    });

    test(`${name}: the handle of another class is refused, and the message names that class`, () => {
        for (const { Class: Other, options: otherOptions } of KINDS) {
            if (Other !== Class) {
                const { handle } = new Other(otherOptions);
                const isBad = errorWith(
                    'HF_BAD_HANDLE',
                    new RegExp(`handle. of a ${name}\\b.*that of a ${Other.name}`),
                );
                assert.throws(() => Class.from(handle), isBad);
            }
        }
        const made = new Class(options);
        assert.throws(() => Class.from(made), errorWith('HF_BAD_HANDLE', /takes the `handle`/));
        assert.throws(
            () => Class.from({ ...made.handle, holdfast: 'Lock' }),
            errorWith('HF_BAD_HANDLE', /Lock/),
        );
        assert.throws(
            () => new Class(made.handle, options),
            errorWith('HF_BAD_OPTION', new RegExp(`For a handle: ${name}\\.from`)),
        );
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
            assert.throws(
                () => Class.at(memory, offset),
                errorWith('HF_BAD_ADDRESS', /byteOffset must be a multiple/),
            );
        });
    }
}

test('construction: a lock made in used memory works, whatever the memory contained', async () => {
    const { code, stdout, stderr } = await runChild('waits-on-used-memory');
    assert.equal(code, 0, `null: it hung; ${stderr}`);
    assert.deepEqual(JSON.parse(stdout), OUTCOMES);
});
