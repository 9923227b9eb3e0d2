/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { nextFrame, startWorker, until, within } from './page-threads.js';
import { FIRST, SECOND, SECTIONS, Shared, STOP, TORN } from './shared-words.js';

/* Runs on the page, together with threads other than its plain workers. Each function returns plain data;
 * threads.test.js judges it. */

const WORKER = 0;
const PAGE = 1;
const WORKLET = 2;
const REFUSED = 3;

/** About two seconds of sound, which take much less to render. */
const BLOCKS = 700;
const SAMPLES_PER_BLOCK = 128;
const MOST_SOUNDS = 20;

/** @param {Shared} shared */
function countsOf(shared) {
    return {
        first: shared.read(FIRST),
        second: shared.read(SECOND),
        torn: shared.read(TORN),
        worker: shared.read(SECTIONS + WORKER),
        page: shared.read(SECTIONS + PAGE),
        worklet: shared.read(SECTIONS + WORKLET),
        refused: shared.read(SECTIONS + REFUSED),
        lockWords: shared.lockWords(),
    };
}

/** The page asks for the lock while a sound is rendered. @param {Shared} shared */
async function soundOnce(shared) {
    const context = new OfflineAudioContext(1, BLOCKS * SAMPLES_PER_BLOCK, 44_100);
    await context.audioWorklet.addModule(new URL('./try-worklet.js', import.meta.url));
    const processorOptions = { handle: shared.handle, taken: WORKLET, refused: REFUSED };
    new AudioWorkletNode(context, 'lock-trier', { processorOptions }).connect(context.destination);
    let rendered = false;
    const rendering = context.startRendering().then(() => (rendered = true));
    while (!rendered) {
        const asked = shared.mutex.execAsync(() => shared.countedSection(PAGE));
        await within(shared, 'the page gets the lock', asked);
        await within(shared, 'a frame, or the end of the sound', Promise.race([nextFrame(), rendering]));
    }
}

/**
 * A worklet tries the lock at each block of sound, while a worker comes and goes. A sound may end before the
 * holder runs again; then another sound is rendered.
 */
export async function soundThatTries() {
    const shared = Shared.create();
    const visitor = await startWorker(shared, 'visitor', WORKER);
    await until(shared, 'the visitor gets the lock', () => shared.read(SECTIONS + WORKER) > 0);
    let sounds = 0;
    do {
        await soundOnce(shared);
        sounds += 1;
    } while (shared.read(SECTIONS + WORKLET) === 0 && sounds < MOST_SOUNDS);
    shared.publish(STOP, 1);
    await visitor.ended();
    return { ...countsOf(shared), blocks: sounds * BLOCKS };
}

/** @type {{ shared: Shared, end: () => Promise<unknown> } | undefined} */
let activity;

/** One worker hammers from now on, and the page asks for the lock as often as it can. */
export async function beginActivity() {
    const shared = Shared.create();
    const hammer = await startWorker(shared, 'hammer', WORKER);
    const ask = async () => {
        while (shared.read(STOP) === 0) {
            await shared.mutex.execAsync(() => shared.countedSection(PAGE));
            await new Promise((resolve) => setTimeout(resolve));
        }
    };
    const asking = ask();
    const end = () => Promise.all([within(shared, 'the page asks once more', asking), hammer.ended()]);
    activity = { shared, end };
    await until(shared, 'both get the lock', () => countsOf(shared).worker > 0 && countsOf(shared).page > 0);
    return countsOf(shared);
}

/** The counts since beginActivity(). */
export function activityNow() {
    return activity && countsOf(activity.shared);
}

/** Ends it. */
export async function endActivity() {
    activity?.shared.publish(STOP, 1);
    await activity?.end();
    return activityNow();
}

/**
 * @param {MessagePort} port
 * @param {unknown} message
 */
async function answerOf(port, message) {
    const answer = new Promise((resolve) => {
        port.onmessage = ({ data }) => resolve(data);
    });
    port.postMessage(message);
    return within(Shared.create(), 'an answer of the worker', answer);
}

/** @param {MessagePort} port */
async function askLoneWorker(port) {
    const report = await answerOf(port, 'report');
    return { report, handle: await answerOf(port, new Mutex().handle) };
}

const LONE_WORKER = new URL('./lone-worker.js', import.meta.url);

export function askSharedWorker() {
    return askLoneWorker(new SharedWorker(LONE_WORKER, { type: 'module' }).port);
}

export async function askServiceWorker() {
    const registration = await navigator.serviceWorker.register(LONE_WORKER, { type: 'module' });
    try {
        const worker = registration.installing ?? registration.waiting ?? registration.active;
        const { port1, port2 } = new MessageChannel();
        worker?.postMessage('connect', [port2]);
        return await askLoneWorker(port1);
    } finally {
        await registration.unregister();
    }
}

/** Forty spaces at once, each with a lock. */
export function manySpaces() {
    const mutexes = Array.from({ length: 40 }, () => new Mutex({ space: new LockSpace() }));
    return mutexes.map((mutex) => mutex.tryLock()).filter((taken) => taken).length;
}

/** Ends a `using` block as compiled code does, and returns whether that released the guard. */
export async function disposing() {
    const mutex = new Mutex();
    const guard = await mutex.acquireAsync();
    // Symbol.for('Symbol.dispose') is what the helpers of esbuild and Babel call in engines without the
    // symbol.
    const name = Symbol.dispose ?? Symbol.for('Symbol.dispose');
    /** @type {any} */ (guard)[name]?.();
    return { known: Symbol.dispose !== undefined, released: guard.released };
}
