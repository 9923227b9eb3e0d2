/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/* A lock among processes, for a task that only one may do at a time: several test files may install or build
 * the same things. No package is used, since it runs before packages are installed. */

const LOOK_AGAIN_MS = 100;

/** After this time a waiting process prints what it waits for. */
const SILENT_MS = 5_000;

/** Longer than any task. An older lock is stale, even if a process has its holder's id. */
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
 * @returns {{ holder: string, isLeftBehind: boolean } | undefined} undefined if the lock is free again
 */
function look(lock) {
    try {
        const holder = readFileSync(lock, 'utf8');
        const id = Number(holder);
        const isOld = Date.now() - statSync(lock).mtimeMs > MOST_MS;
        // Between open and write the file is empty for a moment.
        const isGone = id > 0 && (id === process.pid || !isAlive(id));
        return { holder, isLeftBehind: isOld || isGone };
    } catch (error) {
        if (isError(error, 'ENOENT')) {
            return undefined;
        }
        throw error;
    }
}

/** Removes a stale lock, unless another process holds it by now. @param {string} lock @param {string}
 * holder */
function remove(lock, holder) {
    const removed = `${lock}.${process.pid}`;
    try {
        renameSync(lock, removed);
        if (readFileSync(removed, 'utf8') !== holder) {
            linkSync(removed, lock); // another process was faster, and holds the lock now
        }
    } catch (error) {
        if (!isError(error, 'ENOENT') && !isError(error, 'EEXIST')) {
            throw error;
        }
    }
    rmSync(removed, { force: true });
}

/**
 * Waits until no other process holds the lock, and then runs the task with it.
 *
 * @template T
 * @param {string} lock the path of a file that exists while the lock is held
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
                `waiting for process ${holder}, which runs the same task; if it has ended, delete ${lock}`,
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
