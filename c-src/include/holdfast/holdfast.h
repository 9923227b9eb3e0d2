/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_H
#define HOLDFAST_H

/* Locks for threads that share memory on the web platform. These rules hold in all headers of this folder.
 *
 * Objects: C and, through the glue, JavaScript may use an object at the same time, on the page too: objects
 * contain no pointer. All-zero bytes are a valid, unlocked object. So zeroing initialises an object, and memory
 * from malloc needs that. Exception: a channel needs its init. Locks of different threads in one cache line slow
 * each other down: align hot ones to 64 bytes (npm run bench -- lines). Nothing here starts a thread or
 * allocates memory.
 *
 * Names: functions are hf_<noun>_<verb>, results are hf_result. In the comments, "it" is the object that
 * the call is for.
 *
 * Blocks: the call waits until what its comment names has happened. Only a thread that may block may make it:
 * no page of a browser, no audio callback.
 *
 * Never blocks: any thread may make the call.
 *
 * Deadlines: deadline_ns is int64 nanoseconds on hf_now_ns() (clock.h). A wait never times out before it. A
 * call after it is one attempt, which takes what is free. On timeout nothing is held, unless the comment
 * says otherwise.
 *
 * Emscripten: a thread that must not block (the page) aborts in each call that blocks, also where the call
 * would not wait, before it changes anything. The message names the call of async.h to make instead. Three
 * calls do not abort there: a nested lock of a recursive mutex, a lock that returns HF_DEADLOCK, and a
 * destroy. While a destroy waits, the page stands still until the threads that are about to return have done
 * so. A main thread that may block (Node's) serves calls from pthreads about every ms while it waits, as in
 * pthread's own waits.
 *
 * Wasm without Emscripten: a thread that must not block traps in each call that blocks (host.h). */

#include "holdfast/barrier.h"
#include "holdfast/channel.h"
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
