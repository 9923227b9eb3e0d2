/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectCopy } from './project-copy.js';

const SOURCES = ['package.json', 'js-glue', 'models'];

/** A copy of the glue. */
export class GlueCopy extends ProjectCopy {
    #copies = 0;

    constructor() {
        super(SOURCES);
    }

    /** A folder with changed sources, for threads that run the package. @param {import('./mutants.js').Edit[]} edits */
    sourcesWith(edits) {
        this.#copies += 1;
        const copy = join(this.folder, `sources-${this.#copies}`);
        this.whileChanged(edits, () =>
            SOURCES.forEach((name) => cpSync(join(this.folder, name), join(copy, name), { recursive: true })),
        );
        return copy;
    }
}
