/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** The amount that a thread alone inside has. */
export const WHOLE = 2 ** 29 - 1;
