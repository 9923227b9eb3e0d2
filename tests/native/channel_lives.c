/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A channel whose senders and receivers die: each thread's life ends after some messages, mostly in the
 * middle of a call, and the next thread goes on. A message that a dead thread had not published was not sent;
 * a message that it had not taken is there for the next receiver. At the end each message has come once, with
 * its bytes, those of a sender in their order. The argument is the number of messages: `channel_lives
 * 100000000` is the long form. */
#include "channel.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "holdfast/clock.h"
#include "holdfast/thread.h"
#include "random.h"
#include "watchdog.h"

enum { SENDERS = 2, RECEIVERS = 2, RING = 4096, BATCH = 32, WORDS = 8, MESSAGES = 200000 };

/* The most calls in a life. */
enum { CALLS = 400 };

static struct {
    hf_channel channel;
    unsigned char ring[RING];
} memory;

static hf_channel *const channel = &memory.channel;

/* A message has its sender and its number. Its size depends on the number. */
typedef struct message {
    uint32_t sender;
    uint32_t number;
    uint64_t words[WORDS];
} message;

/* A sender or a receiver: a series of threads, one after the other. */
typedef struct party {
    random_source random;
    uint32_t name;
    uint32_t next;              /* of a sender: the number of its next message */
    uint32_t expected[SENDERS]; /* of a receiver: the least number that may still come, by sender */
    uint64_t received[SENDERS]; /* how many */
    uint64_t sum[SENDERS];      /* of the messages' numbers */
    bool is_over;
} party;

static uint32_t messages; /* of each sender */
static uint32_t senders_at_work = SENDERS;
static uint32_t deaths;

static void require(bool condition, const char *otherwise)
{
    if (!condition) {
        fprintf(stderr, "channel_lives: %s\n", otherwise);
        abort();
    }
}

static uint32_t chance(party *self, uint32_t chances)
{
    return random_below(&self->random, chances) == 0;
}

static uint32_t words_of(uint32_t number)
{
    return number * UINT32_C(0x9e3779b9) >> 29;
}

static uint64_t word_of(uint32_t sender, uint32_t number, uint32_t at)
{
    return (number * UINT64_C(0x9e3779b97f4a7c15)) ^ (uint64_t)sender << 32 ^ at;
}

static uint32_t make(message *to, uint32_t sender, uint32_t number)
{
    const uint32_t words = words_of(number);
    to->sender = sender;
    to->number = number;
    for (uint32_t at = 0; at < words; at += 1) {
        to->words[at] = word_of(sender, number, at);
    }
    return (uint32_t)(offsetof(message, words) + words * sizeof(uint64_t));
}

static void check(party *self, const message *of, uint32_t size)
{
    require(size >= offsetof(message, words) && of->sender < SENDERS, "a message has no sender");
    const uint32_t number = of->number;
    const uint32_t words = words_of(number);
    require(size == offsetof(message, words) + words * sizeof(uint64_t), "a message has another size");
    for (uint32_t at = 0; at < words; at += 1) {
        require(of->words[at] == word_of(of->sender, number, at), "a message has other bytes");
    }
    require(number >= self->expected[of->sender], "a message came twice, or too late");
    self->expected[of->sender] = number + 1;
    self->received[of->sender] += 1;
    self->sum[of->sender] += number;
}

/* ---- Senders ---- */

static void send_some(party *self)
{
    message some[BATCH];
    hf_message batch[BATCH];
    const uint32_t left = messages - self->next;
    const uint32_t most = chance(self, 4) ? 1 : 1 + random_below(&self->random, BATCH);
    const uint32_t count = left < most ? left : most;
    for (uint32_t at = 0; at < count; at += 1) {
        batch[at] = (hf_message){&some[at], make(&some[at], self->name, self->next + at)};
    }
    uint32_t sent = count;
    const hf_result result = count == 1 ? hf_channel_send(channel, &some[0], batch[0].size)
                                        : hf_channel_send_many(channel, batch, count, &sent);
    require(result == HF_OK, "a send failed");
    self->next += sent;
}

/* Dies in the middle of a send; sometimes after the message was published. */
static void die_sending(party *self)
{
    void *place;
    message last;
    const uint32_t size = make(&last, self->name, self->next);
    require(hf_channel_begin_send(channel, size, &place) == HF_OK, "a send in place failed");
    if (chance(self, 2)) {
        __builtin_memcpy(place, &last, size);
        require(hf__channel_move_on(&channel->senders, HF__CHANNEL_CLOSED), "it was closed");
        self->next += 1;
    } else {
        __builtin_memset(place, 0xee, size);
    }
}

static void *send_for_life(void *of)
{
    party *self = of;
    for (uint32_t calls = random_below(&self->random, CALLS); calls > 0 && self->next < messages;
         calls -= 1) {
        send_some(self);
        watchdog_progress();
    }
    self->is_over = self->next == messages;
    if (!self->is_over && !chance(self, 4)) {
        die_sending(self);
        hf__add_rlx(&deaths, 1);
    }
    return NULL;
}

/* ---- Receivers ---- */

static hf_result receive_some(party *self)
{
    static __thread message buffer[BATCH];
    hf_message got[BATCH];
    uint32_t count = 1;
    hf_result result;
    if (chance(self, 4)) {
        got[0].bytes = buffer;
        result = hf_channel_receive(channel, buffer, sizeof buffer, &got[0].size);
    } else {
        result = hf_channel_receive_many(channel, buffer, sizeof buffer, got,
                                         1 + random_below(&self->random, BATCH), &count);
    }
    for (uint32_t at = 0; result == HF_OK && at < count; at += 1) {
        check(self, got[at].bytes, got[at].size);
    }
    return result;
}

/* Dies in the middle of a receive; sometimes after the message was taken. */
static void die_receiving(party *self)
{
    const void *place;
    uint32_t size;
    const hf_result result = hf_channel_begin_receive(channel, &place, &size);
    if (result == HF_OK && chance(self, 2)) {
        check(self, place, size);
        hf__channel_move_on(&channel->receivers, 0);
    }
    require(result == HF_OK || result == HF_CLOSED, "a receive in place failed");
}

static void *receive_for_life(void *of)
{
    party *self = of;
    hf_result result = HF_OK;
    for (uint32_t calls = random_below(&self->random, CALLS); calls > 0 && result == HF_OK; calls -= 1) {
        result = receive_some(self);
        watchdog_progress();
    }
    require(result == HF_OK || result == HF_CLOSED, "a receive failed");
    self->is_over = result == HF_CLOSED;
    if (!self->is_over && !chance(self, 4)) {
        die_receiving(self);
        hf__add_rlx(&deaths, 1);
    }
    return NULL;
}

/* ---- Lives, one after the other ---- */

static void live(party *self, void *(*life)(void *))
{
    while (!self->is_over) {
        pthread_t thread;
        require(pthread_create(&thread, NULL, life, self) == 0, "a thread did not start");
        pthread_join(thread, NULL);
    }
}

static void *be_sender(void *self)
{
    live(self, send_for_life);
    if (hf__add_rlx(&senders_at_work, UINT32_MAX) == 1) {
        hf_channel_close(channel);
    }
    return NULL;
}

static void *be_receiver(void *self)
{
    live(self, receive_for_life);
    return NULL;
}

/* ---- A close while another thread puts a batch: all that it reports as sent is in the channel ---- */

enum { ROUNDS = 400, CLOSED_BATCH = 40 };

static void *send_batches(void *all)
{
    hf_message batch[CLOSED_BATCH];
    for (int at = 0; at < CLOSED_BATCH; at += 1) {
        batch[at] = (hf_message){"message", sizeof "message"};
    }
    hf_result result;
    do {
        uint32_t sent;
        result = hf_channel_send_many(channel, batch, CLOSED_BATCH, &sent);
        *(uint32_t *)all += sent;
    } while (result == HF_OK);
    require(result == HF_CLOSED, "a batch ended before the close");
    return NULL;
}

static void close_in_the_middle_of_a_batch(void)
{
    for (int round = rounds_in_tier(ROUNDS); round > 0; round -= 1) {
        uint32_t all = 0;
        pthread_t thread;
        require(hf_channel_init(channel, RING) == HF_OK, "the init failed");
        require(pthread_create(&thread, NULL, send_batches, &all) == 0, "a thread did not start");
        while (hf_channel_length(channel) == 0) {
        }
        hf_channel_close(channel);
        pthread_join(thread, NULL);
        require(hf_channel_length(channel) == all, "another number was sent than a batch said");
        watchdog_progress();
    }
}

int main(int argc, char **argv)
{
    static party parties[SENDERS + RECEIVERS];
    pthread_t threads[SENDERS + RECEIVERS];
    const uint32_t all = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : (uint32_t)rounds_in_tier(MESSAGES);
    messages = all / SENDERS;
    hf_threads();
    const uint64_t seed = random_seed();
    watchdog_start((const uint32_t *)channel, sizeof *channel / sizeof(uint32_t));
    close_in_the_middle_of_a_batch();
    require(hf_channel_init(channel, RING) == HF_OK, "the init failed");
    const int64_t began_ns = hf_now_ns();
    for (uint32_t at = 0; at < SENDERS + RECEIVERS; at += 1) {
        parties[at].random = random_of(seed, at);
        parties[at].name = at;
        pthread_create(&threads[at], NULL, at < SENDERS ? be_sender : be_receiver, &parties[at]);
    }
    for (uint32_t at = 0; at < SENDERS + RECEIVERS; at += 1) {
        pthread_join(threads[at], NULL);
    }
    for (uint32_t sender = 0; sender < SENDERS; sender += 1) {
        uint64_t count = 0;
        uint64_t sum = 0;
        for (uint32_t at = SENDERS; at < SENDERS + RECEIVERS; at += 1) {
            count += parties[at].received[sender];
            sum += parties[at].sum[sender];
        }
        require(count == messages, "not as many came as were sent");
        require(sum == (uint64_t)messages * (messages - 1) / 2, "not each came once");
    }
    watchdog_stop();
    printf("%" PRIu32 " messages, %" PRIu32 " deaths, %.1f s\n", all, deaths,
           (double)(hf_now_ns() - began_ns) / 1e9);
    return 0;
}
