/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';

const LIMIT_SECONDS = 30;

/**
 * Runs the program that shows an exception's behaviour.
 *
 * @param {import('./exceptions.js').Exception} exception
 * @param {string} binary
 * @param {import('./runtimes.js').Runtime} runtime
 */
export function showLimit({ name }, binary, { program }) {
    const file = fileURLToPath(new URL(`limits/${name}.js`, import.meta.url));
    return runQuietly([binary, ...program, file], { limitSeconds: LIMIT_SECONDS });
}
