/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Programs for Emscripten whose pthread calls are wrapped: tests/pthread/. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { libraryObject, ROOT, run } from './emscripten-build.js';

export const FOLDER = 'build/pthread';
const PROGRAMS = 'tests/pthread';
const FLAGS = ['-pthread', '-Wall', '-Wextra', '-Werror', '-D_GNU_SOURCE', '-Ic-src/include'];

/** The inputs with which emcc links a program. @param {string[]} options of the program */
export const wrapped = (options) => [
    ...[libraryObject(options), 'c-src/pthread/pthread.c', '@c-src/pthread/wraps.rsp'],
];

export const FAMILIES = ['mutexes', 'conditions', 'rwlocks', 'semaphores', 'c11', 'cxx', 'lives'];

/**
 * @param {string} name of the program
 * @param {{ c?: string[], cxx: string, level: string, options: string[] }} how names of sources without endings
 * @returns {string} its file, from the root
 */
export function compile(name, { c = [], cxx, level, options }) {
    mkdirSync(join(ROOT, FOLDER), { recursive: true });
    // Emscripten writes CommonJS for Node.
    writeFileSync(join(ROOT, FOLDER, 'package.json'), '{ "type": "commonjs" }\n');
    const object = `${FOLDER}/${name}-cxx.o`;
    const file = `${FOLDER}/${name}.js`;
    run('emcc', [...FLAGS, level, '-std=c++17', '-c', `${PROGRAMS}/${cxx}.cpp`, '-o', object]);
    const sources = c.map((source) => `${PROGRAMS}/${source}.c`);
    run('emcc', [...FLAGS, level, object, ...sources, ...options, '-o', file]);
    return file;
}

/** @param {string} output of a program of checks @param {number} least */
export function assertAllHeld(output, least) {
    const [, checks, failures] = /^(\d+) checks, (\d+) failures$/m.exec(output) ?? [];
    assert.equal(failures, '0', output);
    assert.ok(Number(checks) >= least, `${checks} checks`);
}
