/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from the C headers by scripts/generate-layout.mjs; do not edit. */

/** What an operation came to (include/holdfast/result.h). */
export const RESULT = Object.freeze({
    OK: 0,
    BUSY: 1,
    TIMEOUT: 2,
    DEADLOCK: 3,
    NOT_OWNER: 4,
    BAD_ADDRESS: 5,
});

/** A mutex: its size, its words as byte offsets, its times (include/holdfast/mutex.h). */
export const MUTEX = Object.freeze({
    BYTES: 16,
    ALIGN: 8,
    STATE_OFFSET: 0,
    TURN_OFFSET: 4,
    LINE_OFFSET: 8,
    GENERATION_OFFSET: 12,
    PATIENCE_MS: 1,
    RESERVATION_MS: 1,
    POLLED_RESERVATION_MS: 8,
});

/** What goes into a step of a mutex, and what comes out of it (mutex_step.h). */
export const STEP = Object.freeze({
    KIND_BLOCKING: 0,
    KIND_ASYNC: 1,
    KIND_POLLING: 2,
    NEXT_TAKEN: 0,
    NEXT_WAIT_TURN: 1,
    NEXT_WAIT_QUEUE: 2,
    NEXT_OWN: 3,
    NEXT_SHIFT: 32,
    POLLS_SHIFT: 34,
    WATCHED_SHIFT: 35,
    TOKEN_IN_LINE: 536870912,
    WAIT_MORE: 2147483648,
});

/** A space; the offsets count from ADDRESS, where its header lies (space.h). */
export const SPACE = Object.freeze({
    MAGIC: 829646440,
    ADDRESS: 16,
    PAGE: 65536,
    GRANULE: 16,
    BITMAPS: 3,
    MAGIC_OFFSET: 0,
    GRANULES_OFFSET: 4,
    ID_OFFSET: 8,
    THREADS_OFFSET: 16,
    BITMAPS_OFFSET: 32,
});

/** Threads' identities in lock words (include/holdfast/thread.h). */
export const THREAD = Object.freeze({
    JS: 268435456,
    BITS: 29,
    MASK: 536870911,
});
