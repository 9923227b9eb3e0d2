/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/* Programs that do not outlive this process, nor does what they start; however it ends, unless by SIGKILL. */

/** @type {[NodeJS.Signals, number][]} which end a process without its 'exit' event, by which the programs are ended */
const SIGNALS = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
];
const LISTENERS = SIGNALS.map(([signal, code]) => ({ signal, exit: () => process.exit(code) }));

/** @type {Set<() => void>} what ends each program that runs */
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
    listen(); // first, for a signal that comes as soon as it runs
    const child = spawn(program, words, { ...options, detached: true });
    const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    const kill = () => {
        // The id of one that has ended may be another's by now.
        if (isRunning()) {
            process.kill(-Number(child.pid), endBy);
        }
    };
    kills.add(kill);
    /** With its code; or not at all, if it could not be started. */
    const ended = once(child, 'exit').finally(() => untie(kill));
    ended.catch(() => {});
    const end = async () => {
        kill();
        await ended;
    };
    return { child, isRunning, ended, end };
}
