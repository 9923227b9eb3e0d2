/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** What Node calls a worker that was given no name. */
const UNNAMED = 'WorkerThread';

/** What people call this thread: the name that its maker gave it, or its place; '' where it has none. */
export function nameOfThread() {
    const { document, name, parent, process } = /** @type {any} */ (globalThis);
    if (typeof name === 'string' && name !== '') {
        return name; // of a dedicated worker, an iframe, a popup
    }
    if (document) {
        return parent === globalThis ? 'page' : 'iframe';
    }
    const { isMainThread, threadId, threadName } = process?.getBuiltinModule?.('node:worker_threads') ?? {};
    if (threadName && threadName !== UNNAMED) {
        return threadName;
    }
    return isMainThread ? 'main' : threadId ? `worker ${threadId}` : '';
}

/** What is not seen, or moves what is: ends of lines, codes of terminals, directions of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Other programs give names, too. @param {string} text with names of threads and locks in it */
export function printable(text) {
    return text.replace(UNSEEN, (code) => `\\u{${code.codePointAt(0)?.toString(16)}}`);
}
