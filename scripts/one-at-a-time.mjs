/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/* Test files run side by side, and several of them install or build the same at first. */

const LOOK_AGAIN_MS = 100;

/** @param {string} lock */
function isTaken(lock) {
    try {
        writeFileSync(lock, String(process.pid), { flag: 'wx' });
        return true;
    } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') {
            return false;
        }
        throw error;
    }
}

/** Whether whoever took it has ended without giving it back. @param {string} lock */
function isLeftBehind(lock) {
    try {
        const holder = Number(readFileSync(lock, 'utf8'));
        if (holder > 0) {
            process.kill(holder, 0);
        }
        return false;
    } catch (error) {
        return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
    }
}

/**
 * Waits until no other process does a task with that lock, and then does this one.
 *
 * @template T
 * @param {string} lock a file, which is there as long as it is held
 * @param {() => T} task
 * @returns {T}
 */
export function oneAtATime(lock, task) {
    while (!isTaken(lock)) {
        if (isLeftBehind(lock)) {
            rmSync(lock, { force: true });
        } else {
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
        }
    }
    try {
        return task();
    } finally {
        rmSync(lock, { force: true });
    }
}
