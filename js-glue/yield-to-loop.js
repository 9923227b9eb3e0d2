/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * Calls back after the other tasks that this thread's event loop has ready. A timer is the last choice: pages
 * in the background get theirs once a second or more seldom.
 *
 * @param {() => void} callback
 */
export function yieldToLoop(callback) {
    const { scheduler, setImmediate } =
        /** @type {{ scheduler?: { postTask?(task: () => void): void }, setImmediate?(task: () => void): void }} */ (
            globalThis
        );
    if (setImmediate) {
        setImmediate(callback);
    } else if (scheduler?.postTask) {
        scheduler.postTask(callback);
    } else {
        setTimeout(callback);
    }
}
