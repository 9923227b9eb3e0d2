/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from the C headers by scripts/generate-layout.mjs; do not edit. */

/* What an operation came to (include/holdfast/result.h). */
export const RESULT_OK = 0;
export const RESULT_BUSY = 1;
export const RESULT_TIMEOUT = 2;
export const RESULT_DEADLOCK = 3;
export const RESULT_NOT_OWNER = 4;
export const RESULT_BAD_ADDRESS = 5;

/* A mutex: its size, its words as byte offsets, its times (include/holdfast/mutex.h). */
export const MUTEX_BYTES = 16;
export const MUTEX_ALIGN = 8;
export const MUTEX_STATE_OFFSET = 0;
export const MUTEX_TURN_OFFSET = 4;
export const MUTEX_LINE_OFFSET = 8;
export const MUTEX_GENERATION_OFFSET = 12;
export const MUTEX_PATIENCE_MS = 1;
export const MUTEX_RESERVATION_MS = 1;
export const MUTEX_POLLED_RESERVATION_MS = 8;

/* What goes into a step of a mutex, and what comes out of it (mutex_step.h). */
export const STEP_KIND_BLOCKING = 0;
export const STEP_KIND_ASYNC = 1;
export const STEP_KIND_POLLING = 2;
export const STEP_NEXT_TAKEN = 0;
export const STEP_NEXT_WAIT_TURN = 1;
export const STEP_NEXT_WAIT_QUEUE = 2;
export const STEP_NEXT_OWN = 3;
export const STEP_NEXT_SHIFT = 32;
export const STEP_POLLS_SHIFT = 34;
export const STEP_WATCHED_SHIFT = 35;
export const STEP_TOKEN_IN_LINE = 536870912;
export const STEP_WAIT_MORE = 2147483648;

/* A space; the offsets count from ADDRESS, where its header lies (space.h). */
export const SPACE_MAGIC = 829646440;
export const SPACE_ADDRESS = 16;
export const SPACE_PAGE = 65536;
export const SPACE_GRANULE = 16;
export const SPACE_BITMAPS = 3;
export const SPACE_MAGIC_OFFSET = 0;
export const SPACE_GRANULES_OFFSET = 4;
export const SPACE_ID_OFFSET = 8;
export const SPACE_THREADS_OFFSET = 16;
export const SPACE_BITMAPS_OFFSET = 32;

/* Threads' identities in lock words (include/holdfast/thread.h). */
export const THREAD_JS = 268435456;
export const THREAD_BITS = 29;
export const THREAD_MASK = 536870911;
