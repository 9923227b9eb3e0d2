/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SUSPENDING_H
#define HOLDFAST_SUSPENDING_H

#include <stdint.h>

#include "holdfast/clock.h"
#include "holdfast/mutex.h"
#include "holdfast/result.h"

#ifndef __EMSCRIPTEN__
#error "holdfast: suspending.h is for Emscripten programs, which have JSPI"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Experimental. A plain call that waits on the page: it suspends the C code that called it, by JSPI, while
 * the page goes on with its events. It takes -sJSPI, Emscripten 6 or later (older ones were not tried), an
 * engine with JSPI, and --js-library holdfast-library.js. Without -sJSPI a program that calls this does not
 * link.
 *
 *   EMSCRIPTEN_KEEPALIVE void save(void)       // -sJSPI_EXPORTS=save: a promise in JavaScript
 *   {
 *       if (hf_mutex_lock_suspending(&mutex) == HF_OK) {
 *           write_document();
 *           hf_mutex_unlock(&mutex);
 *       }
 *   }
 *
 * Callable from: any thread. On the thread of the page (Node's main thread, too) it suspends, if the mutex
 * is not free. The outermost C function there must be main() or one of JSPI_EXPORTS, with no JavaScript
 * between it and this call; elsewhere, as in callbacks of emscripten_set_timeout, the engine throws a
 * SuspendError, and the program cannot go on. On all other threads, which may block, it is
 * hf_mutex_lock_until.
 *
 * One stack: all C code of a thread has its variables on one stack, and the engine does not switch that. Code
 * that runs during a suspended call puts its variables below those of the call, so that code must end first.
 * Therefore:
 *   - Calls of one thread that wait for one mutex get it in the reverse order: the latest first.
 *   - A call whose time is over returns when those that were made later have ended.
 *   - A call that gets its mutex while a later call waits for another one cannot go on.
 *   - A call cannot go on while C code that something else suspended later (emscripten_sleep) has not ended.
 *   - A call cannot go on when code that was suspended earlier has ended, and has taken this call's stack
 *     away.
 * When a call cannot go on, the program aborts with a message. So do not let two of these calls wait for
 * two mutexes at the same time, and make none beside other C code that suspends. hf_mutex_lock_async has no
 * such limits. */

/* Suspends or blocks: until the caller holds it.
 * Returns HF_OK; HF_ABANDONED (mutex.h); HF_DEADLOCK iff the thread holds it already. */
hf_result hf_mutex_lock_suspending(hf_mutex *mutex);

/* As hf_mutex_lock_suspending, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_mutex_lock_suspending_until(hf_mutex *mutex, int64_t deadline_ns);

#ifdef __cplusplus
}
#endif
#endif
