/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { editsOf, ProjectCopy } from './project-copy.js';

const TEST = 'tests/glue/request-queue.test.js';
const SOURCES = ['package.json', 'js-glue', 'models'];

/** A copy of the glue, with the test of its queue. */
export class GlueCopy extends ProjectCopy {
    #copies = 0;

    constructor() {
        super([...SOURCES, TEST, 'tests/support']);
    }

    /** @template T @param {import('./mutants.js').SourceMutant} mutant @param {() => T} task */
    with(mutant, task) {
        return this.whileChanged(editsOf([mutant]), task);
    }

    /** A folder with the sources as they are now, for threads that run the package. */
    sources() {
        this.#copies += 1;
        const copy = join(this.folder, `sources-${this.#copies}`);
        SOURCES.forEach((name) => cpSync(join(this.folder, name), join(copy, name), { recursive: true }));
        return copy;
    }

    /** The first test of the decisions that fails now; '' if they pass. */
    failingDecision() {
        return this.failingTest(TEST);
    }
}
