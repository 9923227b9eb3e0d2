/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { mutatedText } from './mutant-build.js';

/** The glue with one place of its sources changed, in a folder of its own, with its test beside it. */
export class GlueCopy {
    static #ROOT = fileURLToPath(new URL('../..', import.meta.url));
    static #COPIED = [
        'package.json',
        'js-glue',
        'models',
        'tests/glue/waiting-decisions.test.js',
        'tests/support',
    ];
    static #TEST = 'tests/glue/waiting-decisions.test.js';

    #folder = mkdtempSync(join(tmpdir(), 'holdfast-mutants-'));
    #copies = 0;

    constructor() {
        for (const name of GlueCopy.#COPIED) {
            cpSync(join(GlueCopy.#ROOT, name), join(this.#folder, name), { recursive: true });
        }
    }

    /**
     * Does something with the changed glue.
     * @template T
     * @param {import('./mutants.js').SourceMutant} mutant
     * @param {() => T | Promise<T>} task
     */
    async with(mutant, task) {
        const source = readFileSync(join(GlueCopy.#ROOT, mutant.file), 'utf8');
        writeFileSync(join(this.#folder, mutant.file), mutatedText(mutant, source));
        try {
            return await task();
        } finally {
            writeFileSync(join(this.#folder, mutant.file), source);
        }
    }

    /**
     * A folder with the sources as they are now, for threads that run the package.
     */
    sources() {
        this.#copies += 1;
        const copy = join(this.#folder, `sources-${this.#copies}`);
        for (const name of ['package.json', 'js-glue', 'models']) {
            cpSync(join(this.#folder, name), join(copy, name), { recursive: true });
        }
        return copy;
    }

    /** The first of its tests that fails now; '' if they pass. */
    failingTest() {
        const commandLine = [process.execPath, '--test', '--test-reporter=tap', GlueCopy.#TEST];
        const { ok, output } = runQuietly(commandLine, { cwd: this.#folder });
        return ok ? '' : (/^ *not ok \d+ - (.*)$/m.exec(output)?.[1] ?? 'it does not end well');
    }

    remove() {
        rmSync(this.#folder, { recursive: true });
    }
}
