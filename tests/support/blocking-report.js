/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Caller, Channel } from '../../js-glue/channel.js';
import {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
} from '../../js-glue/index.js';
import { KeyedMutex } from '../../js-glue/keyed.js';
import { wordsOf } from './words.js';

/* Reports the errors and the results of all classes except the mutex on a thread that may not block. */

/** @param {() => unknown} call gives true, or a promise of it */
async function outcomeOf(call) {
    try {
        return (await call()) === true ? 'works' : 'did not give true';
    } catch (error) {
        return String(error);
    }
}

/** Reports the outcome of calls that would block, and of calls that do not. */
export async function reportOnBlocking() {
    const mutex = new Mutex();
    mutex.tryLock();
    const nothing = () => {};
    const semaphores = [
        new BinarySemaphore(),
        new BinarySemaphore({ initial: 0 }),
        new CountingSemaphore({ max: 3 }),
    ];
    const locks = [new RwLock(), new RwLock()];
    locks[1]?.tryLockShared();
    const upgrading = new RwLock();
    upgrading.tryLockUpgradable();
    upgrading.tryLockShared();
    const condition = new Condition();
    const events = [new Event(), new Event({ autoReset: true })];
    const latch = new Latch({ count: 1 });
    const barrier = new Barrier({ parties: 2 });
    const once = new Once();
    const recursive = new RecursiveMutex();
    recursive.tryLock();
    const keyed = new KeyedMutex();
    const channel = new Channel({ bytes: 64 });
    const caller = new Caller({ bytes: 64 });
    const message = new Uint8Array(1);

    /** @type {[import('../../js-glue/memory/placed.js').Placed, string, (() => unknown)[]][]} with what to call instead */
    const calls = [
        ...semaphores.map(
            (semaphore) =>
                /** @type {any} */ ([
                    semaphore,
                    'acquireAsync',
                    [
                        () => semaphore.enter(),
                        () => semaphore.tryEnter({ timeout: 5 }),
                        () => semaphore.exec(nothing),
                        () => semaphore.acquire(),
                        () => semaphore.tryAcquire({ timeout: 5 }),
                    ],
                ]),
        ),
        ...locks.map(
            (lock) =>
                /** @type {any} */ ([
                    lock,
                    'acquireAsync',
                    [
                        () => lock.lock(),
                        () => lock.lockShared(),
                        () => lock.tryLock(5),
                        () => lock.tryLockShared(5),
                        () => lock.lockUpgradable(),
                        () => lock.tryLockUpgradable(5),
                        () => lock.exec(nothing),
                        () => lock.exec(nothing, { mode: 'shared' }),
                        () => lock.acquire(),
                        () => lock.acquire({ mode: 'shared' }),
                        () => lock.tryAcquire({ timeout: 5 }),
                        () => lock.tryAcquire({ timeout: 5, mode: 'shared' }),
                    ],
                ]),
        ),
        [upgrading, 'upgradeAsync', [() => upgrading.upgrade(), () => upgrading.tryUpgrade(5)]],
        [
            condition,
            'waitAsync',
            [
                () => condition.wait(mutex),
                () => condition.waitFor(mutex, { timeout: 5 }),
                () => condition.waitFor(mutex, { timeout: 60_000, predicate: () => false }),
            ],
        ],
        ...events.map(
            (event) => /** @type {any} */ ([event, 'waitAsync', [() => event.wait(), () => event.wait(5)]]),
        ),
        [latch, 'waitAsync', [() => latch.wait(), () => latch.wait(5)]],
        [barrier, 'arriveAndWaitAsync', [() => barrier.arriveAndWait(), () => barrier.arriveAndWait(5)]],
        [once, 'runAsync', [() => once.run(nothing)]],
        [
            recursive,
            'execAsync',
            [
                () => recursive.lock(),
                () => recursive.tryLock(5),
                () => recursive.exec(nothing),
                () => recursive.acquire(),
                () => recursive.tryAcquire(5),
                () => recursive.recover(nothing),
            ],
        ],
        [
            keyed,
            'acquireAsync',
            [
                () => keyed.lock('key'),
                () => keyed.tryLock('key', 5),
                () => keyed.exec('key', nothing),
                () => keyed.acquire('key'),
                () => keyed.tryAcquire('key', 5),
                () => keyed.recover('key', nothing),
            ],
        ],
        [
            channel,
            'sendAsync',
            [
                () => channel.send(message),
                () => channel.trySend(message, { timeout: 0.5 }),
                () => channel.sendInPlace(1, nothing),
                () => channel.sendMany([message]),
            ],
        ],
        [
            channel,
            'receiveAsync',
            [
                () => channel.receive(),
                () => channel.tryReceive(5),
                () => channel.receiveInPlace(nothing),
                () => channel.receiveMany(),
            ],
        ],
        [caller, 'callAsync', [() => caller.call(message), () => caller.call(message, { timeout: 5 })]],
    ];

    const refused = calls.flatMap(([object, instead, blocking]) =>
        blocking.map((call) => {
            const before = wordsOf(object).join();
            /** @type {any} */
            let error;
            try {
                call();
            } catch (thrown) {
                error = thrown;
            }
            return {
                name: object.constructor.name,
                call: String(call),
                instead,
                code: error?.code,
                message: error?.message,
                untouched: wordsOf(object).join() === before,
            };
        }),
    );

    const semaphore = new BinarySemaphore();
    const lock = new RwLock();
    const free = new Mutex();
    const worked = {
        tryEnter: await outcomeOf(() => semaphore.tryEnter() && !semaphore.tryEnter({ timeout: 0 })),
        leave: await outcomeOf(() => {
            semaphore.leave();
            return semaphore.execAsync(() => true);
        }),
        enterAsync: await outcomeOf(async () => {
            await semaphore.enterAsync();
            const later = semaphore.enterAsync().then(() => true);
            setTimeout(() => semaphore.leave());
            return later;
        }),
        tryLock: await outcomeOf(() => lock.tryLock() && !lock.tryLockShared(0)),
        tryAcquire: await outcomeOf(() => free.tryAcquire()?.release() === undefined && !lock.tryAcquire()),
        unlock: await outcomeOf(() => {
            lock.unlock();
            return lock.tryLockShared();
        }),
        tryUpgrade: await outcomeOf(() => {
            const before = upgrading.tryUpgrade();
            upgrading.unlockShared();
            return !before && upgrading.tryUpgrade();
        }),
        execAsync: await outcomeOf(() => {
            const later = lock.execAsync(() => true);
            setTimeout(() => lock.unlockShared());
            return later;
        }),
        waitAsync: await outcomeOf(() =>
            free.execAsync(async () => {
                const wait = condition.waitAsync(free);
                setTimeout(() => condition.notify());
                await wait;
                return !free.tryLock();
            }),
        ),
        'event.wait(0)': await outcomeOf(() => {
            const before = events.map((event) => event.wait(0));
            events.forEach((event) => event.set());
            return !before.includes(true) && events.every((event) => event.wait(0));
        }),
        'latch.wait(0)': await outcomeOf(() => {
            const before = latch.wait(0);
            latch.countDown();
            return !before && latch.wait(0);
        }),
        'barrier.arriveAndWait(0)': await outcomeOf(() => barrier.arriveAndWait(0) === null),
        arriveAndWaitAsync: await outcomeOf(async () => {
            const first = barrier.arriveAndWaitAsync();
            return (await barrier.arriveAndWaitAsync()) && !(await first);
        }),
        runAsync: await outcomeOf(() => once.runAsync(nothing)),
        'recursive tryLock': await outcomeOf(() => {
            const depths = [recursive.tryLock() && recursive.depth];
            recursive.unlock();
            recursive.unlock();
            return [...depths, recursive.depth].join() === '2,0';
        }),
        'run, when it is done': await outcomeOf(() => !once.run(nothing)),
        trySend: await outcomeOf(() => channel.trySend(message) && channel.tryReceive()?.length === 1),
        sendAsync: await outcomeOf(async () => {
            const later = channel.receiveAsync();
            await channel.sendAsync(message);
            return (await later)?.length === 1;
        }),
    };
    return { refused, worked };
}
