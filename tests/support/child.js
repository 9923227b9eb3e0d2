/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A child that takes longer counts as hung, unless its caller passes another limit. A child of a second took 23 beside a load of 20. */
const LIMIT_MS = 60_000;

/** A child may run tests of its own, which do not belong to this run. */
const ENVIRONMENT = { ...process.env, NODE_TEST_CONTEXT: undefined };

/** @param {string} program of children/, without its ending */
const pathOf = (program) => fileURLToPath(new URL(`children/${program}.js`, import.meta.url));

/**
 * Runs Node in a process of its own.
 *
 * @param {string[]} words of its command line
 * @param {number} [limitMs]
 * @returns {Promise<{ code: number | string | null, stdout: string, stderr: string }>} code null: it hung
 */
export function runNode(words, limitMs = LIMIT_MS) {
    return new Promise((resolve) => {
        execFile(
            process.execPath,
            words,
            { env: ENVIRONMENT, timeout: limitMs, killSignal: 'SIGKILL' },
            (error, stdout, stderr) => {
                const code = error === null ? 0 : error.killed ? null : (error.code ?? null);
                resolve({ code, stdout, stderr });
            },
        );
    });
}

/**
 * Runs a file in a process of its own.
 *
 * @param {string} file
 * @param {string[]} [preludes] programs of children/ that run before it
 * @param {string[]} [options] Node's
 * @param {number} [limitMs]
 */
export function runFile(file, preludes = [], options = [], limitMs = LIMIT_MS) {
    const files = preludes.length === 0 ? [file] : [...['in-turn', ...preludes].map(pathOf), file];
    return runNode([...options, ...files], limitMs);
}

/**
 * Runs a program of children/ in a process of its own.
 *
 * @param {string} program
 * @param {string[]} [preludes] programs of children/ that run before it
 * @param {number} [limitMs]
 */
export function runChild(program, preludes, limitMs) {
    return runFile(pathOf(program), preludes, [], limitMs);
}
