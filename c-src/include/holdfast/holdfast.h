/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_H
#define HOLDFAST_H

/* Locks for threads that share memory on the web platform.
 *
 * All-zero bytes are a valid, unlocked object. Objects contain no pointer: a thread of C and the page's
 * JavaScript can use one at the same time. Functions are hf_<noun>_<verb>, times are int64 nanoseconds on
 * hf_now_ns(), results are hf_result. Nothing here starts a thread or allocates memory.
 *
 * Calls that block, in an Emscripten program: a thread that must not block (the page) aborts in each of them,
 * also where the call would not block, before it changes anything; the message names the call of async.h to
 * make instead. Nested locks of a recursive mutex are no such calls, and HF_DEADLOCK comes as elsewhere. Only
 * a destroy may wait there: the page stands still until the threads that are about to return have done so.
 * Elsewhere the main thread, while it blocks, makes the calls that pthreads ask of it, as in pthread's own
 * waits: about every ms. */

#include "holdfast/barrier.h"
#include "holdfast/clock.h"
#include "holdfast/condition.h"
#include "holdfast/event.h"
#include "holdfast/latch.h"
#include "holdfast/mutex.h"
#include "holdfast/once.h"
#include "holdfast/recursive_mutex.h"
#include "holdfast/result.h"
#include "holdfast/rwlock.h"
#include "holdfast/semaphore.h"
#include "holdfast/thread.h"

#endif
