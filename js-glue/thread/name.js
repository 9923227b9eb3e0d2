/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** What people call this thread: the name that its maker gave it, or its place; '' where it has none. */
export function nameOfThread() {
    const { document, name, process } = /** @type {any} */ (globalThis);
    if (document) {
        return 'page';
    }
    if (typeof name === 'string' && name !== '') {
        return name; // of a dedicated worker
    }
    const { isMainThread, threadId, threadName } = process?.getBuiltinModule?.('node:worker_threads') ?? {};
    return threadName || (isMainThread ? 'main' : threadId ? `worker ${threadId}` : '');
}
