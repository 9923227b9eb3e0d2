/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** Node's name for a worker that was given none. */
const UNNAMED = 'WorkerThread';

/**
 * Node's data on this thread, or a compatible runtime's.
 * @returns {{ isMainThread?: boolean, threadId?: number, threadName?: string }}
 */
function threadInNode() {
    const { process } = /** @type {any} */ (globalThis);
    // Tells Node's main thread by a function that only it has, since loading Node's module takes more than a
    // millisecond.
    return process?.chdir?.name === 'wrappedChdir'
        ? { isMainThread: true, threadId: 0 }
        : (process?.getBuiltinModule?.('node:worker_threads') ?? {});
}

/** This thread's name for people: the name that its maker gave it, or its kind; '' if it has none. */
export function nameOfThread() {
    const { document, name, parent } = /** @type {any} */ (globalThis);
    if (typeof name === 'string' && name !== '') {
        return name; // of a dedicated worker, an iframe, a popup
    }
    if (document) {
        return parent === globalThis ? 'page' : 'iframe';
    }
    const { isMainThread, threadId, threadName } = threadInNode();
    if (threadName && threadName !== UNNAMED) {
        return threadName;
    }
    return isMainThread ? 'main' : threadId ? `worker ${threadId}` : '';
}
