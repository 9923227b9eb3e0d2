/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "holdfast/suspending.h"

#include <emscripten/stack.h>
#include <emscripten/threading.h>
#include <stdbool.h>
#include <stddef.h>

#include "holdfast/async.h"

#ifdef __EMSCRIPTEN_WASM_WORKERS__
#include <emscripten/wasm_worker.h>
#endif

/* A suspended call. This struct is in the call's frame. The suspended calls of a thread form a stack, as
 * their frames do. A call resumes only if it is the innermost, and the stack is as deep as when the call was
 * suspended. Otherwise its next return would overwrite the frames of calls suspended later. */
typedef struct suspended {
    struct suspended *outer;
    hf_mutex *mutex;
    int64_t deadline_ns;
    hf_request request;
    hf_result result;
    bool has_ended; /* the wait for the mutex has ended */
} suspended;

/* Only the main thread suspends. */
static suspended *innermost;

/* Suspends the call, in JavaScript, until hf__suspend_no_more is called. */
void hf__suspend(suspended *call);
void hf__suspend_no_more(suspended *call);
_Noreturn void hf__suspend_abort(void);

static void end(hf_result result, void *user_data);

static void ask(suspended *call)
{
    call->request = hf_mutex_lock_async(call->mutex, end, call, call->deadline_ns);
}

/* Resumes the innermost call, if its wait has ended. */
static void go_on(void)
{
    if (innermost == NULL) {
        return;
    }
    if (innermost->has_ended) {
        hf__suspend_no_more(innermost);
        return;
    }
    for (const suspended *call = innermost->outer; call != NULL; call = call->outer) {
        if (call->has_ended && call->result != HF_TIMEOUT) {
            hf__suspend_abort();
        }
    }
}

static void end(hf_result result, void *user_data)
{
    suspended *call = user_data;
    suspended *later = innermost;
    if (result != HF_TIMEOUT && call != later && later->mutex == call->mutex &&
        hf_async_cancel(later->request)) {
        ask(call);
        call = later;
    }
    call->result = result;
    call->has_ended = true;
    go_on();
}

static hf_result suspend_until(hf_mutex *mutex, int64_t deadline_ns)
{
    suspended call = {.outer = innermost, .mutex = mutex, .deadline_ns = deadline_ns};
    ask(&call);
    innermost = &call;
    uintptr_t depth = emscripten_stack_get_current();
    do {
        hf__suspend(&call);
    } while (call.result == HF_TIMEOUT && innermost != &call);
    if (innermost != &call || emscripten_stack_get_current() != depth) {
        hf__suspend_abort();
    }
    innermost = call.outer;
    go_on();
    return call.result;
}

static bool may_block(void)
{
#ifdef __EMSCRIPTEN_WASM_WORKERS__
    if (emscripten_wasm_worker_self_id() != 0) {
        return true;
    }
#endif
    return !emscripten_is_main_runtime_thread();
}

hf_result hf_mutex_lock_suspending_until(hf_mutex *mutex, int64_t deadline_ns)
{
    if (may_block()) {
        return hf_mutex_lock_until(mutex, deadline_ns);
    }
    hf_result result = hf_mutex_trylock(mutex);
    if (result != HF_BUSY) {
        return result;
    }
    if (hf_mutex_is_mine(mutex)) {
        return HF_DEADLOCK;
    }
    return hf_now_ns() >= deadline_ns ? HF_TIMEOUT : suspend_until(mutex, deadline_ns);
}

hf_result hf_mutex_lock_suspending(hf_mutex *mutex)
{
    return hf_mutex_lock_suspending_until(mutex, HF_FOREVER);
}
