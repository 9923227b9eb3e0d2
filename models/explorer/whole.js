/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** The amount that a thread alone inside has. */
export const WHOLE = 2 ** 29 - 1;

/** The amount that an upgradable reader has: readers fit beside it, and no other upgradable one. */
export const UPGRADABLE = 2 ** 28;
