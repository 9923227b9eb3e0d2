/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';

/** Thrown if a command cannot do what was asked; the message says why. */
export class CommandError extends Error {
    /** @override */
    name = 'CommandError';
}

/**
 * Reads a command line.
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} const Options
 * @param {string[]} words @param {Options} options @throws {CommandError}
 */
export function parse(words, options) {
    try {
        return parseArgs({ args: words, allowPositionals: true, options });
    } catch (error) {
        throw new CommandError(error instanceof Error ? error.message : String(error));
    }
}

/**
 * Runs a command with this process's arguments, and ends the process.
 * @param {string} name @param {(words: string[]) => void | Promise<void>} command
 */
export async function run(name, command) {
    try {
        await command(process.argv.slice(2));
        process.exit(); // a rival's thread pool would keep the process alive
    } catch (error) {
        const text =
            error instanceof CommandError ? error.message : (/** @type {any} */ (error)?.stack ?? error);
        process.stderr.write(`${name}: ${text}\n`);
        process.exit(1);
    }
}
