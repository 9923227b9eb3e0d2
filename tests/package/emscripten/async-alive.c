/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <emscripten.h>
#include <holdfast/async.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* Nothing but a request keeps the process alive: no timer, and no thread. */

enum { A_WHILE_US = 300000 };

static hf_mutex mutex;
static hf_event is_held;

static void *hold_for_a_while(void *unused)
{
    hf_mutex_lock(&mutex);
    hf_event_set(&is_held);
    usleep(A_WHILE_US);
    hf_mutex_unlock(&mutex);
    return unused;
}

static void tell(hf_result result, void *unused)
{
    (void)unused;
    puts(result == HF_OK ? "called back" : "not met");
    emscripten_force_exit(0);
}

int main(void)
{
    hf_event_init(&is_held, false);
    pthread_t thread;
    pthread_create(&thread, NULL, hold_for_a_while, NULL);
    hf_event_wait(&is_held);
    // Newer versions of Emscripten do this by themselves.
    EM_ASM(
        PThread.runningWorkers.concat(PThread.unusedWorkers).forEach(function(worker) { worker.unref(); }));
    hf_mutex_lock_async(&mutex, tell, NULL, HF_FOREVER);
    puts("returned");
    return 0;
}
