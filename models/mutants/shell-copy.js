/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MutantBuild } from './mutant-build.js';
import { NO_END } from './project-copy.js';

const PARTS = ['package.json', 'js-glue', 'models', 'tests', 'browsers', 'docs'];
const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Of the tests that notice mutants, only this one runs the bundles. */
const OF_BUNDLES = 'fake-timers';

const FUZZER = 'tests/fuzz/run.js';
/** Fixed seeds. With less patience, a slow run on a busy machine would count as a hang. */
const PROGRAMS = ['--where=node', '--shrink=0', '--patience=20', '--seed=1'];
const FUZZER_LIMIT_SECONDS = 240;

/** A copy of the package, the fuzzer and the tests. */
export class ShellCopy extends MutantBuild {
    constructor() {
        super('wasm', PARTS);
        symlinkSync(PACKAGES, join(this.folder, 'node_modules'));
    }

    /**
     * @template T
     * @param {import('./mutants.js').Edit[]} edits
     * @param {string[]} checks that the task runs
     * @param {() => T} task
     */
    with(edits, checks, task) {
        const isOfC = edits.some(({ file }) => file.startsWith('c-src/'));
        const buildModule = () => (isOfC ? this.build('wasm') : undefined);
        try {
            return this.whileChanged(edits, () => {
                buildModule();
                if (checks.includes(OF_BUNDLES)) {
                    this.mustRun([process.execPath, 'scripts/build-dist.mjs']);
                }
                return task();
            });
        } finally {
            buildModule();
        }
    }

    /**
     * The fuzzer's finding; '' if there is none.
     *
     * @param {number} count of programs
     * @param {string[]} switches
     */
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
