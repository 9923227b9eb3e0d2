/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** What one who is alone inside has. */
export const WHOLE = 2 ** 29 - 1;
