/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { join } from 'node:path';
import { editsOf, NO_END } from './project-copy.js';

/** A test that waits for ever has noticed, too. */
const LIMIT_SECONDS = 20;

/**
 * The failure of the native test that has to find a mistake; '' if it passes.
 * @param {import('./mutant-build.js').MutantBuild} build of the preset native
 * @param {import('./mutants.js').SourceMutant} mutant
 */
export function nativeFailure(build, mutant) {
    const { foundIn = '' } = mutant;
    const folder = build.buildWith(editsOf([mutant]), foundIn);
    const { ok, output } = build.run([join(folder, 'tests', 'native', foundIn)], LIMIT_SECONDS);
    return ok ? '' : (/\[ +FAILED +\] (\w+)$/m.exec(output)?.[1] ?? NO_END);
}
