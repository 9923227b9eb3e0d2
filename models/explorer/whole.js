/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** The amount of an exclusive holder. */
export const WHOLE = 2 ** 29 - 1;

/** The amount of an upgradable reader: readers fit beside it, but no second upgradable reader. */
export const UPGRADABLE = 2 ** 28;
