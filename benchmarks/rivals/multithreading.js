/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { availableParallelism } from 'node:os';
import { PERMITS } from '../holdfast.js';

// The package reads navigator when it is loaded, and Node has navigator only from version 21 on.
if (globalThis.navigator === undefined) {
    Object.assign(globalThis, { navigator: { hardwareConcurrency: availableParallelism() } });
}
/* Each class is made from a buffer of shared memory, as when it arrives in a thread of the package's pool. The pool
 * itself is not used: it ends a task when its function returns, and these threads go on. */
const { channel, Condvar, Mutex, Receiver, RwLock, Semaphore, Sender } = /** @type {any} */ (
    await import('multithreading')
);

/** @typedef {import('../contestants.js').Contestant} Contestant */

const title = 'multithreading';

/**
 * Uses both of its ways to lock; each gives a guard.
 * @param {() => Guard} take @param {() => Promise<Guard>} takeAsync
 * @returns {Required<Pick<import('../contestants.js').Lock, 'lock' | 'unlock' | 'execAsync'>>}
 */
function asLock(take, takeAsync) {
    /** @type {Guard | undefined} */
    let guard;
    return {
        lock() {
            guard = take();
        },
        unlock() {
            guard?.dispose();
        },
        async execAsync(callback) {
            const own = await takeAsync();
            try {
                return await callback();
            } finally {
                own.dispose();
            }
        },
    };
}

/** @typedef {{ dispose(): void }} Guard */

/** https://www.npmjs.com/package/multithreading @type {Contestant} */
export const multithreading = {
    title,
    open({ words }) {
        const mutex = new Mutex(undefined, words);
        return asLock(
            () => mutex.blockingLock(),
            () => mutex.lock(),
        );
    },
};

/** @type {Contestant} */
export const multithreadingSemaphore = {
    title,
    prepare: ({ words }) => new Int32Array(words).fill(PERMITS, 0, 1),
    open({ words }) {
        const semaphore = new Semaphore(0, words);
        return asLock(
            () => semaphore.blockingAcquire(),
            () => semaphore.acquire(),
        );
    },
};

/** @type {Contestant} */
export const multithreadingRwLock = {
    title,
    open({ words }) {
        const lock = new RwLock(undefined, words);
        const { lock: lockShared, unlock: unlockShared } = asLock(
            () => lock.blockingRead(),
            () => lock.read(),
        );
        const exclusive = asLock(
            () => lock.blockingWrite(),
            () => lock.write(),
        );
        return { ...exclusive, lockShared, unlockShared };
    },
};

/** @type {Contestant} */
export const multithreadingCondition = {
    title,
    open({ words, moreWords }) {
        const mutex = new Mutex(undefined, words);
        const changed = new Condvar(moreWords);
        /** @type {Guard} */
        let guard;
        return {
            lock: () => void (guard = mutex.blockingLock()),
            unlock: () => guard.dispose(),
            wait: () => changed.blockingWait(guard),
            notify: () => changed.notifyAll(),
            lockAsync: async () => void (guard = await mutex.lock()),
            unlockAsync: () => guard.dispose(),
            waitAsync: () => changed.wait(guard),
        };
    },
};

/** A symbol of its classes by which they are posted. @param {any} owner @param {string} description */
function symbolOf(owner, description) {
    return Object.getOwnPropertySymbols(owner).find((symbol) => symbol.description === description) ?? '';
}

/**
 * Messages are values of JSON; a number is the smallest. Only for one sender, between workers.
 * @type {import('../jobs/messages.js').Messenger}
 */
export const multithreadingChannel = {
    title,
    make() {
        const [sender] = channel();
        return sender[symbolOf(Object.getPrototypeOf(Sender.prototype), 'Thread.Serialize')]()[0];
    },
    sender({ shared }) {
        const sender = Sender[symbolOf(Sender, 'Thread.Deserialize')](shared);
        return (bytes) => sender.blockingSend(new Uint32Array(bytes.buffer)[0]);
    },
    async receive({ shared }, take) {
        const receiver = Receiver[symbolOf(Receiver, 'Thread.Deserialize')](shared);
        const number = new Uint32Array(4);
        const bytes = new Uint8Array(number.buffer);
        do {
            number[0] = receiver.blockingRecv().value;
        } while (!take(bytes));
    },
};
