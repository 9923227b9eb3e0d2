/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { takeTurns } from '../support/two-languages.js';
import { load } from './callbacks.js';

/** On the page. @param {string} address of the program whose callbacks take turns with JavaScript */
export async function turnsOf(address) {
    await load(address);
    return takeTurns(/** @type {any} */ (globalThis).createProgram);
}
