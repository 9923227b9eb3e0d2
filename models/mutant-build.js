/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../scripts/run-quietly.mjs';

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

/** Builds the module from changed sources, by the project's own CMake files, in a folder of its own. */
export class MutantBuild {
    static #ROOT = fileURLToPath(new URL('..', import.meta.url));
    static #COPIED = ['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'c-src', 'scripts'];
    /** Where the build puts what it makes. */
    static #FILLED = ['wasm', 'js-glue'];

    #folder = mkdtempSync(join(tmpdir(), 'holdfast-mutants-'));

    constructor() {
        for (const name of MutantBuild.#COPIED) {
            cpSync(join(MutantBuild.#ROOT, name), join(this.#folder, name), { recursive: true });
        }
        MutantBuild.#FILLED.forEach((name) => mkdirSync(join(this.#folder, name)));
        // Without -Werror: a mutant may leave something unused.
        this.#run(['cmake', '--preset', 'wasm', '-DCMAKE_C_FLAGS=-O2']);
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
        writeFileSync(join(this.#folder, file), mutatedText(mutant, source));
        this.#run(['cmake', '--build', '--preset', 'wasm', '--target', 'wasm']);
        writeFileSync(join(this.#folder, file), source);
        return readFileSync(join(this.#folder, 'wasm', 'holdfast.wasm'));
    }

    remove() {
        rmSync(this.#folder, { recursive: true });
    }
}
