/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_H
#define HOLDFAST_H

/* Locks for threads that share memory on the web platform.
 *
 * All-zero bytes are a valid, unlocked object. Objects hold no pointer and may be held from C on a pthread
 * and waited for from JavaScript on the page. Functions are hf_<noun>_<verb>, time is int64 nanoseconds on
 * hf_now_ns(), results are hf_result. None of these headers starts a thread or allocates. */

#include "holdfast/barrier.h"
#include "holdfast/clock.h"
#include "holdfast/condition.h"
#include "holdfast/event.h"
#include "holdfast/latch.h"
#include "holdfast/mutex.h"
#include "holdfast/once.h"
#include "holdfast/result.h"
#include "holdfast/rwlock.h"
#include "holdfast/semaphore.h"
#include "holdfast/thread.h"

#endif
