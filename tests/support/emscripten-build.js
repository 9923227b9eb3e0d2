/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The builds that test files of Emscripten programs share: each object or program is built once for all of them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneAtATime } from '../../scripts/one-at-a-time.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders with the sources of these programs. */
const SOURCES = ['c-src', 'emscripten', 'tests/package/emscripten', 'tests/pthread'];

/** Emscripten writes CommonJS for Node. @param {string} folder */
function beCommonJs(folder) {
    mkdirSync(folder, { recursive: true });
    if (!existsSync(join(folder, 'package.json'))) {
        writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
    }
}

/** Options that change the code of an object; all others are the linker's. */
const OF_OBJECTS = /^-([OIfm]|D(HF|_)_|sMAIN_MODULE)/;

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

function stateOfSources() {
    return SOURCES.flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => {
            const file = join(folder, name);
            return `${file} ${statSync(join(ROOT, file)).mtimeMs}`;
        }),
    );
}

/**
 * Builds a file, unless another test file has built it in the same way from the same sources.
 *
 * @param {string} file from the root
 * @param {string[]} args of emcc
 * @returns {string} its path
 */
export function buildOnce(file, args) {
    const stamp = join(ROOT, `${file}.built`);
    beCommonJs(dirname(stamp));
    oneAtATime(`${stamp}.lock`, () => {
        const state = [...args, ...stateOfSources()].join('\n');
        if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== state) {
            run('emcc', [...args, '-o', file]);
            writeFileSync(stamp, state);
        }
    });
    return join(ROOT, file);
}

/** How C is compiled here. */
export const C_FLAGS = '-pthread -std=gnu11 -Wall -Wextra -Werror -Ic-src/include -Ic-src'.split(' ');

/**
 * The library as an object.
 *
 * @param {string[]} options of the program that it is linked with
 */
export function libraryObject(options) {
    const own = options.filter((option) => OF_OBJECTS.test(option));
    const name = own.join('').replaceAll(/\W+/g, '-');
    const args = [...C_FLAGS, ...own, '-c', 'c-src/holdfast.c'];
    return buildOnce(`build/emscripten-library/holdfast${name}.o`, args);
}
