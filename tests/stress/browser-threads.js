/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @type {import('./member.js').StartThread} */
export function startBrowserThread(onReply, onError) {
    const name = crypto.randomUUID();
    const worker = new Worker(new URL('./browser-thread.js', import.meta.url), { type: 'module', name });
    const ready = new Promise((resolve) => {
        worker.onmessage = ({ data }) => (data === 'ready' ? resolve(data) : onReply(data));
    });
    worker.onerror = ({ message }) => onError(new Error(message));
    return {
        post: (message) => void ready.then(() => worker.postMessage(message)),
        terminate() {
            worker.terminate();
            return navigator.locks.request(name, () => {});
        },
    };
}
