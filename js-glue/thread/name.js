/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** The name that Node gives a worker without one. */
const UNNAMED = 'WorkerThread';

/**
 * Node's data on this thread, or of runtimes that take after it.
 *
 * @returns {{ isMainThread?: boolean, threadId?: number, threadName?: string }}
 */
function threadInNode() {
    const { process } = /** @type {any} */ (globalThis);
    // Only Node's main thread has this function. It has not loaded the module yet, which takes more than a millisecond.
    return process?.chdir?.name === 'wrappedChdir'
        ? { isMainThread: true, threadId: 0 }
        : (process?.getBuiltinModule?.('node:worker_threads') ?? {});
}

/** The name of this thread for people: the one that its maker gave it, or its kind; '' if it has none. */
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
