/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { spawnTied } from '../scripts/spawn-tied.mjs';

/** The file descriptor to which Xvfb writes the number that it chose. */
const NUMBER_AT = 3;

/**
 * Starts a virtual display, to be closed by the caller. Programs that use it end with it, so no program
 * outlives this process.
 *
 * @param {string} xvfb the program
 */
export async function openDisplay(xvfb) {
    const { child, ended, end } = spawnTied(xvfb, ['-displayfd', String(NUMBER_AT), '-nolisten', 'tcp'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
        endBy: 'SIGTERM', // at SIGTERM Xvfb removes its socket
    });
    const numbers = /** @type {import('node:stream').Readable} */ (child.stdio[NUMBER_AT]);
    const early = ended.then(([code]) => {
        throw new Error(`${xvfb} ended early, with code ${code}`);
    });
    early.catch(() => {});
    const [number] = await Promise.race([once(numbers, 'data'), early]);
    return { name: `:${String(number).trim()}`, close: end };
}
