/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_MUTANTS } from './gate-mutants.js';
import { PRIMITIVE_MUTANTS } from './primitive-mutants.js';

export { GLUE_MUTANTS } from './glue-mutants.js';

/* Mistakes, each in one place of the sources. If a search finds nothing in a wrong lock,
 * it says nothing of a right one. */

/**
 * @typedef {object} SourceMutant
 * @property {string} name
 * @property {string} file
 * @property {string} from what stands there, exactly once
 * @property {string} to
 * @property {string} [foundIn] the scenario in which the explorer has to find it, or the test that has to. Without one:
 *     of the C, the specification; of the glue's queue, request-queue.test.js.
 */

/** In the C sources. */
export const SOURCE_MUTANTS = [...GATE_MUTANTS, ...PRIMITIVE_MUTANTS];
