/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @type {import('./engine.js').Starter} */
export function startWebThread(data) {
    const worker = new Worker(new URL('./web-thread.js', import.meta.url), { type: 'module' });
    return new Promise((resolve, reject) => {
        worker.onmessage = () => resolve({ end: () => worker.terminate() });
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(data);
    });
}
