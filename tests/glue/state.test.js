/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as holdfast from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { RWLOCK_MOST, THREAD_MARK, THREAD_RANDOM } from '../../js-glue/memory/layout.js';
import { RecoverableRwLock } from '../../js-glue/recoverable.js';
import { errorWith } from '../support/errors.js';
import { assertAtRest, restOf } from '../support/words.js';

/* stateOf(): the state in which a lock was. */

const { BinarySemaphore, Event, LockSpace, Mutex, RecursiveMutex, RwLock, stateOf } = holdfast;

for (const Lock of /** @type {any[]} */ ([Mutex, RecursiveMutex, RwLock, RecoverableRwLock])) {
    test(`state: ${Lock.name}: the state is free, exclusive while held, abandoned after a death, and free once recovered`, () => {
        const lock = new Lock();
        const rest = restOf(lock);
        assert.equal(stateOf(lock), 'free');
        lock.lock();
        assert.equal(stateOf(lock), 'exclusive');
        assert.equal(stateOf(Lock.from(structuredClone(lock.handle))), 'exclusive');
        const { exports, self } = attach(lock.memory);
        exports.gate_abandon(lock.byteOffset, self, self | THREAD_MARK); // as the death of its holder does
        assert.equal(stateOf(lock), 'abandoned');
        assert.equal(
            lock.recover(() => assert.equal(stateOf(lock), 'exclusive')),
            true,
        );
        assert.equal(stateOf(lock), 'free');
        assertAtRest(lock, rest);
    });
}

for (const Lock of [RwLock, RecoverableRwLock]) {
    test(`state: ${Lock.name}: the state is shared while a reader holds the lock, and after a downgrade`, () => {
        const lock = new Lock();
        lock.lockShared();
        assert.equal(stateOf(lock), 'shared');
        lock.unlockShared();
        const guard = lock.acquire();
        assert.equal(stateOf(lock), 'exclusive');
        guard.downgrade();
        assert.equal(stateOf(lock), 'shared');
        guard.release();
        assert.equal(stateOf(lock), 'free');
    });
}

test('state: a lock with the greatest number of readers is shared', () => {
    const lock = new RwLock();
    const { exports } = attach(lock.memory);
    const [use] = new BigUint64Array(lock.memory.buffer, lock.byteOffset, 1);
    assert.equal(use, 0n);
    new BigUint64Array(lock.memory.buffer, lock.byteOffset, 1)[0] = BigInt(RWLOCK_MOST);
    assert.equal(exports.owner_probe(lock.byteOffset, 0, 0, 0), RWLOCK_MOST);
    assert.equal(stateOf(lock), 'shared');
});

test('state: an object of a subclass, and a lock in the memory of another program, have a state', () => {
    class OwnMutex extends Mutex {
        static KIND = 'OwnMutex';
    }
    const own = new OwnMutex();
    own.lock();
    assert.equal(stateOf(own), 'exclusive');
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const lock = RwLock.at(memory, 64);
    assert.equal(stateOf(lock), 'free');
    lock.lock();
    assert.equal(stateOf(lock), 'exclusive');
});

test('state: only mutexes and reader-writer locks have a state', () => {
    const space = new LockSpace();
    for (const other of /** @type {any[]} */ ([
        undefined,
        null,
        7,
        'Mutex',
        {},
        Mutex,
        new Mutex().handle,
        new Mutex().acquire(),
        new BinarySemaphore(),
        new Event(),
        new KeyedMutex(),
        space,
    ])) {
        assert.throws(
            () => stateOf(other),
            errorWith('HF_BAD_OPTION', /stateOf\(\) takes a mutex or a reader-writer lock/),
        );
    }
});

test('state: the error of a wrong argument says what was passed', () => {
    for (const [other, text] of /** @type {any[]} */ ([
        [new Event(), 'Event'],
        [new KeyedMutex(), 'KeyedMutex'],
        [7, '7'],
    ])) {
        const message = `stateOf() takes a mutex or a reader-writer lock, not ${text}.`;
        assert.throws(() => stateOf(other), { code: 'HF_BAD_OPTION', message });
    }
});

test('state: a mutex held by a C thread, or by a thread with a random identity, is exclusive', () => {
    for (const identity of [5, THREAD_RANDOM | THREAD_MARK | 5]) {
        const mutex = new Mutex();
        attach(mutex.memory).exports.mutex_trylock(mutex.byteOffset, identity);
        assert.equal(stateOf(mutex), 'exclusive');
    }
});
