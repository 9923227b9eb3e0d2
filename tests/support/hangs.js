/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { blockUntilReached, reach } from './board.js';

/* Programs that hang, each in a different way. A program is a list of functions, one for each thread. A
 * function gets a Stage. */

/**
 * @typedef {object} Stage what a thread of a program gets
 * @property {any} classes of `holdfast`
 * @property {Record<string, any>} shared
 * @property {(threads: number) => void} meet blocks until that number of threads has called it
 * @property {(milliseconds: number) => Promise<void>} sleep
 * @property {() => void} collect collects garbage
 * @property {() => void} die ends the thread
 *
 * @typedef {object} Hang
 * @property {string} name
 * @property {(classes: any) => Record<string, any>} share makes what its threads share
 * @property {((stage: any) => unknown)[]} threads
 * @property {string} [without] the code of the error without debug(); absent: no error
 * @property {boolean} [ends] whether it ends without debug(), and hides its mistake
 * @property {string} code of the first report with debug()
 * @property {RegExp} says the text of that report
 * @property {RegExp} [from] a function of the program that is in the report's stacks
 */

/** Runs one thread of a program. @param {Hang} hang @param {Omit<Stage, 'meet'>} stage @param {number} at @param {Int32Array} board */
export async function play(hang, stage, at, board) {
    let met = 0;
    const meet = (/** @type {number} */ threads) => {
        reach(board, met);
        blockUntilReached(board, met, threads);
        met += 1;
    };
    const run = hang.threads[at];
    await run?.({ ...stage, meet });
}

/** @param {any} classes */
const twoMutexes = ({ Mutex }) => ({ orders: new Mutex(), stock: new Mutex() });

/** @type {Hang[]} */
export const HANGS = [
    {
        name: 'two mutexes, posted as handles and taken in opposite order',
        share: twoMutexes,
        threads: [
            function sells({ shared: { orders, stock }, meet }) {
                orders.lock();
                meet(2);
                stock.lock();
            },
            function counts({ shared: { orders, stock }, meet }) {
                stock.lock();
                meet(2);
                orders.lock();
            },
        ],
        code: 'HF_DEADLOCK',
        says: /^Deadlock: worker \d+ holds Mutex at \d+ and waits for Mutex at \d+; worker \d+ holds/,
        from: /(took[^]*?at sells[^]*took[^]*?at counts|took[^]*?at counts[^]*took[^]*?at sells)/,
    },
    {
        name: 'two named mutexes in two spaces, taken in opposite order',
        share: ({ LockSpace, Mutex }) => ({
            orders: new Mutex({ space: new LockSpace(), name: 'orders' }),
            stock: new Mutex({ space: new LockSpace(), name: 'stock' }),
        }),
        threads: [
            function sells({ shared: { orders, stock }, meet }) {
                orders.lock();
                stock.tryLock();
                stock.unlock();
                meet(2);
                meet(2);
                stock.lock();
            },
            function counts({ shared: { orders, stock }, meet }) {
                meet(2);
                stock.lock();
                meet(2);
                orders.lock();
            },
        ],
        code: 'HF_DEADLOCK',
        says: /^Deadlock: worker \d+ holds (orders|stock) and waits for (orders|stock); worker \d+ holds/,
        from: /at sells[^]*at counts|at counts[^]*at sells/,
    },
    {
        name: 'three threads',
        share: ({ Mutex }) => ({ a: new Mutex(), b: new Mutex(), c: new Mutex() }),
        threads: [
            ['a', 'b'],
            ['b', 'c'],
            ['c', 'a'],
        ].map(
            ([first = '', second = '']) =>
                function turns({ shared, meet }) {
                    shared[first].lock();
                    meet(3);
                    shared[second].lock();
                },
        ),
        code: 'HF_DEADLOCK',
        says: /^Deadlock: (worker \d+ holds Mutex at \d+ and waits for Mutex at \d+(; |\.)){3}/,
        from: /at turns/,
    },
    {
        name: 'an event loop and a worker that blocks',
        share: twoMutexes,
        threads: [
            async function page({ shared: { orders, stock }, meet }) {
                await orders.execAsync(async function sells() {
                    meet(2);
                    await stock.execAsync(() => {});
                });
            },
            function counts({ shared: { orders, stock }, meet }) {
                stock.exec(() => {
                    meet(2);
                    orders.lock();
                });
            },
        ],
        code: 'HF_DEADLOCK',
        says: /^Perhaps a deadlock: worker \d+ holds/,
        from: /at counts/,
    },
    {
        name: 'a section within a section of the same lock',
        share: ({ Mutex }) => ({ mutex: new Mutex() }),
        threads: [
            async function outer({ shared: { mutex } }) {
                await mutex.execAsync(async function inner() {
                    await mutex.execAsync(() => {});
                });
            },
        ],
        code: 'HF_DEADLOCK',
        says: /^Perhaps a deadlock in worker \d+: a section holds Mutex at \d+ and awaits Mutex at/,
        from: /at (async )?inner/,
    },
    {
        name: 'a reader that reads again behind a writer',
        share: ({ RwLock }) => ({ lock: new RwLock() }),
        threads: [
            async function reads({ shared: { lock } }) {
                await lock.execAsync(
                    async function readsAgain() {
                        void lock.execAsync(() => {});
                        await lock.execAsync(() => {}, { mode: 'shared' });
                    },
                    { mode: 'shared' },
                );
            },
        ],
        code: 'HF_DEADLOCK',
        says: /^Perhaps a deadlock in worker \d+: a section holds RwLock at \d+ and awaits RwLock/,
        from: /readsAgain/,
    },
    {
        name: 'lock() across an await, and a request of the same thread',
        share: ({ Mutex }) => ({ mutex: new Mutex() }),
        threads: [
            async function locks({ shared: { mutex } }) {
                mutex.lock();
                await mutex.execAsync(() => {});
            },
        ],
        code: 'HF_LONG_WAIT',
        says: /^worker \d+ has waited for Mutex at \d+ for \d\.\d s, held by worker \d+/,
        from: /taken at[^]*at locks[^]*asked for at[^]*at locks/,
    },
    {
        name: 'a guard that nobody releases, and that is collected',
        share: ({ Mutex }) => ({ mutex: new Mutex() }),
        threads: [
            async function forgets({ shared: { mutex }, sleep, collect }) {
                mutex.acquire();
                await sleep(10);
                collect();
                await sleep(10);
                collect();
                await mutex.execAsync(() => {});
            },
        ],
        code: 'HF_GUARD_LOST',
        says: /^worker \d+ has dropped a guard of Mutex at \d+ without release\(\): the lock stays held/,
        from: /at forgets/,
    },
    {
        name: 'a holder that has died',
        share: ({ Mutex }) => ({ mutex: new Mutex() }),
        threads: [
            function dies({ shared: { mutex }, meet, die }) {
                mutex.lock();
                meet(2);
                die();
            },
            function waits({ shared: { mutex }, meet }) {
                meet(2);
                mutex.lock();
            },
        ],
        without: 'HF_ABANDONED',
        code: 'HF_ABANDONED',
        says: /^Mutex at \d+ is abandoned: worker \d+ died holding it/,
    },
    {
        name: 'a semaphore of one permit, entered twice',
        share: ({ BinarySemaphore }) => ({ seat: new BinarySemaphore() }),
        threads: [
            function sits({ shared: { seat } }) {
                seat.enter();
                seat.enter();
            },
        ],
        code: 'HF_LONG_WAIT',
        says: /^worker \d+ has waited for \w*Semaphore at \d+ for \d\.\d s/,
        from: /at sits/,
    },
    {
        name: 'a condition that nobody notifies',
        share: ({ Condition, Mutex }) => ({ mutex: new Mutex(), condition: new Condition() }),
        threads: [
            function waits({ shared: { mutex, condition } }) {
                mutex.lock();
                condition.wait(mutex);
            },
        ],
        code: 'HF_LONG_WAIT',
        says: /^worker \d+ has waited for Condition at \d+ for \d\.\d s/,
        from: /at waits/,
    },
    {
        name: 'a barrier at which one party never arrives',
        share: ({ Barrier }) => ({ barrier: new Barrier({ parties: 3 }) }),
        threads: [0, 1].map(
            () =>
                function arrives({ shared: { barrier } }) {
                    barrier.arriveAndWait();
                },
        ),
        code: 'HF_LONG_WAIT',
        says: /^worker \d+ has waited for Barrier at \d+ for \d\.\d s/,
        from: /at arrives/,
    },
    {
        name: 'a Once whose callback runs it again',
        share: ({ Once }) => ({ once: new Once() }),
        threads: [
            function runs({ shared: { once } }) {
                once.run(() => once.run(() => {}));
            },
        ],
        without: 'HF_DEADLOCK',
        code: 'HF_DEADLOCK',
        says: /already runs/,
    },
    {
        name: 'a thread that blocks for a worker that never comes',
        share: ({ Latch }) => ({ started: new Latch({ count: 1 }) }),
        threads: [
            function starts({ shared: { started } }) {
                started.wait();
            },
        ],
        code: 'HF_LONG_WAIT',
        says: /^worker \d+ has waited for Latch at \d+ for \d\.\d s/,
        from: /at starts/,
    },
    {
        name: 'C and JavaScript in one thread',
        share: ({ Mutex }) => ({ mutex: new Mutex() }),
        threads: [
            function mixes({ shared: { mutex } }) {
                const IDENTITY_OF_C = 7;
                new Int32Array(mutex.memory.buffer)[mutex.byteOffset / 4] = IDENTITY_OF_C;
                mutex.lock();
            },
        ],
        code: 'HF_LONG_WAIT',
        says: /^worker \d+ has waited for Mutex at \d+ for \d\.\d s, held by a thread of C/,
        from: /at mixes/,
    },
    {
        name: 'an answer that never comes, since its message was lost',
        share: ({ Event }) => ({ answered: new Event() }),
        threads: [
            async function asks({ shared: { answered } }) {
                await answered.waitAsync();
            },
        ],
        code: 'HF_LONG_WAIT',
        says: /^worker \d+ has waited for Event at \d+ for \d\.\d s/,
    },
    {
        name: 'a promise that never settles, in a section',
        share: ({ Mutex }) => ({ mutex: new Mutex() }),
        threads: [
            async function awaits({ shared: { mutex } }) {
                setInterval(() => {}, 1000);
                await mutex.execAsync(() => new Promise(() => {}));
            },
        ],
        code: 'HF_LONG_HOLD',
        says: /^worker \d+ has held Mutex at \d+ for \d\.\d s, by execAsync\(\)/,
        from: /at awaits/,
    },
    {
        name: 'a lock that is freed while a thread waits for it',
        share: ({ LockSpace, Mutex }) => {
            const space = new LockSpace();
            return { space, mutex: new Mutex({ space, name: 'orders' }) };
        },
        threads: [
            async function frees({ shared: { space, mutex }, meet, sleep }) {
                mutex.lock();
                meet(2);
                await sleep(300);
                space.free(mutex);
            },
            function waits({ shared: { mutex }, meet }) {
                meet(2);
                mutex.lock();
            },
        ],
        ends: true,
        code: 'HF_FREED',
        says: /^worker \d+ frees Mutex 'orders', which is held by worker \d+/,
        from: /at frees/,
    },
    {
        name: 'a thread that is busy for ever in its section',
        share: ({ Mutex }) => ({ mutex: new Mutex() }),
        threads: [
            function computes({ shared: { mutex }, meet }) {
                mutex.exec(() => {
                    meet(2);
                    for (;;) {
                        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
                    }
                });
            },
            async function waits({ shared: { mutex }, meet }) {
                meet(2);
                await mutex.execAsync(() => {});
            },
        ],
        code: 'HF_LONG_WAIT',
        says: /^worker \d+ has waited for Mutex at \d+ for \d\.\d s, held by worker \d+ for \d\.\d s/,
        from: /at waits/,
    },
    {
        name: 'a section that dispatches an event, whose listener asks for the lock',
        share: ({ Mutex }) => ({ mutex: new Mutex() }),
        threads: [
            async function dispatches({ shared: { mutex } }) {
                const target = new EventTarget();
                /** @type {Promise<unknown> | undefined} */
                let answer;
                target.addEventListener('change', function listens() {
                    answer = mutex.execAsync(() => {});
                });
                await mutex.execAsync(async () => {
                    target.dispatchEvent(new globalThis.Event('change'));
                    await answer;
                });
            },
        ],
        code: 'HF_DEADLOCK',
        says: /^Perhaps a deadlock in worker \d+: a section holds Mutex at \d+ and awaits Mutex/,
        from: /at EventTarget\.listens/,
    },
];
