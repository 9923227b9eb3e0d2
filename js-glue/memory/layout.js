/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from the C sources by scripts/generate-layout.mjs; do not edit. */

/* The result of an operation (include/holdfast/result.h). */
export const RESULT_OK = 0;
export const RESULT_BUSY = 1;
export const RESULT_TIMEOUT = 2;
export const RESULT_DEADLOCK = 3;
export const RESULT_NOT_OWNER = 4;
export const RESULT_OVERFLOW = 6;
export const RESULT_DONE = 7;
export const RESULT_ABANDONED = 8;
export const RESULT_CLOSED = 9;
export const RESULT_CORRUPT = 10;

/* The parts of most locks: its words as byte offsets, its times (include/holdfast/gate.h). */
export const GATE_USE_OFFSET = 0;
export const GATE_TURN_OFFSET = 4;
export const GATE_LINE_OFFSET = 8;
export const GATE_OWN_OFFSET = 12;
export const GATE_MOST = 536870911;
export const GATE_FOR_ONE = 0;
export const GATE_PATIENCE_MS = 1;
export const GATE_RESERVATION_MS = 1;
export const GATE_POLLED_RESERVATION_MS = 8;
export const GATE_BESIDE_MS = 50;
export const GATE_HURRIED_POLL_MS = 4;
export const GATE_BLOCKED_BEFORE_MS = 85;

/* A mutex: its size (include/holdfast/mutex.h). */
export const MUTEX_BYTES = 16;
export const MUTEX_ALIGN = 8;

/* A recursive mutex (include/holdfast/recursive_mutex.h). */
export const RECURSIVE_MUTEX_BYTES = 24;
export const RECURSIVE_MUTEX_ALIGN = 8;
export const RECURSIVE_MUTEX_DEPTH_OFFSET = 16;
export const RECURSIVE_MUTEX_MOST = 2147483647;

/* A semaphore (include/holdfast/semaphore.h). */
export const SEMAPHORE_BYTES = 16;
export const SEMAPHORE_ALIGN = 8;
export const SEMAPHORE_MOST = 536870911;

/* A reader-writer lock: its size, and what the modes take of its gate (include/holdfast/rwlock.h, rwlock.h). */
export const RWLOCK_BYTES = 16;
export const RWLOCK_ALIGN = 8;
export const RWLOCK_SHARED = 1;
export const RWLOCK_UPGRADABLE = 16777216;
export const RWLOCK_CAPACITY = 33554431;
export const RWLOCK_MOST = 134217727;

/* A condition (include/holdfast/condition.h, condition.h). */
export const CONDITION_BYTES = 16;
export const CONDITION_ALIGN = 8;
export const CONDITION_LINE_OFFSET = 8;
export const CONDITION_FULL = 4294967295;
export const CONDITION_ALL = 4294967295;
export const CONDITION_MOST_WAITERS = 262143;

/* An event (include/holdfast/event.h, event.h). */
export const EVENT_BYTES = 16;
export const EVENT_ALIGN = 8;
export const EVENT_CAPACITY = 1;
export const EVENT_STATE_OFFSET = 12;

/* A latch (include/holdfast/latch.h). */
export const LATCH_BYTES = 8;
export const LATCH_ALIGN = 8;
export const LATCH_COUNT_OFFSET = 0;
export const LATCH_MOST = 2147483647;

/* A barrier (include/holdfast/barrier.h). */
export const BARRIER_BYTES = 16;
export const BARRIER_ALIGN = 8;
export const BARRIER_ROUND_OFFSET = 0;
export const BARRIER_MOST = 65535;

/* A once (include/holdfast/once.h). */
export const ONCE_BYTES = 24;
export const ONCE_ALIGN = 8;
export const ONCE_DONE_OFFSET = 16;

/* A channel; the offset of a word counts from its side (include/holdfast/channel.h, channel.h). */
export const CHANNEL_BYTES = 128;
export const CHANNEL_ALIGN = 64;
export const CHANNEL_SENDERS_OFFSET = 0;
export const CHANNEL_RECEIVERS_OFFSET = 64;
export const CHANNEL_WORD_OFFSET = 16;
export const CHANNEL_COUNT_OFFSET = 20;
export const CHANNEL_RING_OFFSET = 32;
export const CHANNEL_CLOSED = 1;
export const CHANNEL_HEADER = 8;
export const CHANNEL_LEAST_PLACE = 128;
export const CHANNEL_LEAST_RING = 64;
export const CHANNEL_LARGEST_RING = 1073741824;

/* The input and output of a step (waiting.h, gate.h). */
export const STEP_KIND_BLOCKING = 0;
export const STEP_KIND_ASYNC = 1;
export const STEP_KIND_POLLING = 2;
export const STEP_NEXT_DONE = 0;
export const STEP_NEXT_WAIT_TURN = 1;
export const STEP_NEXT_WAIT_LINE = 2;
export const STEP_NEXT_WAIT_BESIDE = 3;
export const STEP_NEXT_SHIFT = 32;
export const STEP_NEXT_MASK = 3;
export const STEP_IS_LONG_SHIFT = 34;
export const STEP_WATCHED_SHIFT = 35;
export const STEP_TOKEN_LISTED = 536870912;
export const STEP_TOKEN_AGE_SHIFT = 30;
export const STEP_WAIT_MORE = 2147483648;

/* A space; the offsets count from ADDRESS, where its header lies (space.h). */
export const SPACE_ADDRESS = 16;
export const SPACE_PAGE = 65536;
export const SPACE_GRANULE = 16;
export const SPACE_NAMES_OFFSET = 32;

/* The table of threads (agents.h). */
export const AGENTS_MAGIC = 863266408;
export const AGENTS_BYTES = 24;
export const AGENTS_ALIGN = 32;
export const AGENTS_ID_OFFSET = 8;
export const AGENTS_COUNT_OFFSET = 16;
export const AGENTS_SLOTS_OFFSET = 20;
export const AGENTS_MOST = 1023;

/* A slot of it (agents.h). */
export const AGENT_BYTES = 72;
export const AGENT_PRESENCE_OFFSET = 8;
export const AGENT_LOOKED_OFFSET = 12;
export const AGENT_BLOCKED_OFFSET = 16;
export const AGENT_ASKED_OFFSET = 28;
export const AGENT_ENDING_OFFSET = 40;
export const AGENT_NAME_OFFSET = 44;
export const AGENT_NAME_BYTES = 28;
export const AGENT_STATE_BITS = 2;
export const AGENT_ALIVE = 2;
export const AGENT_WAIT_ENDS = 1;

/* The kind of object at the place that a thread waits for, in its lower bits (agents.h). */
export const AT_MUTEX = 0;
export const AT_RWLOCK = 1;
export const AT_SEMAPHORE = 2;
export const AT_CONDITION = 3;
export const AT_EVENT = 4;
export const AT_LATCH = 5;
export const AT_BARRIER = 6;
export const AT_ONCE = 7;
export const AT_MASK = 7;

/* Threads' identities in lock words (include/holdfast/thread.h). */
export const THREAD_JS = 268435456;
export const THREAD_RANDOM = 402653184;
export const THREAD_MARK = 67108864;
export const THREAD_BITS = 29;
export const THREAD_MASK = 536870911;
