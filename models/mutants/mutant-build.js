/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';

/** @typedef {{ file: string, text: string }} Edit a file with new contents */

/**
 * A source with that one change.
 * @param {import('./mutants.js').SourceMutant} mutant
 * @param {string} source
 */
export function mutatedText({ name, file, from, to }, source) {
    const [before, after, ...more] = source.split(from);
    if (before === undefined || after === undefined || more.length > 0) {
        throw new Error(`${name}: the text to change is not exactly once in ${file}: ${from}`);
    }
    return `${before}${to}${after}`;
}

/** Builds from changed sources, by the project's own CMake files, in a folder of its own. */
export class MutantBuild {
    static #ROOT = fileURLToPath(new URL('../..', import.meta.url));
    static #COPIED = ['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'c-src', 'scripts', 'tests/native'];
    /** Where the build puts what it makes. */
    static #FILLED = ['wasm', 'js-glue/memory'];

    #folder = mkdtempSync(join(tmpdir(), 'holdfast-mutants-'));
    #preset;

    /** @param {string} preset of CMakePresets.json */
    constructor(preset = 'wasm') {
        this.#preset = preset;
        for (const name of MutantBuild.#COPIED) {
            cpSync(join(MutantBuild.#ROOT, name), join(this.#folder, name), { recursive: true });
        }
        MutantBuild.#FILLED.forEach((name) => mkdirSync(join(this.#folder, name), { recursive: true }));
        // A mutant may leave something unused.
        this.#run(['cmake', '--preset', preset, '-DCMAKE_C_FLAGS_NONE=-Wno-error']);
    }

    /** @param {string[]} commandLine */
    #run(commandLine) {
        const { ok, output } = runQuietly(commandLine, { cwd: this.#folder });
        if (!ok) {
            throw new Error(`${commandLine.join(' ')} failed:\n${output}`);
        }
    }

    /**
     * The bytes of the module with one place of its sources changed.
     * @param {import('./mutants.js').SourceMutant} mutant
     * @returns {Uint8Array}
     */
    bytesOf(mutant) {
        const { file } = mutant;
        const source = readFileSync(join(MutantBuild.#ROOT, file), 'utf8');
        return this.bytesWith([{ file, text: mutatedText(mutant, source) }]);
    }

    /**
     * The bytes of the module with these files changed.
     * @param {Edit[]} edits
     * @returns {Uint8Array}
     */
    bytesWith(edits) {
        this.buildWith(edits, 'wasm');
        return readFileSync(join(this.#folder, 'wasm', 'holdfast.wasm'));
    }

    /**
     * Builds one target with these files changed.
     * @param {Edit[]} edits
     * @param {string} target
     * @returns {string} the folder of what was built
     */
    buildWith(edits, target) {
        edits.forEach(({ file, text }) => writeFileSync(join(this.#folder, file), text));
        try {
            this.#run(['cmake', '--build', '--preset', this.#preset, '--target', target]);
        } finally {
            edits.forEach(({ file }) => cpSync(join(MutantBuild.#ROOT, file), join(this.#folder, file)));
        }
        return join(this.#folder, 'build', this.#preset);
    }

    remove() {
        rmSync(this.#folder, { recursive: true });
    }
}
