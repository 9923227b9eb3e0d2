/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread that poses as a Wasm Worker, then a pthread: each prints whether it can lock, and whether it has a
 * slot. */
#include <emscripten/wasm_worker.h>
#include <holdfast/holdfast.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static hf_mutex mutex;
static __thread uint32_t worker;

uint32_t emscripten_wasm_worker_self_id(void)
{
    return worker;
}

static void *lock_once(void *id)
{
    worker = *(uint32_t *)id;
    bool is_well = hf_mutex_lock(&mutex) == HF_OK && hf_mutex_unlock(&mutex) == HF_OK;
    printf("%d %d\n", is_well, hf__is_slot(hf_thread_id()));
    return NULL;
}

int main(void)
{
    hf_threads();
    uint32_t ids[] = {1, 0};
    for (int at = 0; at < 2; at += 1) {
        pthread_t thread;
        pthread_create(&thread, NULL, lock_once, &ids[at]);
        pthread_join(thread, NULL);
    }
    return 0;
}
