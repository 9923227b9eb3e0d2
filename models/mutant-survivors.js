/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @type {{ reason: string, mutants: string[] }[]} */
export const EXPLAINED_SURVIVORS = [];

const explained = new Set(EXPLAINED_SURVIVORS.flatMap(({ mutants }) => mutants));

/** @param {string} name */
export function isExplained(name) {
    return explained.has(name);
}
