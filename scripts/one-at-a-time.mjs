/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/* Test files run side by side, and several of them install or build the same at first. Before the first installation there
 * is no library for this. */

const LOOK_AGAIN_MS = 100;

/** After that long it says what it waits for. */
const SILENT_MS = 5_000;

/** No task takes that long. Its lock is left behind, though there is a process with the number of its holder. */
const MOST_MS = 10 * 60_000;

/** @param {unknown} error @param {string} code */
function isError(error, code) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === code;
}

/** @param {string} lock */
function isTaken(lock) {
    try {
        writeFileSync(lock, String(process.pid), { flag: 'wx' });
        return true;
    } catch (error) {
        if (isError(error, 'EEXIST')) {
            return false;
        }
        throw error;
    }
}

/** @param {number} id of a process */
function isAlive(id) {
    try {
        return process.kill(id, 0);
    } catch (error) {
        return isError(error, 'EPERM');
    }
}

/**
 * @param {string} lock
 * @returns {{ holder: string, isLeftBehind: boolean } | undefined} nothing if it is free again
 */
function look(lock) {
    try {
        const holder = readFileSync(lock, 'utf8');
        const id = Number(holder);
        const isOld = Date.now() - statSync(lock).mtimeMs > MOST_MS;
        // For a moment it is empty, between open and write.
        const isGone = id > 0 && (id === process.pid || !isAlive(id));
        return { holder, isLeftBehind: isOld || isGone };
    } catch (error) {
        if (isError(error, 'ENOENT')) {
            return undefined;
        }
        throw error;
    }
}

/** Removes a lock that was left behind, if it is still that one. @param {string} lock @param {string} holder */
function remove(lock, holder) {
    const removed = `${lock}.${process.pid}`;
    try {
        renameSync(lock, removed);
        if (readFileSync(removed, 'utf8') !== holder) {
            linkSync(removed, lock); // another process was faster, and holds it now
        }
    } catch (error) {
        if (!isError(error, 'ENOENT') && !isError(error, 'EEXIST')) {
            throw error;
        }
    }
    rmSync(removed, { force: true });
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
    const start = Date.now();
    let isSilent = true;
    while (!isTaken(lock)) {
        const { holder = '', isLeftBehind = false } = look(lock) ?? {};
        if (isLeftBehind) {
            remove(lock, holder);
            continue;
        }
        if (isSilent && Date.now() - start > SILENT_MS) {
            isSilent = false;
            console.error(
                `waiting for process ${holder}, which does the same; if it does not, delete ${lock}`,
            );
        }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
    }
    try {
        return task();
    } finally {
        rmSync(lock, { force: true });
    }
}
