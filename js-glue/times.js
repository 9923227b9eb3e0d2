/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How long things take here, in milliseconds. */

/** An entry's limit, after which the thread looks by itself: a wake may have gone to a thread that died. */
export const SLICE_MS = 50;

/** For how long callbacks of one thread may follow each other before its other work has a turn. */
export const BURST_MS = 4;

/** Without waitAsync, how often to look. Browsers round it up to 4. */
export const POLL_MS = 1;

/** Attempts that lie further apart than this are not of one watch. */
export const WATCH_MS = 1000;

/** The longest delay that setTimeout and setInterval take. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;
