/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex, support, TimeoutError } from '../../js-glue/index.js';
import { nextFrame, startWorker, until, within } from './page-threads.js';
import { FIRST, HELD, SECOND, SECTIONS, Shared, STOP, TORN } from './shared-words.js';

/* What runs on the page. Each scenario returns plain data, which page.test.js judges. */

const FRAMES = 120;

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

/** The page asks once a frame while two workers hammer. */
export async function pageAmongWorkers() {
    const shared = Shared.create();
    const workers = [await startWorker(shared, 'hammer', 0), await startWorker(shared, 'hammer', 1)];
    const hammersRun = () => shared.read(SECTIONS) > 0 && shared.read(SECTIONS + 1) > 0;
    await until(shared, 'both workers get the lock', hammersRun);

    /** @type {number[]} */
    const waits = [];
    const answers = [];
    let longestFrame = 0;
    let last = await nextFrame();
    for (let frame = 0; frame < FRAMES; frame += 1) {
        const asked = performance.now();
        const section = () => {
            waits.push(performance.now() - asked);
            shared.section();
        };
        answers.push(shared.mutex.executeLocked(section));
        const now = await nextFrame();
        longestFrame = Math.max(longestFrame, now - last);
        last = now;
    }
    await within(shared, 'the requests of the page are answered', Promise.all(answers));
    shared.publish(STOP, 1);
    await Promise.all(workers.map(({ ended }) => ended()));

    waits.sort((a, b) => a - b);
    return {
        requests: FRAMES,
        answered: waits.length,
        medianWait: waits[Math.floor(waits.length / 2)] ?? Infinity,
        worstWait: waits.at(-1) ?? Infinity,
        longestFrame,
        first: shared.read(FIRST),
        second: shared.read(SECOND),
        torn: shared.read(TORN),
        sections: waits.length + shared.read(SECTIONS) + shared.read(SECTIONS + 1),
        lockWords: shared.lockWords(),
    };
}

/** Frames go on while a request of the page waits for a worker that holds the lock. */
export async function framesWhileWaiting() {
    const shared = Shared.create();
    const holder = await startWorker(shared, 'holder');
    await until(shared, 'the holder holds', () => shared.read(HELD) === 1);
    let answered = false;
    const answer = shared.mutex.executeLocked(() => (answered = true));
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

/** Calls that would block, with the lock free and with a worker holding it. */
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

/**
 * A worker dies in its wait, ahead of another worker and of the page. Chromium lets it live on for up to two
 * seconds after terminate().
 * @param {boolean} isGone whether the lock is released after that, or at once
 */
async function terminatedWaiter(isGone) {
    const shared = Shared.create();
    const holder = await startWorker(shared, 'holder');
    await until(shared, 'the holder holds', () => shared.read(HELD) === 1);
    const heldOnly = shared.lockWords().join();
    const victim = await startWorker(shared, 'waiter', 0);
    await until(shared, 'the victim waits', () => shared.lockWords().join() !== heldOnly);
    const survivor = await startWorker(shared, 'waiter', 1);
    const answer = shared.mutex.executeLocked(() => performance.now());

    victim.worker.terminate();
    if (isGone) {
        await victim.gone();
    }
    const released = performance.now();
    shared.publish(STOP, 1);
    const [pageGot, survivorDone] = await Promise.all([
        within(shared, 'the page gets the lock', answer),
        survivor.ended().then(() => performance.now()),
        holder.ended(),
    ]);
    await within(
        shared,
        'the page gets it again',
        shared.mutex.executeLocked(() => {}),
    );
    const late = await startWorker(shared, 'waiter', 2);
    await late.ended();
    return {
        pageWait: pageGot - released,
        survivorWait: survivorDone - released,
        victimSections: shared.read(SECTIONS),
        survivorSections: shared.read(SECTIONS + 1),
        lockWords: shared.lockWords(),
    };
}

/** The lock is released while the terminated worker's thread may still run. */
export function dyingWaiter() {
    return terminatedWaiter(false);
}

/** The lock is released when that thread is no more. */
export function deadWaiter() {
    return terminatedWaiter(true);
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
    const timedOut = shared.mutex.executeLocked(() => ran.push('timed out'), { timeout: 30 });
    const aborted = shared.mutex.executeLocked(() => ran.push('aborted'), { signal });
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
        shared.mutex.executeLocked(() => ran.push('later')),
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

/** One thread of a page that may not share memory. */
export async function withoutIsolation() {
    const space = new LockSpace();
    const mutex = new Mutex(space);
    const count = new Int32Array(space.buffer, space.alloc(4), 1);
    const add = () => (count[0] = (count[0] ?? 0) + 1);
    const sum = await mutex.executeLocked(async () => {
        const behind = mutex.executeLocked(add);
        add();
        await nextFrame();
        return { whileHeld: count[0], free: mutex.tryLock(), behind };
    });
    await sum.behind;
    const guard = await mutex.lockAsync();
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
    const guard = await shared.mutex.lockAsync();
    const held = await reportWhile('held');
    guard.release();
    return { free, held, lockWords: shared.lockWords() };
}
