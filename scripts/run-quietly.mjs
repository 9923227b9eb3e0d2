/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawnSync } from 'node:child_process';

const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Runs a command without input, and keeps its output for the caller to show if it failed.
 * @param {string[]} commandLine
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitSeconds?: number }} [options] the command is ended after the limit; by
 *     default there is none
 * @returns {{ ok: boolean, output: string, exited: boolean }} `exited`: it ended by itself, not by a signal or the limit
 */
export function runQuietly(commandLine, options = {}) {
    const [command = '', ...args] = commandLine;
    const child = spawnSync(command, args, {
        cwd: options.cwd,
        env: options.env,
        timeout: (options.limitSeconds ?? 0) * 1000,
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
        maxBuffer: OUTPUT_LIMIT_BYTES,
    });
    const output = `${child.stdout ?? ''}${child.stderr ?? ''}`.trim();
    if (child.error) {
        return { ok: false, output: `${output}\n${command}: ${child.error.message}`.trim(), exited: false };
    }
    // A child that was ended by a signal has no status, and often printed no reason.
    const words = child.signal ? `${output}\nended by ${child.signal}` : output;
    return { ok: child.status === 0, output: words, exited: child.signal === null };
}
