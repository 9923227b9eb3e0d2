/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { debug, inspect } from '../../js-glue/debug.js';
import { holding } from '../../js-glue/debug/calls.js';
import {
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    deadlineIn,
    Event,
    Guard,
    HoldfastError,
    LockSpace,
    Mutex,
    Once,
    RwLock,
} from '../../js-glue/index.js';
import { RWLOCK_CAPACITY, STEP_KIND_ASYNC } from '../../js-glue/memory/layout.js';
import { attachmentFor } from '../../js-glue/memory/placed.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';
import { SUSPECTED_AFTER_MS } from '../../js-glue/thread/times.js';
import { trace } from '../../js-glue/trace.js';
import { ROOT } from '../support/documents.js';
import { replaceInEnvironment } from '../support/environment.js';
import { jobEnds, reasonOf } from '../support/event-loop.js';
import { messageOf, startThread } from '../support/thread.js';
import { until, within } from '../support/watchdog.js';
import { assertAtRest, assertFree, restOf } from '../support/words.js';
import { garbageCollector } from '../support/garbage.js';

/* debug() reports a thread that waits for itself, and changes nothing else. */

/** A limit for a test's wait: long after an immediate report, long before a report that takes a second. */
const SHORT_MS = 200;

/** Longer than debug() takes to report a wait that has lasted a second. */
const LOOKED_MS = 1.6 * SUSPECTED_AFTER_MS;

/** @typedef {import('../../js-glue/debug.js').OwnDeadlockReport} Report */

/**
 * @param {import('node:test').TestContext} t
 * @param {{ throw?: boolean, heldFor?: number }} [options]
 */
function watch(t, options) {
    /** @type {Report[]} */
    const reports = [];
    const stop = debug({ ...options, onReport: (report) => reports.push(/** @type {Report} */ (report)) });
    t.after(stop);
    return { reports, stop };
}

/** @param {Report[]} reports that come @param {number} [count] */
const aReport = (reports, count = 1) => until(() => reports.length >= count, `report ${count}`);

/** @param {Report[]} reports */
function only(reports) {
    assert.equal(reports.length, 1, `${reports.length} reports`);
    return /** @type {Report} */ (reports[0]);
}

/** Makes stacks name no awaiters, as in Firefox and WebKit. @param {import('node:test').TestContext} t */
function hideAwaiters(t) {
    const { prepareStackTrace } = Error;
    t.after(() => {
        Error.prepareStackTrace = prepareStackTrace;
    });
    Error.prepareStackTrace = (error, sites) =>
        [error, ...sites.filter((site) => !site.isAsync())].join('\n    at ');
}

/** @param {{ name?: string }} error */
const isGivenUp = ({ name }) => name === 'TimeoutError';

const LIMIT = { timeout: SHORT_MS };
const SHARED = /** @type {const} */ ({ mode: 'shared' });

/**
 * Programs that wait for themselves until a timeout.
 *
 * @type {[title: string, make: () => any, wait: (lock: any) => Promise<unknown>][]}
 */
const OWN_WAITS = [
    [
        'Mutex.execAsync',
        () => new Mutex(),
        (m) => m.execAsync(async () => await m.execAsync(() => {}, LIMIT)),
    ],
    [
        'Mutex.executeLocked',
        () => new Mutex(),
        (m) => m.executeLocked(async () => await m.executeLocked(() => {}, LIMIT)),
    ],
    ['Mutex.acquireAsync', () => new Mutex(), (m) => m.execAsync(async () => await m.acquireAsync(LIMIT))],
    [
        'Mutex.execAsync, after other jobs',
        () => new Mutex(),
        (m) =>
            m.execAsync(async () => {
                await sleep(1);
                await Promise.all([1, m.execAsync(() => {}, LIMIT)]);
            }),
    ],
    [
        'Mutex.recoverAsync of what its own section holds',
        () => new Mutex(),
        (m) => m.execAsync(async () => await m.recoverAsync(() => {}, LIMIT)),
    ],
    [
        'RwLock.execAsync',
        () => new RwLock(),
        (l) => l.execAsync(async () => await l.execAsync(() => {}, LIMIT)),
    ],
    [
        'RwLock, shared in exclusive',
        () => new RwLock(),
        (l) => l.execAsync(async () => await l.acquireAsync({ ...LIMIT, ...SHARED })),
    ],
    [
        'RwLock, exclusive in shared',
        () => new RwLock(),
        (l) => l.execAsync(async () => await l.execAsync(() => {}, LIMIT), SHARED),
    ],
    [
        'RwLock, shared in shared behind a writer',
        () => new RwLock(),
        (l) => {
            const reader = l.execAsync(async () => {
                await sleep(5);
                await l.execAsync(() => {}, { ...LIMIT, ...SHARED });
            }, SHARED);
            void l.execAsync(() => {});
            return reader;
        },
    ],
    [
        'BinarySemaphore.execAsync',
        () => new BinarySemaphore(),
        (s) => s.execAsync(() => s.execAsync(() => {}, LIMIT)),
    ],
    [
        'CountingSemaphore.enterAsync',
        () => new CountingSemaphore({ max: 4 }),
        (s) => s.execAsync(async () => await s.enterAsync({ ...LIMIT, permits: 2 }), { permits: 3 }),
    ],
    [
        'CountingSemaphore.acquireAsync',
        () => new CountingSemaphore({ max: 4 }),
        (s) => s.execAsync(async () => await s.acquireAsync({ ...LIMIT, permits: 2 }), { permits: 3 }),
    ],
    [
        'Once.runAsync',
        () => new Once(),
        (o) =>
            o.runAsync(async () => {
                await null;
                await o.runAsync(() => {}, LIMIT);
            }),
    ],
];

for (const [title, make, wait] of OWN_WAITS) {
    test(`debug: a request that its own section awaits is reported at once, with the stack of the call: ${title}`, async (t) => {
        const { reports } = watch(t);
        const lock = make();
        await assert.rejects(within(wait(lock), 'the section', [lock]), isGivenUp);
        const { code, certain, message, members } = only(reports);
        assert.equal(code, 'HF_DEADLOCK');
        assert.equal(certain, false);
        const [member] = members;
        const name = `${lock.constructor.KIND} at ${lock.byteOffset}`;
        assert.equal(member?.holds, name);
        assert.equal(member.waitsFor, name);
        assert.ok(message.includes(`a section holds ${name} and awaits ${name}`), message);
        for (const stack of [member.heldFrom, member.askedFrom]) {
            assert.match(stack, /debug\.test\.js/);
            assert.doesNotMatch(stack, /js-glue.debug/);
        }
        assert.notEqual(member.heldFrom, member.askedFrom);
        if (lock instanceof Mutex) {
            assertFree(lock);
        }
    });
}

test("debug: if two sections await each other's locks, one report has both", async (t) => {
    const { reports } = watch(t);
    const space = new LockSpace();
    const [orders, stock] = ['orders', 'stock'].map((name) => Mutex.named(space, name));
    assert.ok(orders && stock);
    const restock = () => stock.execAsync(async () => await orders.execAsync(() => {}, LIMIT));
    await assert.rejects(
        orders.execAsync(async () => await restock()),
        isGivenUp,
    );
    const report = only(reports);
    assert.deepEqual(
        report.members.map(({ holds, waitsFor }) => [holds, waitsFor]),
        [
            ['orders', 'stock'],
            ['stock', 'orders'],
        ],
    );
    assert.match(report.members[1]?.heldFrom ?? '', /restock/);
    assert.equal(report.members[0]?.askedFrom, report.members[1]?.heldFrom);
    assert.match(
        report.message,
        /^Perhaps a deadlock in \w+: a section holds orders and awaits stock; a section holds stock and awaits orders\.$/,
    );
    assert.match(String(report), /\n {2}stock is asked for by execAsync\(\)\n.*restock/);
    assert.deepEqual(structuredClone(report), { ...report });
});

test('debug: a report of execAsync names this method and has the stack of its call', async (t) => {
    const { reports } = watch(t);
    const lock = new RwLock();
    const askAgain = () => lock.execAsync(() => {}, LIMIT);
    await assert.rejects(
        lock.execAsync(async () => await askAgain()),
        isGivenUp,
    );
    assert.match(String(only(reports)), / is asked for by execAsync\(\)\n.*askAgain/);
    assertFree(lock);
});

/** @type {Record<string, (mutex: Mutex) => unknown>} */
const UNAWAITED = {
    'a request with handlers': (mutex) =>
        mutex
            .execAsync(() => {})
            .then(
                () => {},
                () => {},
            ),
    'one that catches': (mutex) => mutex.execAsync(() => {}).catch(() => {}),
    'one with finally': (mutex) => mutex.execAsync(() => {}).finally(() => {}),
    'an async function': async (mutex) => await mutex.execAsync(() => {}),
    'an async listener': (mutex) =>
        new EventEmitter().on('x', async () => await mutex.execAsync(() => {})).emit('x'),
    'a timer': (mutex) => setTimeout(async () => await mutex.execAsync(() => {}), 2),
    'a bound function': (mutex) => AsyncResource.bind(async () => await mutex.execAsync(() => {}))(),
    'a generator': (mutex) => {
        async function* generate() {
            yield await mutex.execAsync(() => {});
        }
        void generate().next();
    },
    recoverAsync: (mutex) => mutex.recoverAsync(() => {}),
    'a traced lock': (mutex) => {
        const stop = trace(mutex);
        void mutex.execAsync(() => {}).finally(stop);
    },
};

/**
 * Programs that wait inside a section, or request its lock, and end by themselves.
 *
 * @type {[title: string, use: () => Promise<unknown>, reports?: number][]}
 */
const NO_DEADLOCKS = [
    ...Object.entries(UNAWAITED).map(
        ([title, ask]) =>
            /** @type {[string, () => Promise<unknown>]} */ ([
                `work that a section starts and does not await: ${title}`,
                async () => {
                    const mutex = new Mutex();
                    await mutex.execAsync(async () => {
                        await null;
                        ask(mutex);
                        await sleep(20);
                    });
                    await mutex.execAsync(() => {});
                },
            ]),
    ),
    [
        'a request with a signal, which ends',
        async () => {
            const mutex = new Mutex();
            const signal = AbortSignal.timeout(20);
            const inner = () => mutex.execAsync(() => {}, { signal });
            await assert.rejects(
                mutex.execAsync(async () => await inner()),
                isGivenUp,
            );
        },
        1,
    ],
    [
        'an RwLock that code of another program passed from its section to another one',
        async () => {
            const lock = new RwLock();
            const { exports, self } = attachmentFor(lock);
            let other;
            const section = lock.execAsync(async () => {
                other = lock.execAsync(() => sleep(20));
                exports.rwlock_unlock(lock.byteOffset, self);
                await sleep(5);
                await lock.execAsync(() => {});
            });
            await assert.rejects(section, { code: 'HF_NOT_OWNER' });
            await other;
        },
    ],
    [
        'a request that nobody awaits',
        async () => {
            const mutex = new Mutex();
            /** @type {Promise<void> | undefined} */
            let later;
            await mutex.execAsync(async () => {
                later = mutex.execAsync(() => {});
                await sleep(1);
            });
            await later;
        },
    ],
    [
        'a section of another lock that nobody awaits',
        async () => {
            const [one, other] = [new Mutex(), new Mutex()];
            /** @type {Promise<unknown> | undefined} */
            let later;
            await one.execAsync(async () => {
                later = other.execAsync(async () => await one.execAsync(() => {}));
                await sleep(1);
            });
            await later;
        },
    ],
    [
        'a timer that a section has set',
        async () => {
            const mutex = new Mutex();
            /** @type {Promise<unknown> | undefined} */
            let later;
            await mutex.execAsync(() => {
                later = sleep(5).then(async () => await mutex.execAsync(() => {}));
            });
            const guard = await mutex.acquireAsync();
            await sleep(20);
            guard.release();
            await later;
        },
    ],
    [
        'tries',
        () => {
            const mutex = new Mutex();
            return mutex.execAsync(async () => {
                assert.equal(mutex.tryLock(), false);
                await assert.rejects(
                    mutex.execAsync(() => {}, { timeout: 0 }),
                    isGivenUp,
                );
            });
        },
    ],
    [
        "a condition's wait, which releases the mutex",
        async () => {
            const [mutex, condition] = [new Mutex(), new Condition()];
            const taker = mutex.execAsync(async () => await condition.waitAsync(mutex));
            await mutex.execAsync(() => condition.notify());
            await taker;
        },
    ],
    [
        'a section that waits for a condition, while other code of its thread has the mutex by lock()',
        async () => {
            const [mutex, condition] = [new Mutex(), new Condition()];
            await mutex.execAsync(async () => {
                const notified = condition.waitAsync(mutex);
                mutex.lock();
                setTimeout(() => mutex.unlock(), 5);
                await Promise.all([notified, mutex.execAsync(() => condition.notify())]);
            });
        },
    ],
    [
        'two locks, one in the other',
        async () => {
            const [one, other] = [new Mutex(), new Mutex()];
            const guard = await other.acquireAsync();
            const nested = one.execAsync(async () => await other.execAsync(() => {}));
            await sleep(5);
            guard.release();
            await nested;
        },
    ],
    [
        'a nested request for permits that are free',
        async () => {
            const seats = new CountingSemaphore({ max: 3 });
            seats.enter();
            const nested = seats.execAsync(async () => await seats.execAsync(() => {}, { permits: 2 }));
            await sleep(5);
            seats.leave();
            await nested;
        },
    ],
    [
        'shared in shared',
        () => {
            const lock = new RwLock();
            return lock.execAsync(async () => await lock.execAsync(() => {}, SHARED), SHARED);
        },
    ],
    [
        "shared in shared behind another thread's turn, which is over soon",
        () => {
            const lock = new RwLock();
            const { exports, self } = attachmentFor(lock);
            const other = self + 1;
            return lock.execAsync(async () => {
                exports.gate_step(lock.byteOffset, other, STEP_KIND_ASYNC, 0, other, RWLOCK_CAPACITY);
                await lock.execAsync(() => {}, SHARED);
            }, SHARED);
        },
    ],
    [
        'two jobs, one of which waits for the other for long',
        async () => {
            const mutex = new Mutex();
            const long = mutex.execAsync(() => sleep(LOOKED_MS));
            await mutex.execAsync(() => {});
            await long;
        },
    ],
];

for (const [title, use, count = 0] of NO_DEADLOCKS) {
    test(`debug: ${title}: ${count === 0 ? 'no report' : 'a report, and nothing is thrown'}`, async (t) => {
        const { reports } = watch(t, { throw: true });
        await within(use(), 'what is no deadlock', []);
        assert.equal(reports.length, count, reports.join('\n'));
    });
}

for (const Lock of [Mutex, RwLock]) {
    test(`debug: ${Lock.KIND}: 'throw' rejects the request that a section awaits, and the section continues`, async (t) => {
        const { reports } = watch(t, { throw: true });
        const lock = new Lock();
        const result = lock.execAsync(async () => {
            const error = await lock.execAsync(() => {}).catch((/** @type {Error} */ reason) => reason);
            assert.ok(error instanceof HoldfastError);
            return error;
        });
        const { code, message, stack, cause, ...error } = await within(result, 'the section', [lock]);
        assert.equal(code, 'HF_DEADLOCK');
        assert.match(message, /^Perhaps a deadlock in .*This request is given up: a section/);
        assert.deepEqual(error.lock, { kind: Lock.KIND, name: '', byteOffset: lock.byteOffset });
        assert.match(stack ?? '', /debug\.test\.js/);
        assert.equal(/** @type {Report} */ (cause).members.length, 1);
        assert.equal(reports.length, 0, 'it throws instead');
        assertFree(lock);
    });
}

/** @typedef {[title: string, make: () => any, nest: (lock: any, callback: () => Promise<unknown>) => Promise<unknown>, ask: (lock: any) => Promise<unknown>]} Hopeless */

/**
 * Programs that wait for themselves for ever: the holder is known, and no other thread can end the wait.
 * @type {Hopeless[]}
 */
const HOPELESS = [
    ...[RwLock, RecoverableRwLock].map(
        (Lock) =>
            /** @type {Hopeless} */ ([
                `${Lock.KIND}, a reader behind this thread's own writer`,
                () => new Lock(),
                (lock, callback) => {
                    const reader = lock.execAsync(callback, SHARED);
                    const writer = lock.execAsync(() => {});
                    return Promise.all([reader, writer]);
                },
                (lock) => lock.execAsync(assert.fail, SHARED),
            ]),
    ),
    ...[RwLock, RecoverableRwLock].map(
        (Lock) =>
            /** @type {Hopeless} */ ([
                `${Lock.KIND}, a reader that asks to write`,
                () => new Lock(),
                (lock, callback) => lock.execAsync(callback, SHARED),
                (lock) => lock.acquireAsync(),
            ]),
    ),
    [
        'RecoverableSemaphore of one permit',
        () => new RecoverableSemaphore({ max: 1 }),
        (lock, callback) => lock.execAsync(callback),
        (lock) => lock.acquireAsync(),
    ],
    [
        'RecoverableSemaphore, with too few permits left',
        () => new RecoverableSemaphore({ max: 4 }),
        (lock, callback) => lock.execAsync(callback, { permits: 3 }),
        (lock) => lock.enterAsync({ permits: 2 }),
    ],
];

for (const [title, make, nest, ask] of HOPELESS) {
    test(`debug: 'throw' rejects a request that its own section awaits: ${title}`, async (t) => {
        const { reports } = watch(t, { throw: true });
        const lock = make();
        const rest = restOf(lock);
        const section = nest(lock, async () => {
            await jobEnds();
            await assert.rejects(ask(lock), { code: 'HF_DEADLOCK' });
        });
        await within(section, 'the section', [lock]);
        assert.equal(reports.length, 0, 'it throws instead');
        assertAtRest(lock, rest);
    });
}

test("debug: 'throw' does not reject waits for permits, or waits behind a writer", async (t) => {
    const { reports } = watch(t, { throw: true });
    const [turn, lock] = [new BinarySemaphore(), new RwLock()];
    const left = turn.execAsync(async () => {
        void aReport(reports).then(() => turn.leave()); // any thread may do this
        await turn.execAsync(() => {});
    });
    await assert.rejects(within(left, 'the permit', [turn]), { code: 'HF_OVERFLOW' });
    const read = lock.execAsync(async () => {
        await sleep(5);
        await lock.execAsync(() => {}, SHARED);
    }, SHARED);
    const writer = new AbortController();
    void aReport(reports, 2).then(() => writer.abort());
    await assert.rejects(
        lock.execAsync(() => {}, { signal: writer.signal }),
        { name: 'AbortError' },
    );
    await within(read, 'the reader', [lock]);
    assert.equal(reports.length, 2);
    assertFree(lock);
});

test('debug: a nested read that waits behind a writer of another thread is reported after a second', async (t) => {
    const { reports } = watch(t, { throw: true });
    const lock = new RwLock();
    const worker = startThread(t, 'caller', {});
    const reader = new AbortController();
    void aReport(reports).then(() => reader.abort());
    const section = lock.execAsync(async () => {
        worker.postMessage({ handle: lock.handle, calls: [['lock'], ['unlock']] });
        for (;;) {
            await lock.execAsync(() => {}, { ...SHARED, signal: reader.signal }); // granted before the writer asks
            await sleep(1);
        }
    }, SHARED);
    await assert.rejects(within(section, 'the section', [lock]), { name: 'AbortError' });
    await messageOf(worker, 'that it had it', [lock]);
    // On a loaded machine a reader before the writer may also have waited for a second.
    assert.match(String(reports[0]?.message), /: a section has held RwLock at/);
    assertFree(lock);
});

/** @param {Mutex} mutex @param {() => void} resolve */
async function resolves(mutex, resolve) {
    await mutex.execAsync(() => {});
    resolve();
}

/** @type {Record<string, (mutex: Mutex, resolve: () => void) => unknown>} */
const RESOLVE = {
    'not awaited': (mutex, resolve) => void mutex.execAsync(resolve),
    'awaited in a listener': (mutex, resolve) => void resolves(mutex, resolve),
    'awaited in a listener that is called after an await': async (mutex, resolve) => {
        await null;
        void resolves(mutex, resolve);
    },
};

for (const [title, ask] of Object.entries(RESOLVE)) {
    test(`debug: a section that waits for a request for its own lock, ${title}, is reported after a second`, async (t) => {
        const { reports } = watch(t, { throw: true });
        const mutex = new Mutex();
        const section = mutex.execAsync(async () => {
            /** @type {() => void} */
            let resolve = () => {};
            const inner = new Promise((done) => (resolve = () => done(1)));
            await ask(mutex, resolve);
            await Promise.race([inner, aReport(reports)]);
        });
        await sleep(SHORT_MS);
        assert.equal(reports.length, 0);
        await within(section, 'the section', [mutex]);
        assert.match(only(reports).message, /: a section has held Mutex at \d+ for \d\.\d s, and a request/);
    });
}

test('debug: reports and inspect() show the name of a lock that is in no space', async (t) => {
    const { reports } = watch(t, { heldFor: 1 });
    const mutex = new Mutex({ name: 'orders' });
    const guard = await mutex.acquireAsync();
    assert.match(String(mutex), /^Mutex 'orders', held by /);
    assert.match(String(guard), /^Guard of Mutex 'orders', /);
    for (const where of [mutex, mutex.handle]) {
        const [object] = inspect(where).objects.filter(({ name }) => name === 'orders');
        assert.deepEqual([object?.kind, object?.byteOffset], ['Mutex', mutex.byteOffset]);
        assert.notEqual(object?.holder, undefined);
    }
    while (reports.length === 0) {
        await within(sleep(10), 'a report', [mutex]);
    }
    assert.match(only(reports).message, / has held Mutex 'orders' for /);
    guard.release();
    const own = mutex.execAsync(async () => await mutex.execAsync(() => {}, LIMIT));
    await assert.rejects(within(own, 'the end', [mutex]), isGivenUp);
    assert.match(reports.at(-1)?.message ?? '', /holds orders and awaits orders/);
});

test('debug: a report escapes invisible characters of names', async (t) => {
    const { reports } = watch(t);
    const mutex = new Mutex({ space: new LockSpace(), name: 'a\n\u202eb' });
    const own = mutex.execAsync(async () => await mutex.execAsync(() => {}, LIMIT));
    await assert.rejects(within(own, 'the end', [mutex]), isGivenUp);
    const report = only(reports);
    assert.match(report.message, /holds a\\u\{a\}\\u\{202e\}b and awaits a\\u/);
    assert.equal(String(report).match(/a\\u\{a\}\\u\{202e\}b is /g)?.length, 2);
});

test('debug: a request that waits for a guard of its own thread is reported once, after a second', async (t) => {
    const { reports } = watch(t, { throw: true });
    const [downgraded, upgraded] = [new RwLock(), new RwLock()];
    /** @type {Map<object, object>} */
    const modes = new Map([[upgraded, { mode: 'upgradable' }]]);
    for (const [at, lock] of [new Mutex(), new RwLock(), downgraded, upgraded].entries()) {
        const other = lock instanceof Mutex || lock === downgraded ? {} : SHARED;
        const guard = await lock.acquireAsync(modes.get(lock) ?? other);
        if (lock === upgraded) {
            await /** @type {import('../../js-glue/index.js').RwLockGuard} */ (guard).upgradeAsync();
        }
        if (lock === downgraded) {
            /** @type {import('../../js-glue/index.js').RwLockGuard} */ (guard).downgrade();
        }
        const begin = performance.now();
        const request = lock.execAsync(() => {});
        while (reports.length === at) {
            await within(sleep(10), 'a report', [lock]);
        }
        assert.ok(performance.now() - begin >= SUSPECTED_AFTER_MS - 1, 'not before it has lasted');
        await sleep(SUSPECTED_AFTER_MS / 2);
        assert.equal(reports.length, at + 1);
        assert.match(reports[at]?.message ?? '', /: a guard has held \w+ at \d+ for/);
        guard.release();
        await within(request, 'the request', [lock]);
        assertFree(lock);
    }
});

test('debug: a wait of recoverAsync() is reported once, although a request inside it waits too', async (t) => {
    const { reports } = watch(t);
    const mutex = new Mutex();
    const guard = await mutex.acquireAsync();
    const repair = mutex.recoverAsync(() => {});
    await aReport(reports);
    assert.match(only(reports).message, /: a guard has held \w+ at \d+ for/);
    guard.release();
    assert.equal(await within(repair, 'the repair', [mutex]), false);
    assertFree(mutex);
});

test('debug: released guards and a series of short sections do not count as long holders', async (t) => {
    const { reports } = watch(t);
    const mutex = new Mutex();
    (await mutex.acquireAsync()).release();
    const sections = Array.from({ length: 4 }, () => mutex.execAsync(() => sleep(SUSPECTED_AFTER_MS / 3)));
    await within(Promise.all(sections), 'the sections', [mutex]);
    assert.equal(reports.length, 0);
});

test('debug: if stacks do not name awaiting functions, a waiting section is reported after a second', async (t) => {
    hideAwaiters(t);
    const { reports } = watch(t, { throw: true });
    const mutex = new Mutex();
    const section = mutex.execAsync(async () => {
        await Promise.race([mutex.execAsync(() => {}), aReport(reports)]);
    });
    await sleep(SHORT_MS);
    assert.equal(reports.length, 0);
    await within(section, 'the section', [mutex]);
    const [member] = only(reports).members;
    assert.match(member?.heldFrom ?? '', /debug\.test\.js/);
    assert.match(member?.askedFrom ?? '', /debug\.test\.js/);
});

const PATCHED = [Mutex, RwLock, Object.getPrototypeOf(BinarySemaphore), Once, Guard];

/** All properties of the replaced classes. */
const methods = () => PATCHED.map(({ prototype }) => Object.getOwnPropertyDescriptors(prototype));

/** @param {Mutex} mutex */
async function waitForItself(mutex) {
    await assert.rejects(
        mutex.execAsync(async () => await mutex.execAsync(() => {}, { timeout: 5 })),
        isGivenUp,
    );
}

test('debug: several debug() calls each get reports, and may stop in any order', async () => {
    const before = methods();
    const mutex = new Mutex();
    /** @type {string[]} */
    const told = [];
    const stops = ['a', 'b', 'c'].map((name) => debug({ onReport: () => told.push(name) }));
    assert.notDeepEqual(methods(), before);
    await waitForItself(mutex);
    assert.deepEqual(told.splice(0), ['a', 'b', 'c']);
    stops[1]?.();
    stops[1]?.();
    await waitForItself(mutex);
    assert.deepEqual(told.splice(0), ['a', 'c']);
    stops[0]?.();
    await waitForItself(mutex);
    assert.deepEqual(told.splice(0), ['c']);
    stops[2]?.();
    assert.deepEqual(methods(), before);
    await waitForItself(mutex);
    assert.equal(told.length, 0);
    const stop = debug({ onReport: () => told.push('d') });
    await waitForItself(mutex);
    stop();
    assert.deepEqual(told, ['d']);
    assert.deepEqual(methods(), before);
});

test('debug: a request that is pending when debug() stops keeps waiting, and is not reported', async (t) => {
    const { reports, stop } = watch(t);
    const mutex = new Mutex();
    const guard = await mutex.acquireAsync();
    const request = mutex.execAsync(async () => await mutex.execAsync(() => {}, { timeout: 5 }));
    stop();
    await sleep(LOOKED_MS);
    guard.release();
    await assert.rejects(within(request, 'the request', [mutex]), isGivenUp);
    assert.equal(reports.length, 0);
    assertFree(mutex);
});

test('debug: a method that other code wraps after debug() stays wrapped, and is watched once', async (t) => {
    const { reports, stop } = watch(t);
    const watched = Mutex.prototype.execAsync;
    let calls = 0;
    /** @type {any} */ (Mutex.prototype).execAsync = function (/** @type {[any]} */ ...args) {
        calls += 1;
        return watched.apply(this, args);
    };
    stop();
    const mutex = new Mutex();
    await waitForItself(mutex);
    assert.equal(reports.length, 0);
    const again = watch(t);
    await waitForItself(mutex);
    only(again.reports);
    assert.equal(calls, 4);
    /** @type {any} */ (Mutex.prototype).execAsync = watched;
    again.stop();
});

test('debug: without a handler each report is printed to the console once', async (t) => {
    /** @type {string[]} */
    const warned = [];
    t.mock.method(console, 'warn', (/** @type {string} */ text) => warned.push(text));
    t.after(debug());
    t.after(debug({}));
    await waitForItself(new Mutex());
    assert.equal(warned.length, 1);
});

for (const order of ['before', 'after']) {
    test(`debug: works with a lock that is traced ${order} debug() begins`, async (t) => {
        const mutex = new Mutex();
        if (order === 'before') {
            t.after(trace(mutex));
        }
        const { reports, stop } = watch(t);
        if (order === 'after') {
            t.after(trace(mutex));
        }
        await waitForItself(mutex);
        assert.match(only(reports).message, /awaits Mutex/);
        stop();
        await waitForItself(mutex);
        only(reports);
        assertFree(mutex);
    });
}

test('debug: a subclass is watched as its class, with its own state', async (t) => {
    const { reports } = watch(t);
    class Counted extends Mutex {
        #calls = 0;
        /** @type {Mutex['execAsync']} */
        execAsync(callback, options) {
            this.#calls += 1;
            return super.execAsync(callback, options);
        }
        get calls() {
            return this.#calls;
        }
    }
    const lock = new Counted();
    await waitForItself(lock);
    assert.equal(lock.calls, 2);
    only(reports);
});

class OwnMutex extends Mutex {
    static KIND = 'OwnMutex';
}

class OwnRwLock extends RwLock {
    static KIND = 'OwnRwLock';
}

for (const Lock of [OwnMutex, OwnRwLock]) {
    test(`debug: a subclass with its own KIND is watched as its class: ${Lock.KIND}`, async (t) => {
        watch(t, { throw: true });
        const lock = new Lock();
        const section = lock.execAsync(
            async () => await Promise.race([lock.execAsync(() => {}), sleep(SHORT_MS)]),
        );
        await assert.rejects(within(section, 'the section', [lock]), {
            code: 'HF_DEADLOCK',
            message: /a section holds Own/,
        });
    });
}

test('debug: results, errors, arguments and contexts are the same as without debug()', async (t) => {
    watch(t);
    const mutex = new Mutex();
    const store = new AsyncLocalStorage();
    const guard = await mutex.acquireAsync();
    const asked = store.run('caller', () =>
        mutex.execAsync(async () => {
            await null;
            return store.getStore();
        }),
    );
    guard.release();
    assert.equal(await within(asked, 'the request', [mutex]), 'caller');
    assert.equal(Object.hasOwn(asked, 'constructor'), false);
    const own = new Error('of the callback');
    await assert.rejects(
        mutex.execAsync(() => Promise.reject(own)),
        own,
    );
    for (const none of /** @type {any[]} */ ([undefined, 7, {}])) {
        await assert.rejects(mutex.execAsync(none), { code: 'HF_BAD_CALLBACK' });
        await assert.rejects(mutex.recoverAsync(none), { code: 'HF_BAD_CALLBACK' });
    }
    await assert.rejects(mutex.acquireAsync(/** @type {any} */ (7)), { code: 'HF_BAD_OPTION' });
    await assert.rejects(new Proxy(mutex, {}).acquireAsync(), TypeError);
    await assert.rejects(
        mutex.execAsync(() => mutex.execAsync(() => {})),
        { code: 'HF_DEADLOCK', message: /returned a request/ },
    );
    assert.equal(await mutex.recoverAsync(() => {}), false);
    assertFree(mutex);
});

test('debug: a section that had to wait for its lock is reported at once, too', async (t) => {
    const { reports } = watch(t);
    const [one, other] = [new Mutex(), new Mutex()];
    const guard = await other.acquireAsync();
    const section = one.execAsync(
        async () => await other.execAsync(async () => await one.execAsync(() => {}, LIMIT)),
    );
    await sleep(5);
    guard.release();
    await assert.rejects(within(section, 'the section', [one, other]), isGivenUp);
    assert.equal(only(reports).members.length, 2);
});

test('debug: a guard whose lock other code has released does not count as a holder', async (t) => {
    const { reports } = watch(t);
    const lock = new RwLock();
    const guards = []; // a collected guard would be reported
    for (const end of [() => {}, (/** @type {Guard} */ guard) => assert.throws(() => guard.release())]) {
        const guard = lock.acquire();
        guards.push(guard);
        const { exports, self } = attachmentFor(lock);
        exports.rwlock_unlock(lock.byteOffset, self); // as another program's code might
        end(guard);
    }
    await sleep(SUSPECTED_AFTER_MS);
    const sections = [0, 1].map(() => lock.execAsync(() => sleep(LOOKED_MS - SUSPECTED_AFTER_MS)));
    await within(Promise.all(sections), 'the sections', [lock]);
    assert.deepEqual(reports.map(String), []);
    assert.deepEqual(
        guards.map(({ released }) => released),
        [false, true],
    );
});

test('debug: sections that run while an earlier section waits for a condition are not reported', async (t) => {
    const { reports } = watch(t);
    hideAwaiters(t);
    const [mutex, condition] = [new Mutex(), new Condition()];
    const suspended = mutex.execAsync(async () => await condition.waitAsync(mutex));
    await sleep(SUSPECTED_AFTER_MS);
    const sections = Array.from({ length: 5 }, () => mutex.execAsync(() => sleep(SUSPECTED_AFTER_MS / 3)));
    await within(Promise.all(sections), 'the sections', [mutex]);
    condition.notify();
    await within(suspended, 'the wait', [mutex]);
    assert.deepEqual(reports.map(String), []);
});

test('debug: methods keep their names and numbers of parameters', (t) => {
    watch(t);
    const { execAsync } = Mutex.prototype;
    assert.deepEqual([execAsync.name, execAsync.length], ['execAsync', 2]);
});

test("debug: stacks begin at the caller, whatever the format of the engine's stacks", async (t) => {
    const { originOf, stackOf } = await import(
        `${pathToFileURL(join(ROOT, 'js-glue', 'debug', 'origin.js')).href}?new`
    );
    const method = () => originOf(method);
    const { stackTraceLimit } = Error;
    t.after(() => Object.assign(Error, { stackTraceLimit }));
    Error.stackTraceLimit = 0;
    assert.equal(stackOf(method()), '');
    Error.stackTraceLimit = stackTraceLimit;
    assert.match(stackOf(method()), /^ +at .*debug\.test\.js/);
    assert.doesNotMatch(stackOf(method()), /\bmethod\b/);
    for (const heading of ['Error', 'Error:', 'Error: ']) {
        assert.equal(stackOf({ stack: `${heading}\n    at save` }), '    at save');
    }
});

test('debug: a guard of a freed lock does not count as a holder of the next lock at its address', async (t) => {
    const { reports } = watch(t);
    const space = new LockSpace();
    const freed = new Mutex({ space });
    const guard = freed.acquire();
    space.free(freed);
    const next = new Mutex({ space });
    assert.equal(next.byteOffset, freed.byteOffset);
    await waitForItself(next);
    assert.deepEqual(
        reports.map(({ code }) => code),
        ['HF_FREED', 'HF_DEADLOCK'],
    );
    await sleep(SUSPECTED_AFTER_MS / 2); // until a check has seen it
    assert.equal(holding.isEmpty, true);
    assert.throws(() => guard.release(), { code: 'HF_NOT_OWNER' });
    assertFree(next);
});

test('debug: a request for a lock that was freed meanwhile gets HF_FREED, and no report', async (t) => {
    const { reports } = watch(t);
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const section = mutex.execAsync(async () => {
        // Some are rejected at once, the others in a later turn.
        const others = Array.from({ length: 1000 }, () => mutex.execAsync(() => {}));
        void Promise.allSettled(others);
        const inner = mutex.execAsync(() => {});
        space.free(mutex);
        new Mutex({ space }).lock();
        await inner;
    });
    await assert.rejects(within(section, 'the section', [mutex]), { code: 'HF_FREED' });
    assert.deepEqual(
        reports.map(({ code }) => code),
        ['HF_FREED'],
    );
});

test('debug: sections of two copies of the package are distinguished', async (t) => {
    const outfile = join(ROOT, 'build', 'copies', 'debug.mjs');
    const contents = "export * from './js-glue/index.js'; export * from './js-glue/debug.js';";
    await build({ stdin: { contents, resolveDir: ROOT }, bundle: true, format: 'esm', outfile });
    // Both copies are new, so that their sections have the same number.
    const copies = await Promise.all(
        ['one', 'other'].map((name) => import(`${pathToFileURL(outfile).href}?${name}`)),
    );
    /** @type {Report[]} */
    const reports = [];
    for (const { debug: begin } of copies) {
        t.after(begin({ throw: true, onReport: (/** @type {Report} */ report) => reports.push(report) }));
    }
    const [one, other] = copies.map(({ Mutex: OfCopy }) => new OfCopy());
    const long = one.execAsync(() => sleep(20));
    const short = other.execAsync(async () => {
        await one.execAsync(() => {});
    });
    await within(Promise.all([long, short]), 'both sections', [one, other]);
    assert.equal(reports.length, 0);
});

test('debug: a thread without timers, such as an audio worklet, uses free locks', async (t) => {
    watch(t);
    t.after(replaceInEnvironment({ setTimeout: undefined, setInterval: undefined }));
    const mutex = new Mutex();
    mutex.acquire().release();
    assert.equal(await mutex.execAsync(() => 1), 1);
    assertFree(mutex);
});

test('debug: a recoverable semaphore throws the same errors as without debug()', async (t) => {
    watch(t);
    const semaphore = new RecoverableSemaphore({ space: new LockSpace(), max: 2 });
    const all = { permits: 2 };
    const nested = semaphore.execAsync(() => semaphore.execAsync(() => {}), all);
    await assert.rejects(within(nested, 'the section', [semaphore]), { code: 'HF_DEADLOCK' });
    await within(
        semaphore.execAsync(() => semaphore.execAsync(() => {})),
        'one beside another',
        [semaphore],
    );
});

test('debug: a guard acquired after debug() stopped is not listed when debug() starts again', async (t) => {
    const mutex = new Mutex();
    const { stop } = watch(t);
    const guard = await mutex.acquireAsync();
    const late = mutex.acquireAsync();
    stop();
    guard.release();
    (await within(late, 'the guard', [mutex])).release();
    const { reports } = watch(t);
    const section = mutex.execAsync(async () => await mutex.execAsync(() => {}, LIMIT));
    await assert.rejects(within(section, 'the section', [mutex]), isGivenUp);
    only(reports);
});

test('debug: work that a section has started does not keep the ended section in memory', async (t) => {
    const collectGarbage = garbageCollector();
    watch(t);
    const mutex = new Mutex();
    const heap = () => {
        collectGarbage();
        return process.memoryUsage().heapUsed;
    };
    const SECTIONS = 4000;
    /** @type {number[]} kept alive, so that it shows whether the chain of calls is kept too */
    const bytes = [];
    await new Promise((resolve) => {
        let count = 0;
        const next = () => {
            void mutex.execAsync(async () => {
                await undefined;
                count += 1;
                if (count % SECTIONS === 0) {
                    bytes.push(heap());
                }
                (count < 2 * SECTIONS ? next : resolve)(undefined);
            });
        };
        next();
    });
    const [first = NaN, second = NaN] = bytes;
    // A defect once kept 2,000 bytes a section.
    assert.ok(second - first < 500 * SECTIONS, `${second - first} bytes for ${SECTIONS} sections`);
});

test('debug: a dropped guard of a semaphore is not reported if its permits were released', async (t) => {
    const collectGarbage = garbageCollector();
    const { reports } = watch(t);
    const [released, dropped] = [new CountingSemaphore({ max: 3 }), new CountingSemaphore({ max: 1 })];
    const use = () => {
        released.acquire();
        released.acquire({ permits: 2 });
        released.release(3);
        dropped.acquire();
    };
    use();
    for (let rounds = 0; rounds < 100 && reports.length === 0; rounds += 1) {
        await sleep(1);
        collectGarbage();
    }
    await sleep(1);
    assert.deepEqual(
        reports.map((/** @type {any} */ { code, lock }) => [code, lock.byteOffset]),
        [['HF_GUARD_LOST', dropped.byteOffset]],
    );
});

test('debug: invalid options are refused', () => {
    const before = methods();
    for (const options of /** @type {any[]} */ ([7, null, { onReport: 7 }, { throw: 'ignore' }])) {
        assert.throws(() => debug(options), { code: 'HF_BAD_OPTION' });
    }
    assert.deepEqual(methods(), before);
});

test("debug: an error of a wait has the stack of its call, and the holder's call as cause", async (t) => {
    watch(t);
    const mutex = new Mutex();
    const take = () => mutex.acquireAsync();
    async function asksForMutex() {
        await mutex.execAsync(() => {}, { timeout: 1 });
    }
    async function asksForEvent() {
        await new Event().waitAsync({ timeout: 1 });
    }
    const guard = await take();
    const late = /** @type {Error} */ (await reasonOf(asksForMutex()));
    assert.match(String(late.stack), /^TimeoutError: Timed out .*\n\s+at asksForMutex .*debug\.test\.js/);
    assert.match(String(late.cause), /^Error: Mutex at \d+ was taken by acquireAsync\(\)\.$/);
    assert.match(String(/** @type {Error} */ (late.cause).stack), /\n\s+at take .*debug\.test\.js/);
    async function triesMutex() {
        await mutex.acquireAsync({ timeout: 0 });
    }
    async function isLateForMutex() {
        await mutex.acquireAsync({ deadline: 0 });
    }
    async function locksMutex() {
        mutex.lock();
    }
    for (const fails of [triesMutex, isLateForMutex, locksMutex]) {
        const error = /** @type {Error} */ (await reasonOf(fails()));
        assert.match(String(error.stack), /\n\s+at (?:tries|isLateFor|locks)Mutex .*debug\.test\.js/);
        assert.match(String(error.cause), /^Error: Mutex at \d+ was taken by acquireAsync\(\)\.$/);
    }
    async function awaitsCondition() {
        await new Condition().waitAsync(mutex, { deadline: deadlineIn(1) });
    }
    const unmet = /** @type {Error} */ (await reasonOf(awaitsCondition()));
    assert.match(String(unmet.stack), /^TimeoutError: Timed out .*\n\s+at awaitsCondition .*debug\.test\.js/);
    guard.release();
    const event = /** @type {Error} */ (await reasonOf(asksForEvent()));
    assert.match(String(event.stack), /^TimeoutError: Timed out .*\n\s+at asksForEvent .*debug\.test\.js/);
    const own = new Error('of the callback');
    const held = await take();
    const fails = reasonOf(
        mutex.execAsync(() => {
            throw own;
        }),
    );
    held.release();
    assert.equal(await fails, own);
    assert.equal(own.cause, undefined);
});
