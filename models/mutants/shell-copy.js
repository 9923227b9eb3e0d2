/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { mutatedText } from './mutant-build.js';

const BUILD = ['--build', '--preset', 'wasm', '--target', 'wasm'];

/** @param {string} text that stands for itself in a pattern */
function escaped(text) {
    return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** A copy of the glue with one place of its sources changed, and of what is held against it: the fuzzer, and tests. */
export class ShellCopy {
    static #ROOT = fileURLToPath(new URL('../..', import.meta.url));
    static #COPIED = [
        'package.json',
        'CMakeLists.txt',
        'CMakePresets.json',
        'cmake',
        'c-src',
        'js-glue',
        'models',
        'tests',
        'scripts',
        'browsers',
        'docs',
    ];
    static #BUNDLE = 'scripts/build-dist.mjs';
    static #FUZZER = 'tests/fuzz/run.js';
    /** Programs from fixed seeds; what hangs is not waited for as long as where nothing is known. */
    static #PROGRAMS = ['--where=node', '--shrink=0', '--patience=4'];
    static #LIMIT_SECONDS = 240;
    static #REPORTER = './models/mutants/first-failure.js';
    /** More than any of the files takes on a busy machine. */
    static #FILE_LIMIT_SECONDS = 60;
    /** Of tests that do not end, and do not say which. */
    static NO_END = 'it does not end well';

    #folder = mkdtempSync(join(tmpdir(), 'holdfast-shell-'));

    constructor() {
        for (const name of ShellCopy.#COPIED) {
            cpSync(join(ShellCopy.#ROOT, name), join(this.#folder, name), { recursive: true });
        }
        symlinkSync(join(ShellCopy.#ROOT, 'node_modules'), join(this.#folder, 'node_modules'));
        this.#bundle();
    }

    /**
     * Does something with the changed glue.
     *
     * @template T
     * @param {import('./mutants.js').SourceMutant[]} mutants one, or the edits of one
     * @param {() => T} task
     * @returns {T}
     */
    with(mutants, task) {
        const files = new Set(mutants.map(({ file }) => file));
        const sources = new Map(
            [...files].map((file) => [file, readFileSync(join(ShellCopy.#ROOT, file), 'utf8')]),
        );
        const changed = new Map(sources);
        for (const mutant of mutants) {
            changed.set(mutant.file, mutatedText(mutant, changed.get(mutant.file) ?? ''));
        }
        this.#write(changed);
        try {
            return task();
        } finally {
            this.#write(sources);
        }
    }

    /** @param {Map<string, string>} texts by file; the module is built anew if any of them goes into it */
    #write(texts) {
        texts.forEach((text, file) => writeFileSync(join(this.#folder, file), text));
        if ([...texts.keys()].some((file) => file.startsWith('c-src/'))) {
            this.#build();
        }
        this.#bundle();
    }

    /** The module, which the glue carries. */
    #build() {
        // A change may leave something unused.
        for (const words of [['--preset', 'wasm', '-DCMAKE_C_FLAGS_NONE=-Wno-error'], BUILD]) {
            const { ok, output } = runQuietly(['cmake', ...words], { cwd: this.#folder });
            if (!ok) {
                throw new Error(`the module cannot be built: ${output}`);
            }
        }
    }

    /** What programs load, for the tests that install the package. */
    #bundle() {
        const { ok, output } = this.#run([ShellCopy.#BUNDLE]);
        if (!ok) {
            throw new Error(`the package cannot be built: ${output}`);
        }
    }

    /**
     * @param {string[]} words of Node's command line
     * @param {number} [limitSeconds]
     */
    #run(words, limitSeconds = ShellCopy.#LIMIT_SECONDS) {
        const options = { cwd: this.#folder, limitSeconds };
        return runQuietly([process.execPath, ...words], options);
    }

    /**
     * What the fuzzer finds; '' if nothing.
     *
     * @param {number} count of programs
     * @param {string[]} [switches]
     */
    fuzzed(count, switches = []) {
        const given = [`--count=${count}`, '--seed=1', ...switches.map((name) => `--with=${name}`)];
        const { ok, output } = this.#run([ShellCopy.#FUZZER, ...ShellCopy.#PROGRAMS, ...given]);
        if (ok) {
            return '';
        }
        const [, seed, seconds, kind] = /^seed (\d+) fails after ([\d.]+) s: (\w+):/m.exec(output) ?? [];
        return seed === undefined ? ShellCopy.NO_END : `seed ${seed} after ${seconds} s: ${kind}`;
    }

    /**
     * The first of the tests that fails; '' if they pass.
     *
     * @param {string} file
     * @param {string} [name] of the only test to run
     */
    failingTest(file, name) {
        const chosen = name === undefined ? [] : [`--test-name-pattern=^${escaped(name)}$`];
        const { ok, output } = this.#run(
            [`--test-reporter=${ShellCopy.#REPORTER}`, ...chosen, file],
            ShellCopy.#FILE_LIMIT_SECONDS,
        );
        return ok ? '' : (/^not ok: (.*)$/m.exec(output)?.[1] ?? ShellCopy.NO_END);
    }

    remove() {
        rmSync(this.#folder, { recursive: true });
    }
}
