/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MutantBuild } from './mutant-build.js';
import { editsOf, NO_END } from './project-copy.js';

const PARTS = ['package.json', 'js-glue', 'models', 'tests', 'browsers', 'docs'];
const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

const FUZZER = 'tests/fuzz/run.js';
/** Fixed seeds; with less patience a busy machine hangs, too. */
const PROGRAMS = ['--where=node', '--shrink=0', '--patience=20', '--seed=1'];
const FUZZER_LIMIT_SECONDS = 240;

/** A copy of the package, and of what is held against it: the fuzzer, and tests. */
export class ShellCopy extends MutantBuild {
    constructor() {
        super('wasm', PARTS);
        symlinkSync(PACKAGES, join(this.folder, 'node_modules'));
        this.#package([]);
    }

    /**
     * @template T
     * @param {import('./mutants.js').SourceMutant[]} mutants one, or the changes of one
     * @param {() => T} task
     */
    with(mutants, task) {
        const edits = editsOf(mutants);
        try {
            return this.whileChanged(edits, () => {
                this.#package(edits);
                return task();
            });
        } finally {
            this.#package(edits);
        }
    }

    /** Bundles, and the module if it changes. @param {import('./project-copy.js').Edit[]} edits */
    #package(edits) {
        if (edits.some(({ file }) => file.startsWith('c-src/'))) {
            this.build('wasm');
        }
        this.mustRun([process.execPath, 'scripts/build-dist.mjs']);
    }

    /** The fuzzer's finding; '' if nothing. @param {number} count of programs @param {string[]} switches */
    fuzzed(count, switches) {
        const given = [`--count=${count}`, ...switches.map((name) => `--with=${name}`)];
        const commandLine = [process.execPath, FUZZER, ...PROGRAMS, ...given];
        const { ok, output } = this.run(commandLine, FUZZER_LIMIT_SECONDS);
        if (ok) {
            return '';
        }
        const [, seed, seconds, kind] = /^seed (\d+) fails after ([\d.]+) s: (\w+):/m.exec(output) ?? [];
        return seed === undefined ? NO_END : `seed ${seed} after ${seconds} s: ${kind}`;
    }
}
