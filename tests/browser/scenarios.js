/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    Condition,
    CountingSemaphore,
    Event,
    LockSpace,
    Mutex,
    stateOf,
    support,
    TimeoutError,
} from '../../js-glue/index.js';
import { askAmong } from './ask-among.js';
import { nextFrame, startWorker, until, within } from './page-threads.js';
import { HELD, Shared, STOP } from './shared-words.js';

export { waitsOnUsedMemory } from './used-memory.js';

/* Runs on the page. Each scenario returns plain data; page.test.js judges it. */

/** @param {() => unknown} action */
function errorOf(action) {
    try {
        action();
    } catch (error) {
        const { name, code, message } = /** @type {Error & { code?: string }} */ (error);
        return { name, code, message };
    }
    return undefined;
}

/** The page asks once a frame while two workers hammer. @param {number} frames */
export async function pageAmongWorkers(frames) {
    const shared = Shared.create();
    const workers = [await startWorker(shared, 'hammer', 0), await startWorker(shared, 'hammer', 1)];
    return askAmong(shared, workers, 2, frames);
}

/** The page asks once a frame while a worker and its two nested workers hammer. @param {number} frames */
export async function pageAmongNestedWorkers(frames) {
    const shared = Shared.create();
    return askAmong(shared, [await startWorker(shared, 'parent')], 3, frames);
}

/** Frames continue while a request of the page waits for a worker that holds the lock. */
export async function framesWhileWaiting() {
    const shared = Shared.create();
    const holder = await startWorker(shared, 'holder');
    await until(shared, 'the holder holds', () => shared.read(HELD) === 1);
    let answered = false;
    const answer = shared.mutex.execAsync(() => (answered = true));
    let frames = 0;
    const tenFrames = async () => {
        for (; frames < 10; frames += 1) {
            await nextFrame();
        }
    };
    await within(shared, 'ten frames', tenFrames());
    const answeredEarly = answered;
    shared.publish(STOP, 1);
    await within(shared, 'the request is answered', answer);
    await holder.ended();
    return { frames, answeredEarly, answered, lockWords: shared.lockWords() };
}

/** A worker counts in the page's data, and sets the event whose signal the page listens to: both by name. */
export async function dataAndSignal() {
    const shared = Shared.create();
    const space = LockSpace.attach(shared.mutex.memory);
    const counter = space.named('counter', Int32Array, 1);
    const stop = Event.named(space, 'stop');
    const { signal } = stop;
    const isAborted = signal.aborted;
    const aborts = new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve(signal.reason.name)),
    );
    const worker = await startWorker(shared, 'stopper');
    const reason = await within(shared, 'the stop', aborts);
    await worker.ended();
    const isSame = stop.signal === signal;
    return { isAborted, reason, isSame, count: counter[0], state: stateOf(shared.mutex) };
}

/** A loop that starves frames and timers ends after this many calls: some hundred milliseconds. */
const MOST_CALLS = 2_000_000;

/** Frames and timers continue while a loop awaits one free lock after another. */
export async function framesBesideFreeLocks() {
    const mutex = new Mutex();
    const seats = new CountingSemaphore({ max: 2 });
    const calls = {
        execAsync: () => mutex.execAsync(() => {}),
        acquireAsync: async () => (await mutex.acquireAsync()).release(),
        enterAsync: async () => {
            await seats.enterAsync();
            seats.leave();
        },
    };
    /** @type {Record<string, { frames: number, timers: number }>} */
    const seen = {};
    for (const [name, call] of Object.entries(calls)) {
        const turns = { frames: 0, timers: 0 };
        const countFrames = async () => {
            for (; turns.frames < 3; turns.frames += 1) {
                await nextFrame();
            }
        };
        const frames = countFrames();
        setTimeout(() => (turns.timers += 1), 1);
        for (let made = 0; made < MOST_CALLS && (turns.frames < 3 || turns.timers < 1); made += 1) {
            await call();
        }
        seen[name] = { ...turns };
        await frames;
    }
    return seen;
}

/** Blocking calls, with a free lock and with a lock that a worker holds. */
export async function blockingOnThePage() {
    const shared = Shared.create();
    const attempt = () => {
        const before = shared.lockWords();
        const errors = [
            errorOf(() => shared.mutex.lock()),
            errorOf(() => shared.mutex.tryLock(5)),
            errorOf(() => shared.mutex.acquire()),
            errorOf(() => shared.mutex.exec(() => {})),
        ];
        return { errors, before, after: shared.lockWords() };
    };
    const free = attempt();
    const holder = await startWorker(shared, 'holder');
    await until(shared, 'the holder holds', () => shared.read(HELD) === 1);
    const held = attempt();
    shared.publish(STOP, 1);
    await holder.ended();
    return { free, held, lockWords: shared.lockWords() };
}

/** Requests that end without the lock, and one behind them that gets it. */
export async function abandonedRequests() {
    const shared = Shared.create();
    const holder = await startWorker(shared, 'holder');
    await until(shared, 'the holder holds', () => shared.read(HELD) === 1);
    /** @type {string[]} */
    const ran = [];
    const reason = new Error('not needed any more');
    const controller = new AbortController();
    const { signal } = controller;
    const timedOut = shared.mutex.execAsync(() => ran.push('timed out'), { timeout: 30 });
    const aborted = shared.mutex.execAsync(() => ran.push('aborted'), { signal });
    const outcomes = Promise.allSettled([timedOut, aborted]);
    await within(shared, 'the timeout', Promise.allSettled([timedOut]));
    controller.abort(reason);
    const [timeout, abort] = await within(shared, 'both rejections', outcomes);
    shared.publish(STOP, 1);
    await holder.ended();
    const lockWords = shared.lockWords();
    const free = shared.mutex.tryLock();
    if (free) {
        shared.mutex.unlock();
    }
    const waiter = await startWorker(shared, 'waiter', 1);
    await waiter.ended();
    await within(
        shared,
        'a later request',
        shared.mutex.execAsync(() => ran.push('later')),
    );
    return {
        isTimeoutError: timeout.status === 'rejected' && timeout.reason instanceof TimeoutError,
        timeoutCode: timeout.status === 'rejected' ? timeout.reason.code : undefined,
        isReason: abort.status === 'rejected' && abort.reason === reason,
        ran,
        free,
        lockWords,
        lockWordsAtEnd: shared.lockWords(),
    };
}

/** One signal for requests of different kinds, and waits on words that are no lock's. */
export async function oneSignalAndGarbage() {
    const shared = Shared.create();
    const space = new LockSpace();
    const semaphore = new CountingSemaphore({ space, initial: 0, max: 4 });
    const controller = new AbortController();
    const { signal } = controller;
    const ended = [2, 1].map((permits) => semaphore.enterAsync({ permits, signal }));
    const behind = semaphore.enterAsync({ permits: 3 });
    await nextFrame();
    controller.abort(new Error('enough'));
    const outcomes = await within(shared, 'those given up', Promise.allSettled(ended));
    semaphore.leave(3);
    await within(shared, 'the one behind', behind);
    const mutex = new Mutex({ space });
    const condition = new Condition({ space });
    new Uint32Array(space.buffer, semaphore.byteOffset, CountingSemaphore.BYTES / 4).fill(0xffff_ffff);
    new Uint32Array(space.buffer, condition.byteOffset, Condition.BYTES / 4).fill(1);
    const late = Promise.allSettled([
        semaphore.enterAsync({ timeout: 30 }),
        mutex.execAsync(() => condition.waitAsync(mutex, { timeout: 30 })),
    ]);
    let frames = 0;
    const count = () => {
        frames += 1;
        requestAnimationFrame(count);
    };
    count();
    await within(shared, 'the waits on garbage', late);
    await nextFrame();
    return { statuses: outcomes.map(({ status }) => status), hadFrames: frames > 1 };
}

/** One thread of a page that may not share memory. */
export async function withoutIsolation() {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const count = new Int32Array(space.buffer, space.alloc(4), 1);
    const add = () => (count[0] = (count[0] ?? 0) + 1);
    const sum = await mutex.execAsync(async () => {
        const behind = mutex.execAsync(add);
        add();
        await nextFrame();
        return { whileHeld: count[0], free: mutex.tryLock(), behind };
    });
    await sum.behind;
    const guard = await mutex.acquireAsync();
    const tookTwice = mutex.tryLock();
    guard.release();
    const took = mutex.tryLock();
    mutex.unlock();
    return {
        isolated: globalThis.crossOriginIsolated,
        whileHeld: sum.whileHeld,
        freeWhileHeld: sum.free || tookTwice,
        took,
        count: count[0],
        mutexHandle: errorOf(() => mutex.handle),
        spaceHandle: errorOf(() => space.handle),
        support: support(),
        lockWords: Array.from(new Uint32Array(space.buffer, mutex.byteOffset, Mutex.BYTES / 4)),
    };
}

/** The error, if any, of making the first lock on this thread. */
export function firstLock() {
    return errorOf(() => new Mutex());
}

/** A lock in the scope of real-time audio, which has neither timers nor performance, crypto or atob. */
export async function inAnAudioWorklet() {
    const shared = Shared.create();
    const context = new OfflineAudioContext(1, 128, 44_100);
    await context.audioWorklet.addModule(new URL('./lock-worklet.js', import.meta.url));
    const node = new AudioWorkletNode(context, 'lock-user');
    /** @param {'free' | 'held'} lock */
    const reportWhile = (lock) => {
        const report = new Promise((resolve) => {
            node.port.onmessage = ({ data }) => resolve(data);
        });
        node.port.postMessage(shared.handle);
        return within(shared, `the worklet's report while the lock is ${lock}`, report);
    };
    const free = await reportWhile('free');
    const guard = await shared.mutex.acquireAsync();
    const held = await reportWhile('held');
    guard.release();
    return { free, held, lockWords: shared.lockWords() };
}
