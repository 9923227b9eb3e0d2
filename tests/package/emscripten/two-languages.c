/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <emscripten.h>
#include <holdfast/async.h>
#include <holdfast/holdfast.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* A mutex that threads, callbacks of C and JavaScript request at the same time, and a channel by which they
 * send and receive. tests/support/two-languages.js is the JavaScript. */

enum { THREADS = 2, RING = 256 };

static hf_mutex mutex;
static hf_request last;
static pthread_t threads[THREADS];
static atomic_bool stop;
static double section_ms;

EM_JS(void, told, (int number, int result), { Module['told'](number, result); });

EMSCRIPTEN_KEEPALIVE hf_mutex *address_of_mutex(void)
{
    return &mutex;
}

static void *contend(void *unused)
{
    while (!stop) {
        hf_mutex_lock(&mutex);
        double end = emscripten_get_now() + section_ms;
        while (emscripten_get_now() < end) {
        }
        hf_mutex_unlock(&mutex);
    }
    return unused;
}

EMSCRIPTEN_KEEPALIVE void start(double ms)
{
    section_ms = ms;
    stop = false;
    for (int i = 0; i < THREADS; i += 1) {
        pthread_create(&threads[i], NULL, contend, NULL);
    }
}

/* The threads end within a section, for which the thread of a page may wait. */
EMSCRIPTEN_KEEPALIVE void finish(void)
{
    stop = true;
    for (int i = 0; i < THREADS; i += 1) {
        pthread_join(threads[i], NULL);
    }
}

static void met(hf_result result, void *number)
{
    told((int)(size_t)number, result);
    if (result == HF_OK) {
        hf_mutex_unlock(&mutex);
    }
}

EMSCRIPTEN_KEEPALIVE void ask(int number)
{
    last = hf_mutex_lock_async(&mutex, met, (void *)(size_t)number, HF_FOREVER);
}

EMSCRIPTEN_KEEPALIVE void cancel_last(void)
{
    hf_async_cancel(last);
}

EMSCRIPTEN_KEEPALIVE void forget(void)
{
    hf_async_forget(&mutex, sizeof mutex);
}

/* ---- The channel: each message is a sender and a number ---- */

static struct {
    hf_channel channel;
    char ring[RING];
} memory;

static hf_channel *const channel = &memory.channel;
static int most; // numbers of each sender
static atomic_int sending;

typedef struct message {
    int sender;
    int number;
} message;

static message received, sent;
static uint32_t size;

EM_JS(void, got, (int receiver, int sender, int number), { Module['got'](receiver, sender, number); });

EMSCRIPTEN_KEEPALIVE hf_channel *new_channel(int numbers)
{
    hf_channel_init(channel, RING);
    most = numbers;
    return channel;
}

static void *send_all(void *sender)
{
    for (int number = 0; number < most; number += 1) {
        const message next = {(int)(intptr_t)sender, number};
        hf_channel_send(channel, &next, sizeof next);
    }
    sending -= 1;
    return NULL;
}

/* From 2 on, since the page's senders have the numbers 0 and 1. */
EMSCRIPTEN_KEEPALIVE void send_by_threads(void)
{
    sending = THREADS;
    for (int i = 0; i < THREADS; i += 1) {
        pthread_t thread;
        pthread_create(&thread, NULL, send_all, (void *)(intptr_t)(2 + i));
        pthread_detach(thread);
    }
}

static void has_received(hf_result result, void *unused)
{
    if (result == HF_OK) {
        got(0, received.sender, received.number);
        hf_channel_receive_async(channel, &received, sizeof received, &size, has_received, unused,
                                 HF_FOREVER);
    }
}

EMSCRIPTEN_KEEPALIVE void receive_here(void)
{
    hf_channel_receive_async(channel, &received, sizeof received, &size, has_received, NULL, HF_FOREVER);
}

static void has_sent(hf_result result, void *unused)
{
    if (result == HF_OK) {
        sent.number += 1;
    }
    if (sent.number < most) {
        hf_channel_send_async(channel, &sent, sizeof sent, has_sent, unused, HF_FOREVER);
    }
}

EMSCRIPTEN_KEEPALIVE void send_here(void)
{
    sent = (message){0, -1};
    has_sent(HF_OK, NULL);
}

EMSCRIPTEN_KEEPALIVE int senders_at_work(void)
{
    return sending;
}

EMSCRIPTEN_KEEPALIVE void leave(void)
{
    emscripten_force_exit(0);
}

EMSCRIPTEN_KEEPALIVE int trylock(void)
{
    return hf_mutex_trylock(&mutex);
}

EMSCRIPTEN_KEEPALIVE int unlock(void)
{
    return hf_mutex_unlock(&mutex);
}
