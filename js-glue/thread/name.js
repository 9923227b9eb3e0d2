/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** What Node calls a worker that was given no name. */
const UNNAMED = 'WorkerThread';

/**
 * What Node, or who takes after it, knows of this thread.
 *
 * @returns {{ isMainThread?: boolean, threadId?: number, threadName?: string }}
 */
export function threadInNode() {
    const { process } = /** @type {any} */ (globalThis);
    // Only Node's main thread has this function. It has not loaded the module yet, which takes more than a millisecond.
    return process?.chdir?.name === 'wrappedChdir'
        ? { isMainThread: true, threadId: 0 }
        : (process?.getBuiltinModule?.('node:worker_threads') ?? {});
}

/** What people call this thread: the name that its maker gave it, or its place; '' where it has none. */
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

/** Other programs give names, too. @param {string} text with names of threads and locks in it */
export function printable(text) {
    // What is not seen, or moves what is: ends of lines, codes of terminals, directions of writing. Made here, since V8 compiles
    // what the text has as such when it parses that: a fourth of a millisecond of each start, for its tables of characters.
    return text.replace(
        new RegExp('[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]', 'gu'),
        (code) => `\\u{${code.codePointAt(0)?.toString(16)}}`,
    );
}
