/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectCopy } from './project-copy.js';

/** @typedef {import('./project-copy.js').Edit} Edit */

const PARTS = [
    'package.json',
    'CMakeLists.txt',
    'CMakePresets.json',
    'cmake',
    'c-src',
    'models/c',
    'scripts',
    'tests/native',
    'tests/pthread',
];
/** The folders into which the build writes. */
const FILLED = ['wasm', 'js-glue/memory'];

/** Builds changed sources by the project's own CMake files, in a copy. */
export class MutantBuild extends ProjectCopy {
    #preset;

    /** @param {string} preset of CMakePresets.json @param {string[]} parts further files to copy */
    constructor(preset = 'wasm', parts = []) {
        super([...PARTS, ...parts]);
        this.#preset = preset;
        FILLED.forEach((name) => mkdirSync(join(this.folder, name), { recursive: true }));
        // A mutant may leave something unused.
        this.mustRun(['cmake', '--preset', preset, '-DCMAKE_C_FLAGS_NONE=-Wno-error']);
    }

    /** The bytes of the module with changed files. @param {Edit[]} edits @returns {Uint8Array} */
    bytesWith(edits) {
        return this.#moduleWith(edits, 'module_alone');
    }

    /** @param {Edit[]} edits @param {string} target */
    #moduleWith(edits, target) {
        this.buildWith(edits, target);
        return readFileSync(join(this.folder, 'wasm', 'holdfast.wasm'));
    }

    /** The bytes of all modules. @param {Edit[]} edits */
    modulesWith(edits) {
        const bytes = this.#moduleWith(edits, 'modules');
        const read = (/** @type {string} */ file) =>
            readFileSync(join(this.folder, 'build', this.#preset, file));
        return {
            ...{ bytes, holds: read('holds.wasm'), depths: read('depths.wasm') },
            ...{ barrierCalls: read('barrier-calls.wasm'), channel: read('channel.wasm') },
        };
    }

    /** @param {Edit[]} edits @param {string[]} targets @returns {string} the folder of what was built */
    buildWith(edits, ...targets) {
        this.whileChanged(edits, () => this.build(...targets));
        return join(this.folder, 'build', this.#preset);
    }

    /** @param {string[]} targets */
    build(...targets) {
        this.mustRun(['cmake', '--build', '--preset', this.#preset, '--target', ...targets]);
    }
}
