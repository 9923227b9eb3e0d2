/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { basename, join } from 'node:path';
import { FORMS } from '../support/callbacks-program.js';
import { fetchClosure } from './closure.js';
import { run, SYSTEM, there } from './system.js';

/** The Closure Compiler that was current when Emscripten 6.0.5 was released. */
const CLOSURE = '20260429.0.0';
const CLOSURE_PLACE = 'opt/closure';
const PORT = '--use-port=node_modules/holdfast/emscripten/holdfast.py';

/** The files that are already compiled. */
const compiled = new Set();

/**
 * Compiles a program with the packed library.
 *
 * @param {string} source in the project
 * @param {string} name of the build
 * @param {string[]} options
 * @param {keyof typeof FORMS} [form]
 * @returns {string} the file's name
 */
export function compileByPort(source, name, options, form = 'script') {
    const file = `${basename(source, '.c')}-${name.replaceAll(/\W+/g, '-')}.${FORMS[form].ending}`;
    if (!compiled.has(file)) {
        const all = [...FORMS[form].options, ...options, PORT, source, '-o', file].join(' ');
        const closure = fetchClosure(CLOSURE, join(SYSTEM, CLOSURE_PLACE));
        run(there(`EM_CLOSURE_COMPILER=/${CLOSURE_PLACE}/${closure} emcc -std=gnu11 -Wall -Wextra ${all}`));
        compiled.add(file);
    }
    return file;
}

/**
 * The output of a program in Node.
 *
 * @param {string} file
 * @param {keyof typeof FORMS} [form]
 * @param {string} [node] the command
 */
export function outputInNode(file, form = 'script', node = 'node') {
    const words = FORMS[form].begin(`./${file}`).map((word) => `"${word}"`);
    return run(
        there(`timeout 90 ${node} ${words.join(' ')} || { echo "ended with $?, 124 after 90 s"; exit 1; }`),
    );
}
