/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/* Starts programs that end with this process, as do their children, however it ends; except by SIGKILL. */

/** @type {[NodeJS.Signals, number][]} signals that end a process without its 'exit' event, which ends the programs */
const SIGNALS = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
];
const LISTENERS = SIGNALS.map(([signal, code]) => ({ signal, exit: () => process.exit(code) }));

/** @type {Set<() => void>} functions that each end one running program */
const kills = new Set();
const killAll = () => kills.forEach((kill) => kill());

function listen() {
    if (kills.size === 0) {
        process.once('exit', killAll);
        LISTENERS.forEach(({ signal, exit }) => process.once(signal, exit));
    }
}

/** @param {() => void} kill */
function untie(kill) {
    kills.delete(kill);
    if (kills.size === 0) {
        process.off('exit', killAll);
        LISTENERS.forEach(({ signal, exit }) => process.off(signal, exit));
    }
}

/**
 * Starts a program in a process group of its own, which ends with this process at the latest.
 *
 * @param {string} program
 * @param {string[]} words
 * @param {import('node:child_process').SpawnOptions & { endBy?: NodeJS.Signals }} [options] endBy: SIGKILL by default
 */
export function spawnTied(program, words, { endBy = 'SIGKILL', ...options } = {}) {
    listen(); // set before the start, since a signal may come at once
    const child = spawn(program, words, { ...options, detached: true });
    const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    const kill = () => {
        // If the program has ended, another process may have its id by now.
        if (isRunning()) {
            process.kill(-Number(child.pid), endBy);
        }
    };
    kills.add(kill);
    /** Resolves with the exit code; rejects if the program could not be started. */
    const ended = once(child, 'exit').finally(() => untie(kill));
    ended.catch(() => {});
    const end = async () => {
        kill();
        await ended;
    };
    return { child, isRunning, ended, end };
}
