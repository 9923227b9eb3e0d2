/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#define _XOPEN_SOURCE 600
#include <pthread.h>
#include <string.h>

#include "contestants.h"
#include "holdfast/channel.h"

/* A channel of holdfast, and the same ring with pthread's mutex and conditions, as it is in textbooks. Threads with
 * even numbers send messages, the others receive them; each locks once for a batch. The senders end the run by
 * closing the channel, and the receivers end when it is empty. */

enum { RING = 65536, HEADER = 8, MOST = 256 };

/* The number of its sender's messages before it; the rest is the load. */
typedef struct payload {
    uint32_t number;
    uint32_t unused[3];
} payload;

/* One thread's batch. */
typedef struct batch {
    payload payloads[MOST];
    hf_message messages[MOST];
} batch;

/* The batches of the one sender, and of the one receiver. */
static batch sending;
static batch receiving;
static uint32_t next_sent;
static uint32_t next_received;

typedef bool send_batch(const batch *from, uint32_t count); /* false: it is closed */
typedef uint32_t receive_batch(batch *to, uint32_t most);   /* 0: it is closed and empty */
typedef void close_ring(void);

/* Sends or receives a batch. */
INLINE bool one_batch(arena *arena, uint32_t thread, send_batch *send, receive_batch *receive,
                      close_ring *close)
{
    tally *own = &arena->tallies[thread];
    uint32_t count = arena->amount;
    if (thread % 2 != 0) {
        count = receive(&receiving, count);
        for (uint32_t at = 0; at < count; at += 1) {
            const payload *got = receiving.messages[at].bytes;
            own->torn += got->number != next_received;
            next_received += 1;
        }
    } else if (arena_is_stopped(arena)) {
        close();
        return false;
    } else {
        for (uint32_t at = 0; at < count; at += 1) {
            sending.payloads[at].number = next_sent;
            sending.messages[at] = (hf_message){&sending.payloads[at], sizeof(payload)};
            next_sent += 1;
        }
        own->torn += !send(&sending, count);
    }
    own->sections += count;
    return count > 0;
}

/* ---- holdfast ---- */

static struct {
    hf_channel channel;
    unsigned char ring[RING];
} ours;

static void ours_prepare(arena *arena)
{
    (void)arena;
    next_sent = next_received = 0;
    hf_channel_init(&ours.channel, RING);
}

static bool ours_send(const batch *from, uint32_t count)
{
    uint32_t sent;
    return count == 1 ? hf_channel_send(&ours.channel, from->payloads, sizeof(payload)) == HF_OK
                      : hf_channel_send_many(&ours.channel, from->messages, count, &sent) == HF_OK;
}

static uint32_t ours_receive(batch *to, uint32_t most)
{
    uint32_t received = 0;
    if (most == 1) {
        to->messages[0].bytes = to->payloads;
        return hf_channel_receive(&ours.channel, to->payloads, sizeof(payload), &received) == HF_OK;
    }
    hf_channel_receive_many(&ours.channel, to->payloads, sizeof to->payloads, to->messages, most, &received);
    return received;
}

static void ours_close(void)
{
    hf_channel_close(&ours.channel);
}

/* ---- pthread ---- */

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    pthread_cond_t emptied;
    uint32_t head; /* the number of bytes sent, modulo 2^32; `tail`: of bytes received */
    uint32_t tail;
    bool is_closed;
    unsigned char ring[RING] OWN_LINE;
} theirs;

static void theirs_prepare(arena *arena)
{
    (void)arena;
    next_sent = next_received = 0;
    memset(&theirs, 0, sizeof theirs);
    pthread_mutex_init(&theirs.mutex, NULL);
    pthread_cond_init(&theirs.filled, NULL);
    pthread_cond_init(&theirs.emptied, NULL);
}

static uint32_t record_of(uint32_t size)
{
    return HEADER + ((size + 7) & ~UINT32_C(7));
}

/* A message is contiguous: it begins at the start of the ring if it does not fit before the end. */
static bool has_put(const hf_message *message)
{
    const uint32_t index = theirs.head % RING;
    const uint32_t record = record_of(message->size);
    const uint32_t skipped = record > RING - index ? RING - index : 0;
    if (theirs.head - theirs.tail + skipped + record > RING) {
        return false;
    }
    if (skipped != 0) {
        memcpy(&theirs.ring[index], &(uint32_t){UINT32_MAX}, sizeof(uint32_t));
    }
    unsigned char *place = &theirs.ring[skipped != 0 ? 0 : index];
    memcpy(place, &message->size, sizeof(uint32_t));
    memcpy(place + HEADER, message->bytes, message->size);
    theirs.head += skipped + record;
    return true;
}

static uint32_t size_at(uint32_t index)
{
    uint32_t size;
    memcpy(&size, &theirs.ring[index], sizeof size);
    return size;
}

static void take(void *to, uint32_t *size)
{
    uint32_t index = theirs.tail % RING;
    if (size_at(index) == UINT32_MAX) {
        theirs.tail += RING - index;
        index = 0;
    }
    *size = size_at(index);
    memcpy(to, &theirs.ring[index + HEADER], *size);
    theirs.tail += record_of(*size);
}

static bool theirs_send(const batch *from, uint32_t count)
{
    pthread_mutex_lock(&theirs.mutex);
    for (uint32_t at = 0; at < count && !theirs.is_closed; at += 1) {
        while (!has_put(&from->messages[at]) && !theirs.is_closed) {
            pthread_cond_signal(&theirs.filled);
            pthread_cond_wait(&theirs.emptied, &theirs.mutex);
        }
    }
    const bool is_sent = !theirs.is_closed;
    pthread_cond_signal(&theirs.filled);
    pthread_mutex_unlock(&theirs.mutex);
    return is_sent;
}

static uint32_t theirs_receive(batch *to, uint32_t most)
{
    pthread_mutex_lock(&theirs.mutex);
    while (theirs.head == theirs.tail && !theirs.is_closed) {
        pthread_cond_wait(&theirs.filled, &theirs.mutex);
    }
    uint32_t received = 0;
    for (; received < most && theirs.head != theirs.tail; received += 1) {
        to->messages[received].bytes = &to->payloads[received];
        take(&to->payloads[received], &to->messages[received].size);
    }
    pthread_cond_signal(&theirs.emptied);
    pthread_mutex_unlock(&theirs.mutex);
    return received;
}

static void theirs_close(void)
{
    pthread_mutex_lock(&theirs.mutex);
    theirs.is_closed = true;
    pthread_cond_broadcast(&theirs.filled);
    pthread_cond_broadcast(&theirs.emptied);
    pthread_mutex_unlock(&theirs.mutex);
}

REPEAT(ours_batches, one_batch, ours_send, ours_receive, ours_close)
REPEAT(theirs_batches, one_batch, theirs_send, theirs_receive, theirs_close)

const contestant channels[CHANNELS] = {
    {.name = "holdfast", .prepare = ours_prepare, .sections = ours_batches},
    {.name = "pthread_cond", .prepare = theirs_prepare, .sections = theirs_batches},
};
