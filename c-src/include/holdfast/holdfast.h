/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_H
#define HOLDFAST_H

/* Locks for threads that share memory on the web platform.
 *
 * All-zero bytes are a valid, unlocked object. Objects contain no pointer: a thread of C and the page's
 * JavaScript can use one at the same time. Functions are hf_<noun>_<verb>, times are int64 nanoseconds on
 * hf_now_ns(), results are hf_result. Nothing here starts a thread or allocates memory. */

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
