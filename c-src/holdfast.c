/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The library as one unit, and the one list of its sources: CMakeLists.txt and emscripten/holdfast.py read
 * the names below.
 *
 * With -DHF_THREADS=64, or another number from 1 to 1023, the unit has a table of threads with that many
 * slots (hf_threads()). Without HF_THREADS it has none, since the table's constructor would be in every
 * program that links the unit.
 *
 * With -DHF_PROCESS_SHARED, on Linux, locks may be in memory that processes share. Then there is no table,
 * since its identities are valid in one process only. */
#if defined(HF_PROCESS_SHARED) && (defined(HF_THREADS) || !defined(__linux__))
#error "holdfast: HF_PROCESS_SHARED needs Linux, and a build without HF_THREADS"
#endif
#if defined(HF_THREADS) && defined(__wasm__) && !defined(__EMSCRIPTEN__)
#error "holdfast: HF_THREADS needs Linux or Emscripten (holdfast/host.h)"
#endif

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* before the first header, for all of the sources */
#endif

#include "barrier.c"
#include "channel.c"
#include "channel_block.c"
#include "clock.c"
#include "condition.c"
#include "event.c"
#include "gate.c"
#include "gate_block.c"
#include "identity.c"
#include "inside.c"
#include "latch.c"
#include "mutex.c"
#include "once.c"
#include "owned.c"
#include "recursive_mutex.c"
#include "rwlock.c"
#include "semaphore.c"
#include "waiting.c"

#if 0 /* only archives contain it: it renames the static functions of the headers */
#include "linkable.c"
#endif

#ifdef HF_THREADS
#include "agents.c"
#include "owner_probe.c"
#include "threads.c"
#endif

#ifdef __EMSCRIPTEN__
/* Linked if they are called, with --js-library holdfast-library.js. */
#include "async.c"
#include "suspending.c"
#endif

#ifdef __wasm__
#include "futex_wasm.c"
#else
#include "futex_linux.c"
#endif
