/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Answerer, Caller, Channel } from '../../js-glue/channel.js';
import { LockSpace } from '../../js-glue/index.js';
import { makeMessage, Received } from '../support/channel-messages.js';
import { nextFrame, startFrameWith, within } from './page-threads.js';

/* Runs on the page: channels between it and its workers. Each scenario returns plain data; channel.test.js judges it. */

const RING = 4096;
const MORE = 50;

/** @param {Channel} channel */
const shown = (channel) => ({ description: () => `${channel.length} messages of ${channel.bytes} bytes` });

function newChannel() {
    return new Channel({ space: new LockSpace({ pages: 2 }), bytes: RING });
}

/**
 * @param {string} role
 * @param {Channel | Answerer} channel
 * @param {number} [messages]
 */
function startWorker(role, channel, messages = 0) {
    const worker = new Worker(new URL('./channel-worker.js', import.meta.url), { type: 'module' });
    const told = new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
    });
    worker.postMessage({ role, handle: channel.handle, messages });
    return { worker, told };
}

/** Frames of the page while it receives what two workers send without a pause. @param {{ messages: number }} options */
export async function toPage({ messages }) {
    const channel = newChannel();
    const workers = [0, 1].map(() => startWorker('sender', channel, messages));
    const received = new Received();
    let frames = 0;
    let isOver = false;
    const count = async () => {
        while (!isOver) {
            await nextFrame();
            frames += 1;
        }
    };
    const counting = count();
    const receive = async () => {
        for await (const bytes of channel) {
            received.add(bytes);
        }
    };
    const receiving = receive();
    await within(shown(channel), 'the senders', Promise.all(workers.map(({ told }) => told)));
    channel.close();
    await within(shown(channel), 'the end', receiving);
    isOver = true;
    await counting;
    workers.forEach(({ worker }) => worker.terminate());
    return { counts: Object.values(received.senders).map(({ count }) => count), frames };
}

/** The messages of the page that a blocking worker has received. @param {{ messages: number }} options */
export async function fromPage({ messages }) {
    const channel = newChannel();
    const { worker, told } = startWorker('receiver', channel);
    for (let number = 0; number < messages; number += 1) {
        await within(shown(channel), 'a send', channel.sendAsync(makeMessage(0, number, number % MORE)));
    }
    channel.close();
    const counts = await within(shown(channel), 'the receiver', told);
    worker.terminate();
    return counts;
}

/** The error codes of calls that a page may not make, and the results of calls that it may make. */
export function calls() {
    const channel = newChannel();
    const codeOf = (/** @type {() => unknown} */ call) => {
        try {
            return call() ?? null;
        } catch (error) {
            return /** @type {any} */ (error).code;
        }
    };
    const message = new Uint8Array(3);
    return [
        () => channel.send(message),
        () => channel.trySend(message, { timeout: 5 }),
        () => channel.trySend(message),
        () => channel.receive(),
        () => channel.tryReceive(5),
        () => channel.receiveMany(),
        () => channel.tryReceive()?.length,
        () => channel.length,
    ].map(codeOf);
}

/** Workers that are terminated in the middle of a send and of a receive. */
export async function deaths() {
    const channel = newChannel();
    const sender = startWorker('dying sender', channel);
    await within(shown(channel), 'the sender', sender.told);
    const isBusy = !channel.trySend(new Uint8Array(1));
    sender.worker.terminate();
    await within(shown(channel), 'a send', channel.sendAsync(Uint8Array.of(7)));
    const receiver = startWorker('dying receiver', channel);
    await within(shown(channel), 'the receiver', receiver.told);
    receiver.worker.terminate();
    const received = await within(shown(channel), 'a receive', channel.receiveAsync());
    return { isBusy, received: received?.join(), left: channel.length };
}

/** Iframes that are removed while they wait for messages, and in the middle of a send. */
export async function removedFrames() {
    const channel = newChannel();
    const { handle } = channel;
    const waits = new Promise((resolve) => {
        addEventListener('message', ({ data }) => data === 'waits' && resolve(undefined));
    });
    const waiting = await startFrameWith(shown(channel), 'useChannel', {
        handle,
        leaves: false,
    });
    await within(shown(channel), 'the iframe waits', waits);
    waiting.frame.remove();
    const left = await startFrameWith(shown(channel), 'useChannel', {
        handle,
        leaves: true,
    });
    while (left.frame.isConnected) {
        await nextFrame();
    }
    await within(shown(channel), 'a send', channel.sendAsync(Uint8Array.of(0, 7)));
    const sizes = [];
    while (sizes.at(-1) !== 2) {
        const received = await within(shown(channel), 'a receive', channel.receiveAsync());
        sizes.push(received?.length);
    }
    return { sizes, left: channel.length };
}

/** @param {Answerer} answerer */
const answererShown = (answerer) => ({ description: () => `calls of ${answerer.callers} at a time` });

/** Workers that block until the page has answered by a promise. @param {{ messages: number }} options */
export async function workersCall({ messages }) {
    const answerer = new Answerer({ space: new LockSpace({ pages: 4 }), bytes: RING });
    const told = [];
    const answering = (async () => {
        for await (const request of answerer) {
            const [number = 0] = new Uint32Array(request.bytes.slice().buffer);
            void Promise.resolve(number + 1).then((answer) => request.answer(Uint32Array.of(answer)));
        }
    })();
    const workers = [0, 1, 2].map(() => startWorker('caller', answerer, messages));
    for (const worker of workers) {
        told.push(await within(answererShown(answerer), 'a caller', worker.told));
        worker.worker.terminate();
    }
    let code;
    try {
        Caller.from(answerer.handle).call(new Uint8Array());
    } catch (error) {
        ({ code } = /** @type {any} */ (error));
    }
    answerer.close();
    await within(answererShown(answerer), 'the loop', answering);
    return { told, code };
}

/**
 * The page answers a caller that has given up; and it calls a worker that is terminated before it answers.
 */
export async function callsEnd() {
    const answerer = new Answerer({ space: new LockSpace({ pages: 4 }), bytes: RING });
    const loop = answerer[Symbol.asyncIterator]();
    const next = () => within(answererShown(answerer), 'a request', loop.next());
    let impatient = startWorker('impatient caller', answerer);
    let { value: late } = await next();
    // On a busy machine the first call may end before the page sees it. Then the second one comes first.
    while (late?.bytes[0] === 2) {
        late.answer(Uint32Array.of(22));
        await within(answererShown(answerer), 'the caller', impatient.told);
        impatient.worker.terminate();
        impatient = startWorker('impatient caller', answerer);
        ({ value: late } = await next());
    }
    while (late?.isAwaited) {
        await nextFrame();
    }
    const isAwaited = late?.answer(Uint32Array.of(11));
    (await next()).value?.answer(Uint32Array.of(22));
    const told = await within(answererShown(answerer), 'the caller', impatient.told);
    impatient.worker.terminate();

    const other = new Answerer({ space: new LockSpace({ pages: 4 }), bytes: RING });
    const { worker, told: inside } = startWorker('dying answerer', other);
    const caller = Caller.from(other.handle);
    const { length } = await within(answererShown(other), 'a call', caller.callAsync(new Uint8Array(3)));
    const call = caller.callAsync(new Uint8Array()).catch((error) => error.code);
    await within(answererShown(other), 'the answerer', inside);
    worker.terminate();
    return { isAwaited, told, length, code: await within(answererShown(other), 'the last call', call) };
}
