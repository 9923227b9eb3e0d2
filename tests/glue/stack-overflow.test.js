/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import {
    BinarySemaphore,
    CountingSemaphore,
    Guard,
    LockSpace,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
} from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { Mutex as ShapedMutex } from '../../js-glue/tc39.js';
import { LockManager } from '../../js-glue/web-locks.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { runChild } from '../support/child.js';
import { randomOf, seedFor } from '../support/seed.js';
import { below, countFrames } from '../support/stack.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';
import { describeWords, isFree } from '../support/words.js';

/* Programs that run out of stack inside the glue: at each depth near the limit, each way to acquire and release is tried,
 * and afterwards nothing is held. This does not cover everything: engines compile functions in several ways while they run,
 * with frames of several sizes, and no program can ask how much stack is left. */

/** More frames than the glue has below a call of it. */
const DEPTHS = 80;
const ROUNDS = 2;
const SOON_MS = 2000;
/** Another thread has the lock nearly all the time, for so long at once. */
const RIVALS_MS = 0.1;
const RIVAL_ROUNDS = 6;
/** Of all frames, where the last ones begin. */
const LAST_PART = 0.8;
const DESCENTS = 20;
/** So often in a row there has to be enough stack, until no more depths are tried. */
const ENOUGH = 10;
/** Until engines have compiled the module well: what they make of it at first takes much stack. */
const USES_BEFORE = 3000;
/** Characters: Node itself writes that it finds no stack to tell of errors. */
const STDERR_SHOWN = 500;

// As code is while a program starts. What engines have put into each other needs less stack the further it is in.
if (!process.versions.bun && !process.versions.deno) {
    setFlagsFromString('--no-opt');
}

/** @returns {number} */
function forever() {
    return forever() + 1;
}

/** @param {any} lock */
const isAtRest = (lock) => ('value' in lock ? lock.value === lock.max : isFree(lock));

const manySeats = () => new CountingSemaphore(undefined, { max: 1000 });

const CALLBACKS = { 'does nothing': () => 7, 'overflows itself': forever };

/** @type {[title: string, make: () => any, use: (lock: any, callback: () => unknown) => unknown][]} */
const USES = [
    ['Mutex.exec', () => new Mutex(), (m, callback) => m.exec(callback)],
    ['Mutex.executeLocked', () => new Mutex(), (m, callback) => m.executeLocked(callback)],
    ['Mutex.execAsync', () => new Mutex(), (m, callback) => m.execAsync(callback)],
    ['RwLock.exec', () => new RwLock(), (l, callback) => l.exec(callback)],
    ['RwLock.exec, shared', () => new RwLock(), (l, callback) => l.exec(callback, { mode: 'shared' })],
    ['RwLock.executeLocked', () => new RwLock(), (l, callback) => l.executeLocked(callback)],
    [
        'RwLock.executeLocked, shared',
        () => new RwLock(),
        (l, callback) => l.executeLocked(callback, { mode: 'shared' }),
    ],
    ['CountingSemaphore.exec', manySeats, (s, callback) => s.exec(callback, 2)],
    ['CountingSemaphore.execAsync', manySeats, (s, callback) => s.execAsync(callback, { permits: 2 })],
    ['BinarySemaphore.exec', () => new BinarySemaphore(), (s, callback) => s.exec(callback)],
    ['BinarySemaphore.execAsync', () => new BinarySemaphore(), (s, callback) => s.execAsync(callback)],
    ['Once.run', () => new Once(), (o, callback) => o.run(() => (callback(), assert.fail()))],
    ['Once.runAsync', () => new Once(), (o, callback) => o.runAsync(() => (callback(), assert.fail()))],
];

/** Ways that give something to the caller, who gives it back if it came. @type {typeof USES} */
const TAKES = [
    ['Mutex.lock', () => new Mutex(), (m) => (m.lock(), () => m.unlock())],
    ['Mutex.tryLock', () => new Mutex(), (m) => m.tryLock() && (() => m.unlock())],
    ['Mutex.acquire', () => new Mutex(), (m) => m.acquire()],
    ['Mutex.acquireAsync', () => new Mutex(), (m) => m.acquireAsync()],
    ['Mutex.tryAcquire', () => new Mutex(), (m) => m.tryAcquire()],
    ['RwLock.acquire', () => new RwLock(), (l) => l.acquire()],
    ['RwLock.tryAcquire', () => new RwLock(), (l) => l.tryAcquire(0, { mode: 'shared' })],
    ['RwLock.acquireAsync', () => new RwLock(), (l) => l.acquireAsync({ mode: 'shared' })],
    ['RwLock.lock', () => new RwLock(), (l) => (l.lock(), () => l.unlock())],
    ['RwLock.tryLock', () => new RwLock(), (l) => l.tryLock() && (() => l.unlock())],
    ['RwLock.tryLockShared', () => new RwLock(), (l) => l.tryLockShared() && (() => l.unlockShared())],
    ['RwLock.acquire, shared', () => new RwLock(), (l) => l.acquire({ mode: 'shared' })],
    ['BinarySemaphore.enter', () => new BinarySemaphore(), (s) => (s.enter(), () => s.leave())],
    ['CountingSemaphore.tryEnter', manySeats, (s) => s.tryEnter(0, 2) && (() => s.leave(2))],
    ['CountingSemaphore.acquire', manySeats, (s) => s.acquire(2)],
    ['CountingSemaphore.tryAcquire', manySeats, (s) => s.tryAcquire(0, 2)],
    ['CountingSemaphore.acquireAsync', manySeats, (s) => s.acquireAsync({ permits: 2 })],
    ['RecursiveMutex.acquire', () => new RecursiveMutex(), (m) => m.acquire()],
    ['RecursiveMutex.tryAcquire', () => new RecursiveMutex(), (m) => m.tryAcquire()],
    [
        'CountingSemaphore.enterAsync',
        manySeats,
        (s) => s.enterAsync({ permits: 2 }).then(() => () => s.leave(2)),
    ],
];

/**
 * In each frame near the end of the stack, from one to the next: while an engine has not compiled much of it, too.
 *
 * @param {() => unknown} use
 */
function asTheStackEnds(use) {
    let most = 0;
    const probe = () => {
        most += 1;
        probe();
    };
    assert.throws(probe, isOverflow);
    let depth = 0;
    const descend = () => {
        depth += 1;
        if (depth > most * LAST_PART) {
            try {
                use();
            } catch {
                // No stack for it.
            }
        }
        descend();
    };
    assert.throws(descend, isOverflow);
}

/** @param {unknown} error of which program code knows nothing else in all engines */
function isOverflow(error) {
    return error instanceof Error && /stack|recursion/i.test(error.message);
}

/**
 * Each use at every depth near the limit, with a little more stack taken by chance, since frames are large.
 *
 * @param {import('../support/seed.js').Random} random
 * @param {any} lock
 * @param {() => unknown} use
 */
async function atEveryDepth(random, lock, use) {
    let overflows = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
        const most = countFrames();
        for (let depth = 0; depth < DEPTHS; depth += 1) {
            const padding = new Array(random.below(16)).fill(0);
            try {
                const result = await within(
                    Promise.resolve(below(most - depth, () => use(), padding)),
                    'the use',
                    [lock],
                );
                giveBack(result);
            } catch (error) {
                overflows += Number(isOverflow(error));
            }
            assert.ok(isAtRest(lock), `${describeWords(lock)} after ${most - depth} frames of ${most}`);
        }
    }
    assert.ok(overflows > 0, 'the stack was never too short');
}

/** @type {[title: string, make: () => any, take: (lock: any) => void, release: (lock: any) => void][]} */
const RELEASES = [
    ['Mutex.unlock', () => new Mutex(), (m) => m.lock(), (m) => m.unlock()],
    ['RwLock.unlock', () => new RwLock(), (l) => l.lock(), (l) => l.unlock()],
    ['RwLock.unlockShared', () => new RwLock(), (l) => l.lockShared(), (l) => l.unlockShared()],
    ['CountingSemaphore.leave', manySeats, (s) => s.enter(2), (s) => s.leave(2)],
];

for (const [title, make, take, release] of RELEASES) {
    test(`${title} that found no stack has done nothing, and can be repeated`, (t) => {
        const random = randomOf(seedFor(t));
        const lock = make();
        let overflows = 0;
        let successes = 0;
        // Each depth from one where there is no stack to those where there is always enough.
        for (let round = 0; round < 10 * ROUNDS; round += 1) {
            const most = countFrames();
            let inARow = 0;
            for (let frames = most; inARow < ENOUGH && frames > 0; frames -= 1) {
                take(lock);
                try {
                    below(frames, () => release(lock), new Array(random.below(16)).fill(0));
                    inARow += 1;
                    successes += 1;
                } catch (error) {
                    assert.ok(isOverflow(error), String(error));
                    inARow = 0;
                    overflows += 1;
                    release(lock);
                }
                assert.ok(isAtRest(lock), `${describeWords(lock)} after ${frames} frames of ${most}`);
            }
            assert.equal(inARow, ENOUGH, 'the stack was always too short');
        }
        t.diagnostic(`${overflows} overflows, ${successes} releases`);
        assert.ok(overflows > 0, 'the stack was never too short');
    });
}

test('LockSpace.free that found no stack has freed nothing, and can be repeated', (t) => {
    const random = randomOf(seedFor(t));
    const space = new LockSpace();
    let refused = 0;
    const most = countFrames();
    for (let frames = most; frames > most - DEPTHS; frames -= 1) {
        const mutex = new Mutex(space);
        mutex.exec(() => {});
        try {
            below(frames, () => space.free(mutex), new Array(random.below(16)).fill(0));
        } catch (error) {
            assert.ok(isOverflow(error), String(error));
            refused += 1;
            mutex.exec(() => {});
            space.free(mutex);
        }
        assert.throws(() => space.free(mutex), { code: 'HF_BAD_ADDRESS' });
    }
    assert.ok(refused > 0, 'the stack was never too short');
});

test('Mutex.lock and unlock that found no stack have done nothing beside a thread that waits, too', async (t) => {
    const random = randomOf(seedFor(t));
    const mutex = new Mutex();
    const { exports, self } = attach(mutex.memory);
    const isMine = () => exports.gate_is_mine(mutex.byteOffset, self) !== 0;
    const [board, counts] = [makeBoard(2), new Int32Array(new SharedArrayBuffer(4))];
    const rival = { handle: mutex.handle, board, ready: 0, stop: 1, counts, index: 0, section: RIVALS_MS };
    const worker = startThread(t, 'hammer', rival);
    await within(reached(board, 0), 'a thread that locks', [mutex]);
    const overflows = { lock: 0, unlock: 0 };
    for (let round = 0; round < RIVAL_ROUNDS; round += 1) {
        const most = countFrames();
        let inARow = 0;
        for (let frames = most; inARow < ENOUGH && frames > 0; frames -= 1) {
            inARow += 1;
            for (const step of /** @type {const} */ (['lock', 'unlock'])) {
                try {
                    below(frames, () => mutex[step](), new Array(random.below(16)).fill(0));
                } catch (error) {
                    assert.ok(isOverflow(error), String(error));
                    overflows[step] += 1;
                    inARow = 0;
                    const isRight = isMine() === (step === 'unlock');
                    assert.ok(isRight, `${step} after ${frames} frames of ${most}`);
                    mutex[step]();
                }
            }
        }
        assert.equal(inARow, ENOUGH, 'the stack was always too short');
    }
    reach(board, 1);
    await messageOf(worker, 'the end of the other thread', [mutex]);
    t.diagnostic(JSON.stringify(overflows));
    assert.ok(overflows.lock > 0 && overflows.unlock > 0, 'the stack was never too short');
    assert.ok(isFree(mutex), describeWords(mutex));
});

for (const [title, make, use] of USES.filter(([title]) => !title.startsWith('Once'))) {
    test(`${title} leaves nothing held as the stack ends`, async () => {
        const first = make();
        for (let i = 0; i < USES_BEFORE; i += 1) {
            await use(first, () => undefined);
        }
        let left = 0;
        for (let descent = 0; descent < DESCENTS; descent += 1) {
            const lock = make();
            asTheStackEnds(() => {
                const result = /** @type {any} */ (use(lock, () => undefined));
                result?.catch(() => {});
            });
            await Promise.resolve();
            left += Number(!isAtRest(lock));
        }
        assert.equal(left, 0, `of ${DESCENTS}`);
    });
}

for (const [title, make, use] of USES.filter(([title]) => /executeLocked|execAsync/.test(title))) {
    test(`${title} leaves nothing held when the stack is too short for the promise of its callback`, async (t) => {
        const lock = make();
        const result = Promise.resolve(7); // made before: nothing but the glue needs stack
        await atEveryDepth(randomOf(seedFor(t)), lock, () => use(lock, () => result));
    });
}

test('a guard that found no stack for its release can be released again, and requests behind it go on', async (t) => {
    const random = randomOf(seedFor(t));
    const mutex = new Mutex();
    let overflows = 0;
    let most = 0;
    for (let depth = 0; depth < ROUNDS * DEPTHS; depth += 1) {
        most = depth % DEPTHS === 0 ? countFrames() : most;
        const guard = await mutex.acquireAsync();
        const behind = mutex.executeLocked(() => 7);
        const padding = new Array(random.below(16)).fill(0);
        try {
            below(most - (depth % DEPTHS), () => guard.release(), padding);
        } catch (error) {
            overflows += Number(isOverflow(error));
            guard.released || guard.release();
        }
        assert.equal(await within(behind, 'the request behind', [mutex], SOON_MS), 7);
        assert.ok(isAtRest(mutex), describeWords(mutex));
    }
    assert.ok(overflows > 0, 'the stack was never too short');
});

/** @param {any} got by one of TAKES */
function giveBack(got) {
    if (typeof got === 'function') {
        got();
    } else if (got instanceof Guard) {
        got.release();
    }
}

for (const [title, make, use] of USES) {
    for (const [what, callback] of Object.entries(CALLBACKS)) {
        test(`${title} leaves nothing held when the stack is too short, with a callback that ${what}`, async (t) => {
            const lock = make();
            await atEveryDepth(randomOf(seedFor(t)), lock, () => use(lock, callback));
        });
    }
}

for (const [title, make, use] of TAKES) {
    test(`${title} takes nothing when the stack is too short for it`, async (t) => {
        const lock = make();
        await atEveryDepth(randomOf(seedFor(t)), lock, () => use(lock, assert.fail));
    });
}

for (const [title, make, use] of TAKES.filter(([title]) => /acquire/i.test(title))) {
    test(`${title} gives back what it took if its guard cannot be made`, async () => {
        const lock = make();
        const own = new RangeError('as if there were no stack');
        Object.defineProperty(globalThis, 'document', {
            configurable: true,
            get() {
                throw own;
            },
        });
        try {
            await assert.rejects(
                async () => use(lock, assert.fail),
                (error) => error === own,
            );
        } finally {
            delete (/** @type {any} */ (globalThis).document);
        }
        assert.ok(isAtRest(lock), describeWords(lock));
        giveBack(await use(lock, assert.fail));
        assert.ok(isAtRest(lock), describeWords(lock));
    });
}

for (const [kind, make] of /** @type {[string, () => any][]} */ ([
    ['Mutex', () => new Mutex()],
    ['RwLock', () => new RwLock()],
    ['BinarySemaphore', () => new BinarySemaphore()],
])) {
    test(`${kind}.acquireAsync that has waited gives back what it took if its guard cannot be made`, async () => {
        const lock = make();
        const own = new Error('as if windows took no listeners');
        const guard = lock.acquire();
        const request = lock.acquireAsync();
        await Promise.resolve();
        guard.release();
        const scope = /** @type {any} */ (globalThis);
        scope.document = {};
        scope.addEventListener = () => {
            throw own;
        };
        try {
            await assert.rejects(within(request, 'the guard', [lock], SOON_MS), (error) => error === own);
        } finally {
            delete scope.document;
            delete scope.addEventListener;
        }
        assert.ok(isAtRest(lock), describeWords(lock));
        assert.equal(attach(lock.memory).sections, 0);
    });
}

test('stack: an exclusive lock whose release is refused after it was tried is released from further up', () => {
    const space = new LockSpace();
    const lock = new RwLock(space);
    const attachment = attach(space.memory);
    const { rwlock_unlock: unlock } = attachment.exports;
    let refusals = 1;
    attachment.exports = {
        ...attachment.exports,
        rwlock_unlock(byteOffset, amount) {
            // As after the engine went back from optimised code, whose frame is larger then.
            if (amount === attachment.self && refusals > 0) {
                refusals -= 1;
                throw new RangeError('no stack');
            }
            return unlock(byteOffset, amount);
        },
    };
    assert.throws(() => lock.exec(() => {}), /no stack/);
    assert.equal(refusals, 0);
    assert.ok(isFree(lock), describeWords(lock));
});

for (const options of [{}, { mode: 'shared' }, { ifAvailable: true }, { steal: true }]) {
    test(`web-locks: a request with ${JSON.stringify(options)} leaves nothing behind when the stack is too short`, async (t) => {
        const random = randomOf(seedFor(t));
        const locks = new LockManager();
        const use = () => locks.request('name', /** @type {any} */ (options), () => 'run');
        assert.equal(await use(), 'run');
        const most = countFrames();
        let overflows = 0;
        for (let depth = 0; depth < ROUNDS * DEPTHS; depth += 1) {
            const padding = new Array(random.below(16)).fill(0);
            try {
                const request = below(most - (depth % DEPTHS), use, padding);
                assert.equal(await within(request, 'the lock', []), 'run');
            } catch (error) {
                assert.ok(isOverflow(error), String(error));
                overflows += 1;
            }
            assert.deepEqual(await within(locks.query(), 'what is held', []), { held: [], pending: [] });
        }
        assert.ok(overflows > 0, 'the stack was never too short');
    });
}

test('tc39: a token that finds no stack to unlock with still has its mutex', () => {
    let refused = 0;
    for (let depth = 0; depth < 50; depth += 1) {
        const mutex = new ShapedMutex();
        const token = ShapedMutex.lock(mutex);
        const unlock = () => {
            try {
                token.unlock();
            } catch (error) {
                assert.ok(error instanceof RangeError);
                refused += 1;
            }
        };
        const descend = (/** @type {number} */ frames) => {
            try {
                descend(frames + 1);
            } finally {
                unlock(); // on the way back, with a little more stack each time
            }
        };
        /** @type {(frames: number) => void} */
        const begin = (frames) => (frames === 0 ? descend(0) : begin(frames - 1));
        assert.throws(() => begin(depth), RangeError);
        assert.ok(ShapedMutex.lockIfAvailable(mutex, 0), `begun in frame ${depth}`);
    }
    assert.notEqual(refused, 0);
});

test('requests that end where the stack is too short are all settled', async (t) => {
    const { code, stdout, stderr } = await runChild('ends-as-the-stack-ends');
    t.diagnostic(stdout);
    assert.equal(code, 0, `code ${code}: ${stderr.slice(0, STDERR_SHOWN)}`);
    const pending = [...stdout.matchAll(/: (\d+) pending/g)].map(([, count]) => Number(count));
    assert.deepEqual(pending, new Array(8).fill(0), stdout);
});
