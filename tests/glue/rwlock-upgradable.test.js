/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { LockSpace, RwLock } from '../../js-glue/index.js';
import { RecoverableRwLock } from '../../js-glue/recoverable.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { RWLOCK_UPGRADABLE } from '../../js-glue/memory/layout.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { errorWith } from '../support/errors.js';
import { jobEnds } from '../support/event-loop.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { assertFree, wordsOf } from '../support/words.js';

/* The one reader that may become the writer. tests/games/rwlock.js and the models show that nobody writes before its upgrade. */

const UPGRADABLE = /** @type {const} */ ({ mode: 'upgradable' });
const SHARED = /** @type {const} */ ({ mode: 'shared' });
const NOT_UPGRADABLE = errorWith('HF_NOT_OWNER', /does not hold RwLock at \d+ upgradable/);
const RELEASED_TOO_SOON = errorWith(
    'HF_NOT_OWNER',
    /^This guard of RwLock at \d+ was released during its upgradeAsync\(\), .* before release\(\)\.$/,
);
const HELD_BY_SECTION = errorWith('HF_NOT_OWNER', /A guard or a callback holds/);

const make = () => new RwLock({ space: new LockSpace() });

/** @type {<T>(promise: Promise<T>, lock: RwLock) => Promise<T>} */
const met = (promise, lock) => within(promise, 'a request', [lock]);

/** @param {RwLock} lock */
function assertNoneLeft(lock) {
    assert.equal(attach(lock.memory).sections, 0);
    assertFree(lock);
}

/** @param {RwLock} lock */
function assertAlone(lock) {
    assert.equal(lock.tryLockShared(), false);
    assert.equal(lock.tryLockUpgradable(), false);
    assert.equal(lock.tryLock(), false);
}

/** @param {RwLock} lock */
function assertBesideReaders(lock) {
    assert.equal(lock.tryLockUpgradable(), false);
    assert.equal(lock.tryLock(), false);
    assert.equal(lock.tryLockShared(), true);
    lock.unlockShared();
}

/** @type {[name: string, take: (lock: RwLock) => void][]} */
const TAKES = [
    ['lockUpgradable()', (lock) => lock.lockUpgradable()],
    ['tryLockUpgradable()', (lock) => assert.ok(lock.tryLockUpgradable())],
    ['tryLockUpgradable(timeout)', (lock) => assert.ok(lock.tryLockUpgradable(1))],
];

/** @type {[name: string, acquire: (lock: RwLock) => any][]} */
const ACQUIRES = [
    ['acquire()', (lock) => lock.acquire(UPGRADABLE)],
    ['tryAcquire()', (lock) => lock.tryAcquire(UPGRADABLE)],
    ['acquireAsync()', (lock) => met(lock.acquireAsync(UPGRADABLE), lock)],
];

/** @type {[name: string, upgrade: (held: any, lock: RwLock) => unknown][]} */
const UPGRADES = [
    ['upgrade()', (held) => held.upgrade()],
    ['tryUpgrade()', (held) => assert.ok(held.tryUpgrade())],
    ['tryUpgrade(timeout)', (held) => assert.ok(held.tryUpgrade({ timeout: 1 }))],
];

for (const [way, take] of TAKES) {
    test(`rwlock upgradable: ${way} locks beside readers, and excludes them after an upgrade`, () => {
        for (const [, upgrade] of UPGRADES) {
            const lock = make();
            take(lock);
            assertBesideReaders(lock);
            upgrade(lock, lock);
            assertAlone(lock);
            lock.downgrade();
            assert.equal(lock.tryLockShared(), true);
            lock.unlockShared();
            lock.unlockShared();
            take(lock);
            lock.downgrade();
            lock.unlockShared();
            take(lock);
            lock.unlockUpgradable();
            assertNoneLeft(lock);
        }
    });
}

for (const [way, acquire] of ACQUIRES) {
    for (const [by, upgrade] of [
        ...UPGRADES,
        /** @type {any} */ ([
            'upgradeAsync()',
            (/** @type {any} */ guard, /** @type {RwLock} */ lock) => met(guard.upgradeAsync(), lock),
        ]),
    ]) {
        test(`rwlock upgradable: a guard from ${way} is exclusive after ${by}`, async () => {
            const lock = make();
            const guard = await acquire(lock);
            assertBesideReaders(lock);
            await upgrade(guard, lock);
            assertAlone(lock);
            assert.throws(() => lock.unlock(), HELD_BY_SECTION);
            assert.throws(() => guard.upgrade(), NOT_UPGRADABLE);
            guard.release();
            assertNoneLeft(lock);
        });
    }

    test(`rwlock upgradable: a guard of ${way} may be released or downgraded without an upgrade`, async () => {
        const lock = make();
        (await acquire(lock)).release();
        assertNoneLeft(lock);
        const guard = await acquire(lock);
        guard.downgrade();
        assert.throws(() => guard.tryUpgrade(), NOT_UPGRADABLE);
        lock.lockUpgradable();
        lock.unlockUpgradable();
        guard.release();
        await assert.rejects(guard.upgradeAsync(), NOT_UPGRADABLE);
        assertNoneLeft(lock);
    });
}

test("rwlock upgradable: execAsync() and exec() take the mode 'upgradable'", async () => {
    const lock = make();
    lock.exec(() => assertBesideReaders(lock), UPGRADABLE);
    await met(
        lock.execAsync(() => {
            assertBesideReaders(lock);
            assert.throws(() => lock.upgrade(), HELD_BY_SECTION);
            assert.throws(() => lock.downgrade(), HELD_BY_SECTION);
            assert.throws(() => lock.unlockUpgradable(), HELD_BY_SECTION);
        }, UPGRADABLE),
        lock,
    );
    assertNoneLeft(lock);
});

test('rwlock upgradable: if the upgradable reader would wait for itself, the call is refused', () => {
    const lock = make();
    lock.lockUpgradable();
    const words = wordsOf(lock);
    const deadlock = errorWith('HF_DEADLOCK', /already holds RwLock/);
    assert.throws(() => lock.lock(), deadlock);
    assert.throws(() => lock.tryLock(1), deadlock);
    assert.throws(() => lock.lockUpgradable(), deadlock);
    assert.throws(() => lock.tryLockUpgradable(1), deadlock);
    assert.throws(() => lock.acquire(UPGRADABLE), deadlock);
    assert.throws(() => lock.unlock(), { code: 'HF_NOT_OWNER' });
    assert.throws(() => lock.unlockShared(), { code: 'HF_NOT_OWNER' });
    assert.deepEqual(wordsOf(lock), words);
    lock.unlockUpgradable();
    assertNoneLeft(lock);
});

test('rwlock upgradable: a thread without the upgradable lock may not upgrade or unlock it', async (t) => {
    const lock = make();
    const refused = () => {
        const words = wordsOf(lock);
        assert.throws(() => lock.upgrade(), NOT_UPGRADABLE);
        assert.throws(() => lock.tryUpgrade(), NOT_UPGRADABLE);
        assert.throws(() => lock.unlockUpgradable(), NOT_UPGRADABLE);
        assert.deepEqual(wordsOf(lock), words);
    };
    refused();
    lock.lockShared();
    refused();
    lock.unlockShared();
    const board = makeBoard(3);
    const [held, release, released] = [0, 1, 2];
    startThread(t, 'rwlock-holder', { handle: lock.handle, board, held, release, released });
    await within(reached(board, held), 'the holder', [lock]);
    refused();
    reach(board, release);
    await within(reached(board, released), 'the release', [lock]);
    assertNoneLeft(lock);
});

test("rwlock upgradable: an unknown mode is refused, and 'upgradable' for a recoverable lock", async () => {
    const lock = new RecoverableRwLock({ space: new LockSpace() });
    const none = errorWith(
        'HF_BAD_OPTION',
        /^A recoverable lock is held shared or exclusively, not upgradable\.$/,
    );
    assert.throws(() => lock.lockUpgradable(), none);
    assert.throws(() => lock.tryLockUpgradable(), none);
    assert.throws(() => lock.acquire(UPGRADABLE), none);
    await assert.rejects(lock.acquireAsync(UPGRADABLE), none);
    await assert.rejects(
        lock.execAsync(() => {}, UPGRADABLE),
        none,
    );
    assert.throws(
        () => lock.acquire(/** @type {any} */ ({ mode: 'upgrade' })),
        errorWith('HF_BAD_OPTION', /'shared' or 'exclusive'/),
    );
    assert.throws(
        () => make().acquire(/** @type {any} */ ({ mode: 'upgrade' })),
        errorWith(
            'HF_BAD_OPTION',
            /^The mode must be 'shared', 'upgradable' or 'exclusive', not 'upgrade'\.$/,
        ),
    );
    assertNoneLeft(lock);
});

test('rwlock upgradable: an upgrade waits only for current readers, and comes before waiting writers', async () => {
    const lock = make();
    const [guard, reader] = [lock.acquire(UPGRADABLE), lock.acquire(SHARED)];
    /** @type {string[]} */
    const order = [];
    const writes = lock.execAsync(() => order.push('writer'));
    assert.throws(() => lock.unlockUpgradable(), HELD_BY_SECTION);
    assert.throws(() => reader.tryUpgrade(), NOT_UPGRADABLE);
    const upgrade = guard.upgradeAsync().then(() => order.push('upgrade'));
    await jobEnds();
    assert.equal(lock.tryLockShared(), false);
    assert.deepEqual(order, []);
    assert.throws(() => guard.upgrade(), NOT_UPGRADABLE);
    reader.release();
    await met(upgrade, lock);
    assertAlone(lock);
    guard.release();
    await met(writes, lock);
    assert.deepEqual(order, ['upgrade', 'writer']);
    assertNoneLeft(lock);
});

test('rwlock upgradable: upgradeAsync() checks the lock only a few times while it waits', async () => {
    const lock = make();
    const attachment = attach(lock.memory);
    const { exports } = attachment;
    let steps = 0;
    attachment.exports = {
        ...exports,
        rwlock_upgrade_step(...args) {
            steps += 1;
            return exports.rwlock_upgrade_step(...args);
        },
    };
    const [guard, reader] = [lock.acquire(UPGRADABLE), lock.acquire(SHARED)];
    const upgrade = guard.upgradeAsync();
    for (let job = 0; job < 1000; job += 1) {
        await jobEnds();
    }
    assert.ok(steps < 20, `${steps} steps`);
    reader.release();
    await met(upgrade, lock);
    guard.release();
    assertNoneLeft(lock);
});

for (const [by, options, reason] of /** @type {[string, () => object, object][]} */ ([
    ['a timeout', () => ({ timeout: 5 }), { name: 'TimeoutError' }],
    ['a timeout of 0', () => ({ timeout: 0 }), { name: 'TimeoutError' }],
    ['a signal', () => ({ signal: AbortSignal.timeout(5) }), { name: 'TimeoutError' }],
    ['an aborted signal', () => ({ signal: AbortSignal.abort() }), { name: 'AbortError' }],
])) {
    test(`rwlock upgradable: an upgrade that ends by ${by} leaves the guard upgradable, and lets readers in`, async () => {
        const lock = make();
        const [guard, reader] = [lock.acquire(UPGRADABLE), lock.acquire(SHARED)];
        const upgrade = guard.upgradeAsync(options());
        const reads = lock.execAsync(() => 'read', SHARED);
        await assert.rejects(met(upgrade, lock), reason);
        assert.equal(await met(reads, lock), 'read');
        assertBesideReaders(lock);
        reader.release();
        assert.equal(guard.tryUpgrade(), true);
        guard.release();
        assertNoneLeft(lock);
    });
}

for (const [of, take] of /** @type {[string, (lock: RwLock) => any][]} */ ([
    ['a lock', (lock) => (lock.lockUpgradable(), lock)],
    ['a guard', (lock) => lock.acquire(UPGRADABLE)],
])) {
    test(`rwlock upgradable: beside a reader tryUpgrade() of ${of} returns false within its timeout`, () => {
        const lock = make();
        const held = take(lock);
        lock.lockShared();
        const words = wordsOf(lock);
        assert.equal(held.tryUpgrade(), false);
        assert.equal(held.tryUpgrade(0), false);
        assert.deepEqual(wordsOf(lock), words);
        for (const timeout of [1, 5]) {
            const began = performance.now();
            assert.equal(held.tryUpgrade(timeout), false);
            assert.ok(performance.now() - began >= timeout);
        }
        assert.throws(() => held.tryUpgrade('5'), errorWith('HF_BAD_TIMEOUT', /./));
        assertBesideReaders(lock);
        lock.unlockShared();
        (held.unlockUpgradable ?? held.release).call(held);
        assertNoneLeft(lock);
    });
}

test('rwlock upgradable: a guard whose lock other code has released cannot be upgraded', () => {
    const lock = make();
    const guard = lock.acquire(UPGRADABLE);
    attach(lock.memory).exports.rwlock_unlock(lock.byteOffset, RWLOCK_UPGRADABLE);
    assert.throws(() => guard.tryUpgrade(), NOT_UPGRADABLE);
    lock.lock();
    lock.downgrade(); // the guard holds nothing that would be in the way
    lock.unlockShared();
    assert.throws(() => guard.release(), { code: 'HF_NOT_OWNER' });
    assertNoneLeft(lock);
});

test('rwlock upgradable: a thread may block for the lock if its guards are of other locks or released', () => {
    const space = new LockSpace();
    const [lock, other] = [new RwLock({ space }), new RwLock({ space })];
    lock.acquire(UPGRADABLE).release();
    const guard = other.acquire();
    lock.lockUpgradable();
    lock.upgrade();
    lock.downgrade();
    lock.unlockShared();
    lock.lockUpgradable();
    lock.unlockUpgradable();
    guard.release();
    assertFree(lock);
});

test('rwlock upgradable: an upgrade of a freed lock does not change the next lock at its address', async () => {
    const space = new LockSpace();
    const lock = new RwLock({ space });
    const [guard] = [lock.acquire(UPGRADABLE), lock.acquire(SHARED)];
    const upgrade = guard.upgradeAsync();
    assert.throws(() => guard.release(), RELEASED_TOO_SOON);
    space.free(lock);
    const next = new RwLock({ space });
    assert.equal(next.byteOffset, lock.byteOffset);
    next.lockUpgradable();
    await assert.rejects(met(upgrade, next), { code: 'HF_FREED' });
    assertBesideReaders(next);
    assert.throws(() => guard.tryUpgrade(), NOT_UPGRADABLE);
    assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /already released/));
    next.unlockUpgradable();
    assertFree(next);
});

test('rwlock upgradable: if a guard is released during its upgrade, the lock is free once the upgrade has ended', async () => {
    for (const ends of [false, true]) {
        const lock = make();
        const [guard, reader] = [lock.acquire(UPGRADABLE), lock.acquire(SHARED)];
        const upgrade = guard.upgradeAsync(ends ? { timeout: 5 } : {});
        assert.throws(() => guard.release(), RELEASED_TOO_SOON);
        assert.throws(() => guard.release(), errorWith('HF_NOT_OWNER', /already released/));
        if (ends) {
            await assert.rejects(met(upgrade, lock), { name: 'TimeoutError' });
            reader.release();
        } else {
            reader.release();
            await assert.rejects(met(upgrade, lock), RELEASED_TOO_SOON);
        }
        assertNoneLeft(lock);
    }
});

test('rwlock upgradable: threads and an event loop that read, upgrade and write lose no update', async (t) => {
    const [rounds, threads, own] = [200, 2, 50];
    const lock = make();
    const counter = new Int32Array(new SharedArrayBuffer(4));
    const ends = Array.from({ length: threads }, () =>
        once(startThread(t, 'rwlock-upgrader', { handle: lock.handle, counter, rounds }), 'exit'),
    );
    for (let round = 0; round < own; round += 1) {
        const guard = await met(lock.acquireAsync(UPGRADABLE), lock);
        const read = Number(counter[0]);
        await met(guard.upgradeAsync(), lock);
        counter[0] = read + 1;
        guard.release();
        await met(lock.execAsync(jobEnds, SHARED), lock);
    }
    await within(Promise.all(ends), 'the threads', [lock]);
    assert.equal(counter[0], threads * rounds + own);
    assertNoneLeft(lock);
});
