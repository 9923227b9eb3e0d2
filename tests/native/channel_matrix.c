/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* One channel, with half of the threads as senders and half as receivers (one thread alone is both in turn),
 * in every way to send and to receive. Each message says who sent it and when, and has a checksum. At the end
 * the channel is closed, and the receivers have all that the senders have sent, once, the messages of each
 * sender in their order. */
#include "channel.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "matrix.h"

enum { RING = 512, LARGEST = RING / 2 - 8, MESSAGES = 4000, BATCH = 6 };

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static struct {
    hf_channel channel;
    unsigned char ring[RING];
} memory;

static hf_channel *const channel = &memory.channel;

typedef struct header {
    uint32_t sender;
    uint32_t number;
    uint32_t sum;
} header;

/* The last number that each receiver has from each sender, and the count of all messages. */
static uint32_t last[MATRIX_THREADS_MAX][MATRIX_THREADS_MAX];
static uint32_t received[MATRIX_THREADS_MAX];
static uint32_t senders_at_work;
static uint32_t at_close; /* plain: the close orders it */

static uint32_t sum_of(const unsigned char *bytes, uint32_t size)
{
    uint32_t sum = size;
    for (uint32_t at = sizeof(header); at < size; at += 1) {
        sum = sum * 31 + bytes[at];
    }
    return sum;
}

static uint32_t make_message(matrix_thread *self, unsigned char *bytes, uint32_t number)
{
    uint32_t most = LARGEST - (uint32_t)sizeof(header);
    uint32_t size =
        (uint32_t)sizeof(header) + random_below(&self->random, matrix_chance(self, 4) ? most : 24);
    for (uint32_t at = sizeof(header); at < size; at += 1) {
        bytes[at] = (unsigned char)(number + at);
    }
    header head = {(uint32_t)self->number, number, sum_of(bytes, size)};
    memcpy(bytes, &head, sizeof head);
    return size;
}

/* Each way to send sends messages from `number` on, and returns how many. */

static uint32_t by_send(matrix_thread *self, uint32_t number)
{
    unsigned char bytes[LARGEST];
    uint32_t size = make_message(self, bytes, number);
    matrix_expect(hf_channel_send(channel, bytes, size), HF_OK);
    return 1;
}

static uint32_t by_send_until(matrix_thread *self, uint32_t number)
{
    unsigned char bytes[LARGEST];
    uint32_t size = make_message(self, bytes, number);
    int64_t deadline_ns = matrix_deadline(self);
    return matrix_in_time(hf_channel_send_until(channel, bytes, size, deadline_ns), deadline_ns);
}

static uint32_t by_trysend(matrix_thread *self, uint32_t number)
{
    unsigned char bytes[LARGEST];
    uint32_t size = make_message(self, bytes, number);
    hf_result result = hf_channel_trysend(channel, bytes, size);
    if (result == HF_BUSY) {
        matrix_look_elsewhere(self);
        return 0;
    }
    matrix_expect(result, HF_OK);
    return 1;
}

static uint32_t by_send_many(matrix_thread *self, uint32_t number)
{
    static __thread unsigned char bytes[BATCH][LARGEST];
    hf_message messages[BATCH];
    for (uint32_t at = 0; at < BATCH; at += 1) {
        messages[at] = (hf_message){bytes[at], make_message(self, bytes[at], number + at)};
    }
    uint32_t left = MESSAGES - number;
    uint32_t count = left < BATCH ? left : BATCH;
    uint32_t sent;
    int64_t deadline_ns = matrix_deadline(self);
    if (matrix_chance(self, 2)) {
        matrix_expect(hf_channel_send_many(channel, messages, count, &sent), HF_OK);
    } else {
        matrix_in_time(hf_channel_send_many_until(channel, messages, count, &sent, deadline_ns), deadline_ns);
    }
    return sent;
}

static uint32_t by_send_in_place(matrix_thread *self, uint32_t number)
{
    unsigned char bytes[LARGEST];
    void *place;
    uint32_t size = make_message(self, bytes, number);
    matrix_expect(hf_channel_begin_send(channel, size, &place), HF_OK);
    memcpy(place, bytes, size);
    if (matrix_chance(self, 8)) {
        matrix_expect(hf_channel_cancel_send(channel), HF_OK);
        return 0;
    }
    matrix_expect(hf_channel_end_send(channel), HF_OK);
    return 1;
}

static void check(matrix_thread *self, const void *message, uint32_t size)
{
    header head;
    matrix_require(size >= sizeof head && size <= LARGEST, "a message has another size");
    memcpy(&head, message, sizeof head);
    matrix_require(head.sum == sum_of(message, size), "a message has other bytes");
    matrix_require(head.sender < MATRIX_THREADS_MAX, "nobody sent this message");
    uint32_t *before = &last[self->number][head.sender];
    matrix_require(head.number >= *before, "a message came twice, or too late");
    *before = head.number + 1;
    received[self->number] += 1;
}

/* Each way to receive returns HF_OK, HF_CLOSED, or the error. */

static hf_result by_receive(matrix_thread *self)
{
    unsigned char bytes[LARGEST];
    uint32_t size;
    hf_result result = hf_channel_receive(channel, bytes, sizeof bytes, &size);
    if (result == HF_OK) {
        check(self, bytes, size);
    }
    return result;
}

static hf_result by_receive_until(matrix_thread *self)
{
    unsigned char bytes[LARGEST];
    uint32_t size;
    int64_t deadline_ns = matrix_deadline(self);
    hf_result result = hf_channel_receive_until(channel, bytes, sizeof bytes, &size, deadline_ns);
    if (result != HF_CLOSED && matrix_in_time(result, deadline_ns)) {
        check(self, bytes, size);
    }
    return result;
}

static hf_result by_tryreceive(matrix_thread *self)
{
    unsigned char bytes[LARGEST];
    uint32_t size;
    hf_result result = hf_channel_tryreceive(channel, bytes, sizeof bytes, &size);
    if (result == HF_OK) {
        check(self, bytes, size);
    } else if (result == HF_BUSY) {
        matrix_look_elsewhere(self);
    }
    return result;
}

static hf_result by_receive_many(matrix_thread *self)
{
    static __thread unsigned char buffer[2 * LARGEST] __attribute__((aligned(8)));
    hf_message messages[BATCH];
    uint32_t count;
    hf_result result =
        hf_channel_receive_many(channel, buffer, LARGEST + random_below(&self->random, LARGEST), messages,
                                1 + random_below(&self->random, BATCH), &count);
    for (uint32_t at = 0; at < count; at += 1) {
        check(self, messages[at].bytes, messages[at].size);
    }
    return result;
}

static hf_result by_receive_in_place(matrix_thread *self)
{
    const void *place;
    uint32_t size;
    hf_result result = hf_channel_begin_receive(channel, &place, &size);
    if (result != HF_OK) {
        return result;
    }
    if (matrix_chance(self, 8)) {
        matrix_expect(hf_channel_cancel_receive(channel), HF_OK);
        return HF_OK;
    }
    check(self, place, size);
    matrix_expect(hf_channel_end_receive(channel), HF_OK);
    return HF_OK;
}

/* As an event loop: tries, and steps until there is a change. */
static hf_result by_polling(matrix_thread *self)
{
    for (;;) {
        uint32_t token = hf__channel_token(&channel->senders);
        hf_result result = by_tryreceive(self);
        if (result != HF_BUSY) {
            return result;
        }
        if (matrix_chance(self, 20)) {
            return HF_BUSY;
        }
        if (hf_channel_length(channel) == 0) {
            hf__channel_step(&channel->senders, token);
        }
    }
}

typedef uint32_t (*way_to_send)(matrix_thread *self, uint32_t number);
typedef hf_result (*way_to_receive)(matrix_thread *self);
static const way_to_send SENDS[] = {by_send, by_send_until, by_trysend, by_send_many, by_send_in_place};
static const way_to_receive RECEIVES[] = {by_receive,      by_receive_until,    by_tryreceive,
                                          by_receive_many, by_receive_in_place, by_polling};

static void send_all(matrix_thread *self)
{
    for (uint32_t number = 0; number < MESSAGES;) {
        number += SENDS[random_below(&self->random, COUNT(SENDS))](self, number);
        watchdog_progress();
    }
    if (hf__add_rlx(&senders_at_work, UINT32_MAX) == 1) {
        at_close += 1;
        hf_channel_close(channel);
    }
    while (!hf_channel_is_closed(channel)) {
        matrix_look_elsewhere(self);
    }
    matrix_require(at_close == 1, "it was closed before what came before the close");
}

static void receive_all(matrix_thread *self)
{
    hf_result result;
    do {
        result = RECEIVES[random_below(&self->random, COUNT(RECEIVES))](self);
        watchdog_progress();
        matrix_require(result == HF_OK || result == HF_CLOSED || result == HF_BUSY || result == HF_TIMEOUT,
                       "a receive has another result");
    } while (result != HF_CLOSED);
    matrix_require(at_close == 1, "HF_CLOSED came before what came before the close");
}

/* A single thread sends as many messages as fit, then receives all of them. */
static void be_both(matrix_thread *self)
{
    for (uint32_t number = 0; number < MESSAGES;) {
        while (number < MESSAGES && by_trysend(self, number)) {
            number += 1;
        }
        while (by_tryreceive(self) == HF_OK) {
        }
    }
}

static void work(matrix_thread *self)
{
    if (self->threads == 1) {
        be_both(self);
    } else if (self->number % 2 == 0) {
        send_all(self);
    } else {
        receive_all(self);
    }
}

int main(void)
{
    matrix_begin("channel_matrix", channel, sizeof *channel);
    for (int at = 0; at < MATRIX_THREAD_COUNTS; at += 1) {
        int threads = MATRIX_THREADS[at];
        memset(last, 0, sizeof last);
        memset(received, 0, sizeof received);
        uint32_t senders = threads == 1 ? 1 : (uint32_t)threads / 2;
        senders_at_work = senders;
        at_close = 0;
        matrix_expect(hf_channel_init(channel, RING), HF_OK);
        printf("messages %d, ", MESSAGES);
        matrix_run(threads, work);
        uint32_t all = 0;
        for (int thread = 0; thread < MATRIX_THREADS_MAX; thread += 1) {
            all += received[thread];
        }
        matrix_require(all == senders * MESSAGES, "not each message came once");
        matrix_require(hf_channel_length(channel) == 0, "a message was left");
        matrix_require_zero(&channel->senders.mutex.gate.word, sizeof(uint64_t));
        matrix_require_zero(&channel->receivers.mutex.gate.word, sizeof(uint64_t));
    }
    return matrix_end();
}
