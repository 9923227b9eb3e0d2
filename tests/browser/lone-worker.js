/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex, support } from '../../js-glue/index.js';

/* A shared worker or a service worker. It cannot share memory with a page, so it uses locks in its own. */

/** @param {() => unknown} action */
async function outcomeOf(action) {
    try {
        return await action();
    } catch (error) {
        return /** @type {{ code?: string }} */ (error).code ?? String(error);
    }
}

async function report() {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    const words = new Int32Array(space.buffer, mutex.byteOffset, Mutex.BYTES / 4);
    const { mayShare, mayBlock, asyncWait, advice } = support();
    const lock = await outcomeOf(() => {
        mutex.lock();
        mutex.unlock();
        return 'locked';
    });
    const untouched = words.every((word) => word === 0);
    const free = mutex.tryLock();
    mutex.unlock();
    const guard = await mutex.acquireAsync();
    const held = !mutex.tryLock();
    const behind = mutex.execAsync(() => 'run');
    const late = await outcomeOf(() => mutex.execAsync(() => {}, { timeout: 30 }));
    setTimeout(() => guard.release(), 30);
    return {
        mayShare,
        handle: await outcomeOf(() => mutex.handle),
        mayBlock,
        asyncWait,
        advice: advice.join(),
        lock,
        tryLock: free && held,
        late,
        behind: await behind,
        untouched,
        words: [...words],
    };
}

/** @param {MessagePort} port */
function serve(port) {
    port.onmessage = async ({ data }) => {
        port.postMessage(data === 'report' ? await outcomeOf(report) : 'a handle has come');
    };
    port.onmessageerror = () => port.postMessage('messageerror');
}

Object.assign(globalThis, {
    /** @param {MessageEvent} event of a shared worker */
    onconnect: ({ ports }) => serve(/** @type {MessagePort} */ (ports[0])),
    /** @param {MessageEvent} event of a service worker */
    onmessage: ({ ports }) => serve(/** @type {MessagePort} */ (ports[0])),
});
