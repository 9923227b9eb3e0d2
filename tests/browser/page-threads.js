/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** Enough for a machine with ten times the work that its cores can do. */
const WATCHDOG_MS = 30_000;

/**
 * Returns the promise's outcome, or fails with a message that says what was awaited, and shows the words.
 * @template T
 * @param {Pick<import('./shared-words.js').Shared, 'description'>} shared
 * @param {string} what
 * @param {PromiseLike<T>} promise
 * @returns {Promise<T>}
 */
export async function within(shared, what, promise) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const watchdog = new Promise((_, reject) => {
        const bark = () => {
            reject(new Error(`${what}: not in ${WATCHDOG_MS} ms; ${shared.description()}`));
        };
        timer = setTimeout(bark, WATCHDOG_MS);
    });
    try {
        return await /** @type {Promise<T>} */ (Promise.race([promise, watchdog]));
    } finally {
        clearTimeout(timer);
    }
}

/** @returns {Promise<number>} the time of the next frame */
export function nextFrame() {
    return new Promise((resolve) => requestAnimationFrame(resolve));
}

/**
 * Checks the condition once a frame.
 * @param {Pick<import('./shared-words.js').Shared, 'description'>} shared
 * @param {string} what
 * @param {() => boolean} condition
 */
export function until(shared, what, condition) {
    let given = false;
    const look = async () => {
        while (!given && !condition()) {
            await nextFrame();
        }
    };
    return within(shared, what, look()).finally(() => (given = true));
}

/**
 * @typedef {object} TestWorker
 * @property {Worker} worker
 * @property {() => Promise<unknown>} ended when it has played its role
 * @property {() => Promise<unknown>} gone when the thread of a terminated worker has ended
 */

const IS_WORKER = 'WorkerGlobalScope' in globalThis;
/**
 * Firefox does not start every nested worker: 3 of 198 idle ones never ran, with holdfast or without. After
 * this time another worker is started, with twice the time, for busy machines.
 */
export const START_MS = 3000;

/**
 * A worker that is about to play its role, and promises of its stages.
 * @param {import('./shared-words.js').Shared} shared
 * @param {'hammer' | 'toldHammer' | 'parent' | 'visitor' | 'sleeper' | 'stopper' | 'holder' | 'waiter' | 'asker'} role
 * @param {number} [index] of its count of sections
 * @param {number} [startMs] the time limit of its start
 * @returns {Promise<TestWorker>}
 */
export async function startWorker(shared, role, index = 0, startMs = START_MS) {
    const worker = new Worker(new URL('./lock-worker.js', import.meta.url), { type: 'module' });
    /** @param {string} message */
    const told = (message) =>
        new Promise((resolve, reject) => {
            worker.addEventListener('message', ({ data }) => data === message && resolve(data));
            worker.addEventListener('error', (event) => reject(new Error(`${role}: ${event.message}`)));
        });
    const ready = told('ready');
    const done = told('done');
    const lifeLock = crypto.randomUUID();
    worker.postMessage({ role, handle: shared.handle, index, lifeLock });
    const silence = new Promise((resolve) => setTimeout(resolve, startMs));
    if (IS_WORKER && (await Promise.race([ready, silence])) === undefined) {
        worker.terminate();
        return startWorker(shared, role, index, 2 * startMs);
    }
    await within(shared, `the ${role} starts`, ready);
    return {
        worker,
        async ended() {
            await within(shared, `the ${role} ends`, done);
            worker.terminate(); // the page may stay for further scenarios
        },
        gone: () =>
            within(
                shared,
                `the thread of the ${role} is gone`,
                navigator.locks.request(lifeLock, () => {}),
            ),
    };
}

/** @typedef {'ask' | 'holdAll' | 'sleepInside' | 'useLock' | 'takeLock' | 'adopt' | 'useChannel'} FrameMethod of the window of frame.js */

/**
 * An iframe of the page's own origin that asks for the lock once.
 *
 * @param {import('./shared-words.js').Shared} shared
 * @param {number} index of its count of sections
 */
export function startFrame(shared, index) {
    return startFrameWith(shared, 'ask', { handle: shared.handle, index });
}

/**
 * An iframe of the page's own origin with any kind of task.
 *
 * @param {Pick<import('./shared-words.js').Shared, 'description'>} shared
 * @param {FrameMethod} method
 * @param {object} task
 */
export async function startFrameWith(shared, method, task) {
    const frame = document.createElement('iframe');
    const ready = new Promise((resolve) => {
        addEventListener('message', ({ source }) => source === frame.contentWindow && resolve(undefined));
    });
    frame.src = new URL('./frame.html', import.meta.url).href;
    document.body.append(frame);
    await within(shared, 'the iframe starts', ready);
    return {
        frame,
        posted: handOver(/** @type {any} */ (frame.contentWindow), method, task),
    };
}

/**
 * Posts the task to a window of the page's own thread, or calls it where shared memory cannot be posted to
 * windows.
 *
 * @param {Window & Record<FrameMethod, (task: unknown) => void>} target
 * @param {FrameMethod} method
 * @param {object} task
 * @returns {boolean} whether it was posted
 */
function handOver(target, method, task) {
    try {
        target.postMessage({ method, task }, origin);
        return true;
    } catch (error) {
        // An exception of the target's realm, so its class differs from the page's.
        if (/** @type {Error} */ (error).name !== 'DataCloneError') {
            throw error;
        }
        target[method](task);
        return false;
    }
}
