/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Programs for Emscripten whose pthread calls are wrapped: tests/pthread/. */
import assert from 'node:assert/strict';
import { buildOnce, libraryObject } from './emscripten-build.js';

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
 * @returns {string} its file
 */
export function compile(name, { c = [], cxx, level, options }) {
    const source = `${PROGRAMS}/${cxx}.cpp`;
    const object = buildOnce(`${FOLDER}/${name}-cxx.o`, [...FLAGS, level, '-std=c++17', '-c', source]);
    const sources = c.map((source) => `${PROGRAMS}/${source}.c`);
    return buildOnce(`${FOLDER}/${name}.js`, [...FLAGS, level, object, ...sources, ...options]);
}

/** @param {string} output of a program of checks @param {number} least */
export function assertAllHeld(output, least) {
    const [, checks, failures] = /^(\d+) checks, (\d+) failures$/m.exec(output) ?? [];
    assert.equal(failures, '0', output);
    assert.ok(Number(checks) >= least, `${checks} checks`);
}
