/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { MutantBuild, mutatedText } from './mutant-build.js';

/** @typedef {import('./mutants.js').SourceMutant & { nativeTest: string }} NativeMutant */

/** A test that waits for ever has noticed, too. */
const LIMIT_SECONDS = 20;

/** Mistakes in C that the module does not have, or that its models do not see, in the native tests. */
export class NativeMutants {
    #build = new MutantBuild('native');

    /**
     * The test that fails by a mistake; '' if none does.
     * @param {NativeMutant} mutant
     */
    failureOf(mutant) {
        const { file, nativeTest } = mutant;
        const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
        const folder = this.#build.buildWith([{ file, text: mutatedText(mutant, source) }], nativeTest);
        const program = join(folder, 'tests', 'native', nativeTest);
        const { ok, output } = runQuietly([program], { limitSeconds: LIMIT_SECONDS });
        return ok ? '' : (/\[ +FAILED +\] (\w+)$/m.exec(output)?.[1] ?? 'it does not end well');
    }

    remove() {
        this.#build.remove();
    }
}
