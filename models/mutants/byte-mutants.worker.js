/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { byteMutants } from './byte-mutants.js';
import { ModuleChecks } from './mutant-checks.js';
import { MODULE_FILE } from '../wasm/shipped-module.js';

/* Judges a share of the byte mutants, and posts the verdicts. */

const { first, step } = /** @type {{ first: number, step: number }} */ (workerData);
const original = readFileSync(MODULE_FILE);
const checks = new ModuleChecks();
let number = 0;
for (const { name, operator, bytes } of byteMutants(original)) {
    if (number % step === first) {
        parentPort?.postMessage({ name, operator, ...checks.verdictOn(bytes) });
    }
    number += 1;
}
