/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { BinarySemaphore, Condition, CountingSemaphore, LockSpace, Mutex, RwLock } from 'holdfast';
import { Answerer, Caller, Channel } from 'holdfast/channel';
import { RING_BYTES } from './arena.js';

/**
 * @typedef {import('./contestants.js').Contestant} Contestant
 * @typedef {import('./jobs/messages.js').Messenger} Messenger
 */

/** The permits of a semaphore: with fewer it would be a mutex. */
export const PERMITS = 2;

const title = 'holdfast';

/** @type {Contestant} */
export const holdfast = {
    title,
    open: ({ memory, lock }) => Mutex.at(memory, lock),
};

/** @param {BinarySemaphore | CountingSemaphore} semaphore @returns {import('./contestants.js').Lock} */
function asLock(semaphore) {
    return {
        lock: () => semaphore.enter(),
        unlock: () => semaphore.leave(),
        execAsync: (callback, options) => semaphore.execAsync(callback, options),
    };
}

/** @type {Contestant} */
export const binarySemaphore = {
    title,
    open: ({ memory, lock }) => asLock(BinarySemaphore.at(memory, lock)),
};

/** @type {Contestant} */
export const semaphore = {
    title,
    prepare: ({ memory, lock }) => CountingSemaphore.at(memory, lock, { max: PERMITS }),
    open: ({ memory, lock }) => asLock(CountingSemaphore.at(memory, lock)),
};

/** @type {Contestant} */
export const rwLock = {
    title,
    open: ({ memory, lock }) => RwLock.at(memory, lock),
};

/** @type {Contestant} */
export const condition = {
    title,
    open({ memory, lock, condition }) {
        const mutex = Mutex.at(memory, lock);
        const changed = Condition.at(memory, condition);
        /** @type {Awaited<ReturnType<typeof mutex.acquireAsync>>} */
        let guard;
        return {
            lock: () => mutex.lock(),
            unlock: () => mutex.unlock(),
            wait: () => changed.wait(mutex),
            notify: () => changed.notify(),
            lockAsync: async () => void (guard = await mutex.acquireAsync()),
            unlockAsync: () => guard.release(),
            waitAsync: () => changed.waitAsync(mutex),
        };
    },
};

/** @type {Messenger} */
export const channel = {
    title: 'a call each',
    make: () => new Channel({ space: new LockSpace({ pages: 5 }), bytes: RING_BYTES }).handle,
    sender({ shared, blocks }) {
        const channel = Channel.from(shared);
        return blocks
            ? (bytes) => channel.send(bytes)
            : (bytes) => channel.trySend(bytes) || channel.sendAsync(bytes);
    },
    async receive({ shared, blocks }, take) {
        const channel = Channel.from(shared);
        if (blocks) {
            while (!take(/** @type {Uint8Array} */ (channel.receive()))) {
                /* the next one */
            }
            return;
        }
        for await (const bytes of channel) {
            if (take(bytes)) {
                return;
            }
        }
    },
};

/** @type {Messenger} */
export const channelBatches = {
    ...channel,
    title: 'in batches',
    batches: 'many',
    sender({ shared, blocks }) {
        const channel = Channel.from(shared);
        return blocks
            ? (messages) => channel.sendMany(messages)
            : async (messages) => {
                  for (let sent = channel.trySendMany(messages); sent < messages.length;) {
                      await channel.sendAsync(messages[sent]);
                      sent += 1;
                      sent += channel.trySendMany(messages.slice(sent));
                  }
              };
    },
    async receive({ shared, blocks }, take) {
        const channel = Channel.from(shared);
        for (let isOver = false; !isOver;) {
            const messages = blocks ? channel.receiveMany() : await channel.receiveManyAsync();
            isOver = messages?.some((bytes) => take(bytes)) ?? true;
        }
    },
};

/** @type {Messenger} */
export const channelInPlace = {
    ...channel,
    title: 'read in place',
    async receive({ shared, blocks }, take) {
        const channel = Channel.from(shared);
        const use = (/** @type {Uint8Array} */ bytes) => take(bytes);
        for (let isOver = false; !isOver;) {
            const isLast = blocks
                ? channel.receiveInPlace(use)
                : (channel.tryReceiveInPlace(use) ?? (await channel.receiveInPlaceAsync(use)));
            isOver = isLast !== false;
        }
    },
};

/** As the ring of ringbuf.js gets them: a batch is one message. @type {Messenger} */
export const channelJoined = {
    ...channelInPlace,
    title: 'joined by the program',
    batches: 'joined',
    receive: (end, take) =>
        channelInPlace.receive(end, (bytes) => {
            let isOver = false;
            for (let offset = 0; offset < bytes.length && !isOver; offset += end.size) {
                isOver = take(bytes, offset);
            }
            return isOver;
        }),
};

/** @type {import('./jobs/messages.js').Caller} */
export const calls = {
    title,
    make: () => new Answerer({ space: new LockSpace({ pages: 16 }) }).handle,
    caller({ shared }) {
        const caller = Caller.from(shared);
        return (bytes) => caller.call(bytes);
    },
    answer({ shared }) {
        const answerer = Answerer.from(shared);
        const answer = async () => {
            for await (const request of answerer) {
                request.answer(request.bytes);
            }
        };
        void answer();
        return () => answerer.close();
    },
};
