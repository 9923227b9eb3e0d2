/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "futex.h"

#ifdef HF__EMSCRIPTEN_PROGRAM
#include "holdfast/thread.h"
#include <emscripten/threading.h>
#include <errno.h>
#include <stdbool.h>
#endif

#if defined(HF__EMSCRIPTEN_PROGRAM) && defined(__EMSCRIPTEN_PTHREADS__)
/* Returns whether this is a main thread that must serve other threads while it waits: Node's, or a page's in
 * calls of pthread and in a destroy. The thread that it waits for may be waiting for a call that only the
 * main thread can make. */
static bool must_attend(void)
{
    return emscripten_is_main_runtime_thread();
}

/* Waits by Emscripten's own wait, which makes such calls before it sleeps. On a page that wait spins, and
 * makes such calls all the time. */
static hf__wait_result attend(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    const int64_t end_ns = timeout_ns < 0 ? HF_FOREVER : hf_now_ns() + timeout_ns;
    for (;;) {
        int64_t left_ns = hf__left(end_ns);
        if (left_ns == 0) {
            return HF__TIMED_OUT;
        }
        /* A wait is a millisecond at most, as in Emscripten's own locks: each serves the calls of other threads. */
        int64_t once_ns = left_ns < HF_MILLISECOND ? left_ns : HF_MILLISECOND;
        int result = emscripten_futex_wait(word, expected, (double)once_ns / (double)HF_MILLISECOND);
        if (result != -ETIMEDOUT) {
            return result == -EWOULDBLOCK ? HF__CHANGED : HF__WOKEN;
        }
    }
}
#elif defined(HF__EMSCRIPTEN_PROGRAM)
/* Wasm Workers never ask the main thread to make a call for them. So a thread that may block sleeps in the
 * instruction, and only a thread that may not needs another wait.
 */
static bool must_attend(void)
{
    return !hf__thread_may_block();
}

/* The page must not sleep in a destroy: report a wake, so that the caller checks again at once. */
static hf__wait_result attend(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    (void)word, (void)expected, (void)timeout_ns;
    return HF__WOKEN;
}
#endif

/* Not inlined: the baseline compiler of V8 11.3 (Node 20) loses values that are on the operand stack below
 * the instruction. tests/verification/contract.test.js checks it. */
__attribute__((noinline)) hf__wait_result hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
#ifdef HF__EMSCRIPTEN_PROGRAM
    if (must_attend()) {
        return attend(word, expected, timeout_ns);
    }
#endif
    /* The instruction returns the numbers of hf__wait_result. */
    return (hf__wait_result)__builtin_wasm_memory_atomic_wait32((int *)word, (int)expected, timeout_ns);
}

uint32_t hf__wake(uint32_t *word, uint32_t count)
{
    return __builtin_wasm_memory_atomic_notify((int *)word, count);
}
