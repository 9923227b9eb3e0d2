/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_MUTANTS } from './gate-mutants.js';
import { PRIMITIVE_MUTANTS } from './primitive-mutants.js';

export { GLUE_MUTANTS } from './glue-mutants.js';

/* Mistakes that one could make, each in one place of the sources. The checks have to find every one of them: a
 * search that finds nothing in a wrong lock says nothing about a right one. */

/**
 * @typedef {object} SourceMutant
 * @property {string} name
 * @property {string} file
 * @property {string} from what stands there, exactly once
 * @property {string} to
 * @property {string} [foundIn] the scenario in which the explorer has to find it. Without one, it changes how long or
 *     how often a thread waits, or what a call returns, and the specification or a test has to find it.
 */

/** In the C sources. */
export const SOURCE_MUTANTS = [...GATE_MUTANTS, ...PRIMITIVE_MUTANTS];
