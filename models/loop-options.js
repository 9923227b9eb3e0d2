/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What event loops of scenarios do besides, by the names that the scenarios have for it. */

export const ABORTS = { aborts: true };
export const POLLS = { polls: true };
export const OLD = { isOld: true };
export const LATE = { late: true };
export const BUSY = { busy: /** @type {const} */ ('at times') };
export const BUSY_FOR_GOOD = { busy: /** @type {const} */ ('for good') };
