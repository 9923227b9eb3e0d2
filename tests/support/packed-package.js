/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The package as users install it, but without a network. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHILD_LIMIT_SECONDS = 300;

/**
 * @param {string[]} commandLine
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 */
export function outputOf(commandLine, cwd, env) {
    const { ok, output } = runQuietly(commandLine, { cwd, env, limitSeconds: CHILD_LIMIT_SECONDS });
    assert.ok(ok, `${commandLine.join(' ')} failed:\n${output}`);
    return output;
}

/**
 * Packs the package, or takes the tarball that `npm test` has packed for all of its files (scripts/test.mjs).
 *
 * @param {string} folder an empty one
 * @returns {string} the tarball in it
 */
export function pack(folder) {
    const { HOLDFAST_PACKED } = process.env;
    if (HOLDFAST_PACKED) {
        cpSync(HOLDFAST_PACKED, folder, { recursive: true });
    } else {
        outputOf(['npm', 'pack', '--silent', '--pack-destination', folder], ROOT);
    }
    const packed = readdirSync(folder);
    assert.equal(packed.length, 1, `npm pack left ${packed}`);
    return join(folder, packed[0] ?? '');
}

/**
 * Makes a new project, as a new user does.
 *
 * @param {string} project a folder that is made
 */
export function initProject(project) {
    mkdirSync(project, { recursive: true });
    outputOf(['npm', 'init', '--yes'], project);
}

/**
 * @param {string} tarball
 * @param {string} project
 */
export function installInto(tarball, project) {
    outputOf(['npm', 'install', '--offline', '--no-audit', '--no-fund', tarball], project);
}
