/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { createRequire } from 'node:module';
import { takeTurns } from '../../support/two-languages.js';

/* Runs the program of two-languages.c (its path is the first argument), and prints the results as JSON. */

const createProgram = createRequire(import.meta.url)(/** @type {string} */ (process.argv[2]));
console.log(JSON.stringify(await takeTurns(createProgram)));
process.exit(0);
