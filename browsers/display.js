/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Where Xvfb writes the number that it chose. */
const NUMBER_AT = 3;

/** @type {[NodeJS.Signals, number][]} which end a process without its 'exit' event, by which children are ended */
const SIGNALS = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
];

/**
 * A display that nobody sees, until it is closed. Programs that show something on it end with it, so none of them
 * outlives this process.
 *
 * @param {string} xvfb the program
 */
export async function openDisplay(xvfb) {
    const stdio = /** @type {const} */ (['ignore', 'ignore', 'ignore', 'pipe']);
    const server = spawn(xvfb, ['-displayfd', String(NUMBER_AT), '-nolisten', 'tcp'], { stdio: [...stdio] });
    const kill = () => void server.kill();
    const exits = SIGNALS.map(([signal, code]) => ({ signal, exit: () => process.exit(code) }));
    process.once('exit', kill);
    exits.forEach(({ signal, exit }) => process.once(signal, exit));

    const close = () => {
        process.off('exit', kill);
        exits.forEach(({ signal, exit }) => process.off(signal, exit));
        kill();
    };
    const numbers = /** @type {import('node:stream').Readable} */ (server.stdio[NUMBER_AT]);
    const ended = once(server, 'exit').then(([code]) => {
        throw new Error(`${xvfb} ended, with code ${code}`);
    });
    ended.catch(() => {});
    const [number] = await Promise.race([once(numbers, 'data'), ended]);
    return { name: `:${String(number).trim()}`, close };
}
