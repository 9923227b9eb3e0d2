/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The program that tries everything that holdfast/async.h promises. */
export const EVERYTHING = 'tests/package/emscripten/async.c';
export const SCENARIOS = 11;

/** Longer than a wake takes on a loaded machine, and less than half the 50 ms between two sweeps for lost wakes, after
 * which a wait is met that was not woken. */
const MOST_MEDIAN_MS = 20;

/**
 * @param {string} command
 * @param {string[]} args
 */
export function run(command, args) {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
        cwd: ROOT,
        encoding: 'utf8',
        timeout: 180_000,
        // Debian's Emscripten finds its optimiser of JavaScript there.
        env: { ...process.env, NODE_PATH: '/usr/share/nodejs' },
    });
    assert.doesNotMatch(stderr, /AddressSanitizer/);
    assert.equal(
        status,
        0,
        `${command} ${args.join(' ')}\n${error ?? ''}\n${stdout}\n${stderr}`.slice(0, 4000),
    );
    return stdout;
}

/**
 * Compiles a program with the library and its callbacks.
 *
 * @param {string} source from the root
 * @param {string} file
 * @param {string[]} options
 */
export function compile(source, file, options) {
    run('emcc', [
        ...['-pthread', '-std=gnu11', '-Wall', '-Wextra', '-Werror', '-Ic-src/include', '-Ic-src'],
        ...['-sPTHREAD_POOL_SIZE=5', 'c-src/holdfast.c', source],
        ...['--js-library', 'emscripten/holdfast-library.js', ...options, '-o', file],
    ]);
}

/** @param {string} output of the program that tries everything */
export function assertEverything(output) {
    assert.match(output, new RegExp(`^${SCENARIOS} scenarios, 0 failures$`, 'm'), output);
    const median = Number(/woken after ([\d.]+) ms/.exec(output)?.[1]);
    assert.ok(median < MOST_MEDIAN_MS, `half of the wakes took more than ${median} ms`);
}
