/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { takeTurns } from '../support/two-languages.js';
import { load } from './callbacks.js';

/** Takes turns with the callbacks of a program, on the page. @param {string} address of the program */
export async function turnsOf(address) {
    await load(address);
    return takeTurns(/** @type {any} */ (globalThis).createProgram);
}
