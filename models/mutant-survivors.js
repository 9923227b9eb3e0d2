/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The mutants of the module's bytes that get past all checks, with the reasons why nothing could stop them. Places
 * are those of the module that Debian's Emscripten 3.1.6 builds; another compiler's has others, and then this list
 * is to be made again: `npm run mutants -- bytes` prints what survives. That is to be done for the gate, too. */

/** @type {{ reason: string, mutants: string[] }[]} */
export const EXPLAINED_SURVIVORS = [];

const explained = new Set(EXPLAINED_SURVIVORS.flatMap(({ mutants }) => mutants));

/** @param {string} name */
export function isExplained(name) {
    return explained.has(name);
}
