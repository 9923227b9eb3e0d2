/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';

/** Thrown if a command cannot do what was asked; the message says why. */
export class CommandError extends Error {
    code = 'COMMAND';
}

/**
 * Runs a command with this process's arguments, and ends the process.
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} const Options
 * @param {string} name @param {Options} options
 * @param {(words: ReturnType<typeof parseArgs<{ options: Options, allowPositionals: true }>>) => void | Promise<void>} command
 */
export async function run(name, options, command) {
    try {
        await command(parseArgs({ allowPositionals: true, options }));
        process.exit(); // a rival's thread pool would keep the process alive
    } catch (error) {
        const { code, message, stack } = /** @type {NodeJS.ErrnoException} */ (error);
        const isKnown = code === 'COMMAND' || code?.startsWith('ERR_PARSE_ARGS');
        process.stderr.write(`${name}: ${isKnown ? message : (stack ?? message)}\n`);
        process.exit(1);
    }
}
