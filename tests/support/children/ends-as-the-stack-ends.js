/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    LockSpace,
    Mutex,
    RwLock,
} from '../../../js-glue/index.js';
import { nearTheEnd } from '../stack.js';

/* Ends requests, by a signal and by free(), with less and less of the stack left. Then each is settled, those without a signal, too.
 * What the end throws where it lacks stack is no matter. */

const REQUESTS = 6;
const LAST_FRAMES = 40;
const PADDINGS = 6;
const USES_BEFORE = 30;
const LATE_MS = 1000;

process.on('uncaughtException', () => {});

const space = new LockSpace({ pages: 4 });

/**
 * @typedef {object} Case
 * @property {Promise<unknown>[]} requests
 * @property {() => void} end
 * @property {() => void} serve those that have not ended
 */

/**
 * @param {(options: { signal?: AbortSignal }) => Promise<unknown>} ask
 * @param {() => unknown} serve
 * @returns {Case} half of the requests are aborted
 */
function aborted(ask, serve) {
    const controller = new AbortController();
    const { signal } = controller;
    const requests = Array.from({ length: REQUESTS }, (_, index) => ask(index % 2 === 0 ? {} : { signal }));
    return { requests, end: () => controller.abort(), serve: () => (controller.abort(), serve()) };
}

/**
 * @param {{ byteOffset: number, memory: WebAssembly.Memory }} lock
 * @param {Case} rest
 * @returns {Case}
 */
function freed(lock, { requests }) {
    return {
        requests,
        end: () => space.free(lock),
        serve() {
            try {
                space.free(lock);
            } catch {
                // It was freed.
            }
        },
    };
}

function forMutex() {
    const mutex = new Mutex({ space });
    const guard = mutex.acquire();
    const ask = (/** @type {{}} */ options) => mutex.executeLocked(() => {}, options);
    return { lock: mutex, ...aborted(ask, () => guard.release()) };
}

function forCondition() {
    const [mutex, condition] = [new Mutex({ space }), new Condition({ space })];
    const ask = (/** @type {{}} */ options) => mutex.executeLocked(() => condition.waitAsync(mutex, options));
    return { lock: condition, ...aborted(ask, () => condition.notify()) };
}

/** @type {Record<string, () => Case>} */
const CASES = {
    'mutex, aborted': forMutex,
    'mutex, freed'() {
        const { lock, ...rest } = forMutex();
        return freed(lock, rest);
    },
    'condition, aborted': forCondition,
    'condition, freed'() {
        const { lock, ...rest } = forCondition();
        return freed(lock, rest);
    },
    'rwlock, aborted'() {
        const lock = new RwLock({ space });
        const guard = lock.acquire();
        let asked = 0;
        const mode = () => ((asked += 1) % 3 === 0 ? 'exclusive' : 'shared');
        return aborted(
            (options) => lock.executeLocked(() => {}, { mode: mode(), ...options }),
            () => guard.release(),
        );
    },
    'semaphore, aborted'() {
        const semaphore = new CountingSemaphore({ space, initial: 1, max: 1 });
        const guard = semaphore.acquire();
        return aborted(
            (options) => semaphore.execAsync(() => {}, options),
            () => guard.release(),
        );
    },
    'event, aborted'() {
        const event = new Event({ space });
        return aborted(
            (options) => event.waitAsync(options),
            () => event.set(),
        );
    },
    'latch, aborted'() {
        const latch = new Latch({ space, count: 1 });
        return aborted(
            (options) => latch.waitAsync(options),
            () => latch.countDown(),
        );
    },
};

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/**
 * @param {() => Case} make
 * @param {(end: () => void) => void} call
 * @returns {Promise<number>} how many requests are pending
 */
async function pendingAfter(make, call) {
    const { requests, end, serve } = make();
    let pending = requests.length;
    const all = Promise.all(
        requests.map((request) =>
            request.then(
                () => (pending -= 1),
                () => (pending -= 1),
            ),
        ),
    );
    await turn();
    call(end);
    await turn();
    serve();
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, LATE_MS))]);
    return pending;
}

for (const [title, make] of Object.entries(CASES)) {
    for (let use = 0; use < USES_BEFORE; use += 1) {
        await pendingAfter(make, (end) => end());
    }
    let pending = 0;
    for (let padded = 0; padded < PADDINGS; padded += 1) {
        for (let frames = 0; frames < LAST_FRAMES; frames += 1) {
            const padding = new Array(padded).fill(0);
            pending += await pendingAfter(make, (end) => nearTheEnd(frames, end, padding));
        }
    }
    console.log(`${title}: ${pending} pending`);
}
