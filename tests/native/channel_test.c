/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A channel of one thread, and one whose other threads have died. The program has a table of threads, so a
 * thread that ends while it holds a side is found dead. */
#include "channel.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "holdfast/thread.h"
#include "random.h"
#include "watchdog.h"

enum { RING = 64, LARGEST = RING / 2 - 8 };

static struct {
    hf_channel channel;
    unsigned char ring[RING];
} memory;

static hf_channel *const channel = &memory.channel;

static int start_afresh(void **unused)
{
    (void)unused;
    memset(&memory, 0xa5, sizeof memory);
    assert_int_equal(hf_channel_init(channel, RING), HF_OK);
    futex_spy_reset();
    watchdog_progress();
    return 0;
}

static unsigned char sent[RING];

/* Returns bytes that depend on the number. */
static const unsigned char *message_of(int number)
{
    for (int at = 0; at < RING; at += 1) {
        sent[at] = (unsigned char)(number * 31 + at);
    }
    return sent;
}

static void send_one(int number, uint32_t size)
{
    assert_int_equal(hf_channel_trysend(channel, message_of(number), size), HF_OK);
}

static void receive_one(int number, uint32_t size)
{
    unsigned char buffer[RING];
    uint32_t received;
    assert_int_equal(hf_channel_tryreceive(channel, buffer, sizeof buffer, &received), HF_OK);
    assert_int_equal(received, size);
    assert_memory_equal(buffer, message_of(number), size);
}

static hf_result try_receive(void)
{
    unsigned char buffer[RING];
    uint32_t size;
    return hf_channel_tryreceive(channel, buffer, sizeof buffer, &size);
}

static void assert_free(void)
{
    assert_int_equal(channel->senders.mutex.gate.word, 0);
    assert_int_equal(channel->receivers.mutex.gate.word, 0);
}

static void an_init_takes_powers_of_two_and_writes_nothing_else(void **unused)
{
    (void)unused;
    const uint32_t bad[] = {0, 1, 8, 32, 63, 65, 96, (1 << 30) + 8, UINT32_MAX, UINT32_C(1) << 31};
    memset(&memory, 0xa5, sizeof memory);
    for (size_t at = 0; at < sizeof bad / sizeof *bad; at += 1) {
        assert_int_equal(hf_channel_init(channel, bad[at]), HF_OVERFLOW);
        assert_int_equal(channel->senders.bytes, 0xa5a5a5a5);
    }
    assert_int_equal(hf_channel_init(channel, RING), HF_OK);
    assert_int_equal(memory.ring[0], 0xa5);
    assert_int_equal(hf_channel_length(channel), 0);
    assert_int_equal(hf_channel_largest(channel), LARGEST);
    assert_false(hf_channel_is_closed(channel));
    assert_int_equal(try_receive(), HF_BUSY);
    assert_int_equal(hf_channel_init(channel, HF_CHANNEL_LARGEST_RING), HF_OK);
    assert_int_equal(hf_channel_largest(channel), (1 << 29) - 8);
}

static void messages_of_each_size_arrive_in_order_at_each_position(void **unused)
{
    (void)unused;
    for (int round = 0; round < 100; round += 1) {
        for (uint32_t size = 0; size <= LARGEST; size += 1) {
            send_one(round, size);
            assert_int_equal(hf_channel_length(channel), 1);
            if (size < 8) {
                send_one(round + 1, 3);
                assert_int_equal(hf_channel_length(channel), 2);
            }
            receive_one(round, size);
            if (size < 8) {
                receive_one(round + 1, 3);
            }
            assert_int_equal(try_receive(), HF_BUSY);
        }
    }
    assert_free();
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
}

static void positions_wrap_at_2_to_the_32(void **unused)
{
    (void)unused;
    channel->senders.word = channel->receivers.word = UINT64_C(0xfffffffffffffff0);
    assert_int_equal(hf_channel_length(channel), 0);
    for (int number = 0; number < 10; number += 1) {
        send_one(number, LARGEST);
        assert_int_equal(hf_channel_length(channel), 1);
        receive_one(number, LARGEST);
    }
    assert_int_equal(channel->senders.word >> 32, 9);
}

static void a_length_read_during_changes_is_at_most_the_maximum(void **unused)
{
    (void)unused;
    const uint64_t most = HF_CHANNEL_LARGEST_RING / 8;
    channel->senders.word = (most + 7) << 32;
    channel->receivers.word = UINT64_C(7) << 32;
    assert_int_equal(hf_channel_length(channel), most);
    channel->receivers.word = UINT64_C(6) << 32;
    assert_int_equal(hf_channel_length(channel), 0);
    channel->senders.word = UINT64_C(5) << 32; /* as if it had been read before the receivers' word */
    assert_int_equal(hf_channel_length(channel), 0);
}

static void a_ring_holds_all_of_its_bytes(void **unused)
{
    (void)unused;
    for (int number = 0; number < RING / 16; number += 1) {
        send_one(number, 8);
    }
    assert_int_equal(hf_channel_trysend(channel, message_of(0), 0), HF_BUSY);
    assert_int_equal(hf_channel_send_until(channel, message_of(0), 0, 0), HF_TIMEOUT);
    assert_int_equal(hf_channel_length(channel), RING / 16);
    receive_one(0, 8);
    send_one(9, 0);
    assert_int_equal(hf_channel_trysend(channel, message_of(0), 8), HF_BUSY);
    for (int number = 1; number < RING / 16; number += 1) {
        receive_one(number, 8);
    }
    receive_one(9, 0);
    assert_int_equal(try_receive(), HF_BUSY);
    assert_free();
}

static void a_message_larger_than_half_the_ring_is_refused(void **unused)
{
    (void)unused;
    const uint32_t large[] = {LARGEST + 1, RING, UINT32_MAX - 7, UINT32_MAX};
    for (size_t at = 0; at < sizeof large / sizeof *large; at += 1) {
        void *place;
        assert_int_equal(hf_channel_send(channel, NULL, large[at]), HF_OVERFLOW);
        assert_int_equal(hf_channel_trysend(channel, NULL, large[at]), HF_OVERFLOW);
        assert_int_equal(hf_channel_begin_send(channel, large[at], &place), HF_OVERFLOW);
        assert_free();
    }
    assert_int_equal(hf_channel_length(channel), 0);
}

static void an_empty_message_needs_no_memory(void **unused)
{
    (void)unused;
    uint32_t size = 7;
    assert_int_equal(hf_channel_send(channel, NULL, 0), HF_OK);
    assert_int_equal(hf_channel_receive(channel, NULL, 0, &size), HF_OK);
    assert_int_equal(size, 0);
}

static void a_message_that_does_not_fit_the_buffer_stays(void **unused)
{
    (void)unused;
    unsigned char buffer[RING] = {0};
    uint32_t size = 0;
    send_one(1, 9);
    assert_int_equal(hf_channel_receive(channel, buffer, 8, &size), HF_OVERFLOW);
    assert_int_equal(size, 9);
    assert_int_equal(buffer[0], 0);
    assert_int_equal(hf_channel_length(channel), 1);
    assert_free();
    receive_one(1, 9);
}

static void a_send_in_place_sends_when_it_ends(void **unused)
{
    (void)unused;
    void *place;
    assert_int_equal(hf_channel_begin_send(channel, 12, &place), HF_OK);
    assert_int_equal((uintptr_t)place % 8, 0);
    memcpy(place, message_of(3), 12);
    assert_int_equal(try_receive(), HF_BUSY);
    assert_int_equal(hf_channel_trysend(channel, NULL, 0), HF_BUSY);
    assert_int_equal(hf_channel_send(channel, NULL, 0), HF_DEADLOCK);
    assert_int_equal(hf_channel_end_send(channel), HF_OK);
    assert_int_equal(hf_channel_end_send(channel), HF_NOT_OWNER);
    assert_int_equal(hf_channel_cancel_send(channel), HF_NOT_OWNER);
    receive_one(3, 12);

    assert_int_equal(hf_channel_begin_send(channel, 12, &place), HF_OK);
    assert_int_equal(hf_channel_cancel_send(channel), HF_OK);
    assert_int_equal(hf_channel_length(channel), 0);
    assert_free();
}

static void a_receive_in_place_takes_the_message_when_it_ends(void **unused)
{
    (void)unused;
    const void *place;
    uint32_t size;
    send_one(4, 10);
    send_one(5, 1);
    assert_int_equal(hf_channel_begin_receive(channel, &place, &size), HF_OK);
    assert_int_equal((uintptr_t)place % 8, 0);
    assert_int_equal(size, 10);
    assert_memory_equal(place, message_of(4), 10);
    assert_int_equal(try_receive(), HF_BUSY);
    assert_int_equal(hf_channel_receive(channel, NULL, 0, &size), HF_DEADLOCK);
    assert_int_equal(hf_channel_cancel_receive(channel), HF_OK);
    assert_int_equal(hf_channel_length(channel), 2);

    assert_int_equal(hf_channel_begin_receive(channel, &place, &size), HF_OK);
    assert_int_equal(hf_channel_end_receive(channel), HF_OK);
    assert_int_equal(hf_channel_end_receive(channel), HF_NOT_OWNER);
    assert_int_equal(hf_channel_cancel_receive(channel), HF_NOT_OWNER);
    receive_one(5, 1);
    assert_free();
}

static void a_batch_is_sent_and_received_at_once(void **unused)
{
    (void)unused;
    hf_message messages[] = {{"one", 3}, {"", 0}, {"seven", 5}};
    hf_message got[4];
    char buffer[32];
    uint32_t count;
    assert_int_equal(hf_channel_send_many(channel, messages, 3, &count), HF_OK);
    assert_int_equal(count, 3);
    assert_int_equal(hf_channel_length(channel), 3);
    assert_int_equal(hf_channel_receive_many(channel, buffer, sizeof buffer, got, 4, &count), HF_OK);
    assert_int_equal(count, 3);
    for (uint32_t at = 0; at < 3; at += 1) {
        assert_int_equal(got[at].size, messages[at].size);
        assert_memory_equal(got[at].bytes, messages[at].bytes, messages[at].size);
        assert_int_equal(((const char *)got[at].bytes - buffer) % 8, 0);
    }
    assert_int_equal(hf_channel_length(channel), 0);
    assert_int_equal(hf_channel_send_many(channel, NULL, 0, &count), HF_OK);
    assert_int_equal(count, 0);
    assert_free();
}

static void a_batch_receives_what_fits_and_leaves_the_rest(void **unused)
{
    (void)unused;
    hf_message got[4];
    char buffer[16];
    uint32_t count;
    send_one(1, 3);
    send_one(2, 8);
    send_one(3, 1);
    assert_int_equal(hf_channel_receive_many(channel, buffer, 2, got, 4, &count), HF_OVERFLOW);
    assert_int_equal(count, 0);
    assert_int_equal(got[0].size, 3);
    assert_int_equal(hf_channel_receive_many(channel, buffer, 16, got, 0, &count), HF_OVERFLOW);
    assert_int_equal(hf_channel_receive_many(channel, buffer, 15, got, 4, &count), HF_OK);
    assert_int_equal(count, 1);
    assert_int_equal(hf_channel_length(channel), 2);
    assert_int_equal(hf_channel_receive_many(channel, buffer, 16, got, 1, &count), HF_OK);
    assert_int_equal(count, 1);
    assert_memory_equal(got[0].bytes, message_of(2), 8);
    receive_one(3, 1);
    assert_free();
}

/* Sends messages of these sizes, and receives them at once into `capacity` bytes. Returns how many came. */
static uint32_t come_at_once(const uint32_t *sizes, uint32_t count, uint32_t capacity)
{
    hf_message got[RING] = {{NULL, 0}};
    unsigned char buffer[RING];
    uint32_t received = 0;
    start_afresh(NULL);
    for (uint32_t at = 0; at < count; at += 1) {
        send_one((int)at, sizes[at]);
    }
    memset(buffer, 0x5a, RING);
    assert_int_equal(hf_channel_receive_many(channel, buffer, capacity, got, RING, &received), HF_OK);
    assert_true(received <= count);
    for (uint32_t at = 0; at < received && at < count; at += 1) {
        assert_int_equal(got[at].size, sizes[at]);
        assert_memory_equal(got[at].bytes, message_of((int)at), sizes[at]);
    }
    for (uint32_t at = capacity; at < RING; at += 1) {
        assert_int_equal(buffer[at], 0x5a);
    }
    assert_int_equal(hf_channel_length(channel), count - received);
    assert_free();
    return received;
}

static void a_batch_fills_the_buffer_to_its_end_and_no_further(void **unused)
{
    (void)unused;
    assert_int_equal(come_at_once((uint32_t[]){8, 8, 8}, 3, 16), 2);
    assert_int_equal(come_at_once((uint32_t[]){8, 0, 1}, 3, 8), 2);
    assert_int_equal(come_at_once((uint32_t[]){9, 1}, 2, 11), 1);
    assert_int_equal(come_at_once((uint32_t[]){0, 9, 2, 1}, 4, 19), 3);
    assert_int_equal(come_at_once((uint32_t[]){LARGEST}, 1, LARGEST), 1);
}

static void a_batch_takes_messages_of_the_largest_size(void **unused)
{
    (void)unused;
    hf_message messages[] = {{message_of(7), LARGEST}, {message_of(7), LARGEST}};
    uint32_t count;
    assert_int_equal(hf_channel_send_many(channel, messages, 2, &count), HF_OK);
    assert_int_equal(count, 2);
    receive_one(7, LARGEST);
    receive_one(7, LARGEST);
}

static void a_batch_with_a_message_too_large_sends_none(void **unused)
{
    (void)unused;
    hf_message messages[] = {{"one", 3}, {NULL, LARGEST + 1}};
    uint32_t count = 7;
    assert_int_equal(hf_channel_send_many(channel, messages, 2, &count), HF_OVERFLOW);
    assert_int_equal(count, 0);
    assert_int_equal(hf_channel_length(channel), 0);
}

static void a_batch_that_finds_no_room_in_time_says_how_many_it_sent(void **unused)
{
    (void)unused;
    hf_message messages[] = {{"0123456", 8}, {"0123456", 8}, {"0123456", 8}, {"0123456", 8}, {"0123456", 8}};
    uint32_t count;
    assert_int_equal(hf_channel_send_many_until(channel, messages, 5, &count, 0), HF_TIMEOUT);
    assert_int_equal(count, 4);
    assert_int_equal(hf_channel_length(channel), 4);
    hf_channel_close(channel);
    assert_int_equal(hf_channel_send_many(channel, messages, 5, &count), HF_CLOSED);
    assert_int_equal(count, 0);
}

static void a_closed_channel_gives_what_is_in_it(void **unused)
{
    (void)unused;
    unsigned char buffer[RING];
    hf_message got;
    uint32_t size;
    void *place;
    const void *next;
    send_one(1, 8);
    send_one(2, 8);
    assert_int_equal(hf_channel_begin_send(channel, 8, &place), HF_OK);
    hf_channel_close(channel);
    hf_channel_close(channel);
    assert_true(hf_channel_is_closed(channel));
    assert_int_equal(hf_channel_end_send(channel), HF_CLOSED);
    assert_int_equal(hf_channel_send(channel, NULL, 0), HF_CLOSED);
    assert_int_equal(hf_channel_trysend(channel, NULL, 0), HF_CLOSED);
    assert_int_equal(hf_channel_length(channel), 2);
    assert_int_equal(hf_channel_begin_receive(channel, &next, &size), HF_OK);
    assert_memory_equal(next, message_of(1), 8);
    assert_int_equal(hf_channel_end_receive(channel), HF_OK);
    receive_one(2, 8);
    assert_int_equal(try_receive(), HF_CLOSED);
    assert_int_equal(hf_channel_receive(channel, buffer, RING, &size), HF_CLOSED);
    assert_int_equal(hf_channel_receive_many(channel, buffer, RING, &got, 1, &size), HF_CLOSED);
    assert_int_equal(size, 0);
    assert_true(hf_channel_is_closed(channel));
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_free();
}

static void send_7(void)
{
    send_one(7, 4);
}

static void take_the_first(void)
{
    assert_int_equal(try_receive(), HF_OK);
}

static void close_it(void)
{
    hf_channel_close(channel);
}

static void no_send_is_lost_between_the_check_and_the_sleep(void **unused)
{
    (void)unused;
    unsigned char buffer[RING];
    uint32_t size;
    futex_spy_at_next_wait(send_7);
    assert_int_equal(hf_channel_receive(channel, buffer, RING, &size), HF_OK);
    assert_int_equal(size, 4);
    assert_int_equal(futex_spy_waits(), 1);
    assert_ptr_equal(futex_spy_waited_on(), hf__low_half(&channel->senders.word));
    assert_int_equal(futex_spy_timeout_ns(), HF__SLICE_NS);
    assert_int_equal(futex_spy_wakes(NULL), 1);
    assert_int_equal(futex_spy_wake_count(hf__low_half(&channel->senders.word)), HF__WAKE_ALL);
    send_one(8, 4);
    assert_int_equal(futex_spy_wakes(NULL), 1); /* no thread waits any more */
    assert_free();
}

static void fill(void)
{
    while (hf_channel_trysend(channel, message_of(1), 8) == HF_OK) {
    }
}

static void no_receive_is_lost_between_the_check_and_the_sleep(void **unused)
{
    (void)unused;
    fill();
    futex_spy_at_next_wait(take_the_first);
    assert_int_equal(hf_channel_send(channel, message_of(2), 8), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_ptr_equal(futex_spy_waited_on(), hf__low_half(&channel->receivers.word));
    assert_int_equal(futex_spy_wakes(NULL), 1);
    assert_int_equal(futex_spy_wake_count(hf__low_half(&channel->receivers.word)), HF__WAKE_ALL);
    take_the_first();
    assert_int_equal(futex_spy_wakes(NULL), 1);
    assert_free();
}

static void a_close_ends_waits_on_both_sides(void **unused)
{
    (void)unused;
    unsigned char buffer[RING];
    uint32_t size;
    futex_spy_at_next_wait(close_it);
    assert_int_equal(hf_channel_receive(channel, buffer, RING, &size), HF_CLOSED);
    assert_int_equal(futex_spy_wakes(hf__low_half(&channel->senders.word)), 1);
    start_afresh(NULL);
    fill();
    futex_spy_at_next_wait(close_it);
    assert_int_equal(hf_channel_send(channel, message_of(2), 8), HF_CLOSED);
    assert_int_equal(futex_spy_wakes(hf__low_half(&channel->receivers.word)), 1);
    assert_int_equal(hf_channel_length(channel), RING / 16);
    assert_free();
}

static void take_one_and_put_a_smaller_one(void)
{
    take_the_first();
    send_one(3, 0);
    futex_spy_at_next_wait(take_the_first);
}

static void a_wait_goes_on_until_there_is_room_enough(void **unused)
{
    (void)unused;
    fill();
    futex_spy_at_next_wait(take_one_and_put_a_smaller_one);
    assert_int_equal(hf_channel_send(channel, message_of(2), 8), HF_OK);
    assert_int_equal(futex_spy_waits(), 2);
    assert_free();
}

static void a_wait_does_not_time_out_before_its_deadline(void **unused)
{
    (void)unused;
    unsigned char buffer[RING];
    uint32_t size;
    int64_t deadline_ns = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_channel_receive_until(channel, buffer, RING, &size, deadline_ns), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline_ns);
    fill();
    deadline_ns = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_channel_send_until(channel, message_of(1), 8, deadline_ns), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline_ns);
    assert_int_equal(hf_channel_receive_until(channel, buffer, RING, &size, 0), HF_OK);
    assert_int_equal(hf_channel_send_until(channel, message_of(1), 8, 0), HF_OK);
    assert_free();
}

static void each_call_on_a_zeroed_channel_returns_corrupt(void **unused)
{
    (void)unused;
    unsigned char buffer[RING];
    uint32_t size;
    memset(&memory, 0, sizeof memory);
    hf_message message = {buffer, 8};
    assert_int_equal(hf_channel_largest(channel), 0);
    assert_int_equal(hf_channel_send(channel, buffer, 8), HF_CORRUPT);
    assert_int_equal(hf_channel_send_many(channel, &message, 1, &size), HF_CORRUPT);
    assert_int_equal(hf_channel_receive(channel, buffer, RING, &size), HF_CORRUPT);
    assert_free();
}

static void corrupt_words_end_each_call(void **unused)
{
    (void)unused;
    const uint32_t sizes[] = {LARGEST + 1, RING, UINT32_MAX - 7, UINT32_MAX, 1000, 9};
    for (size_t at = 0; at < sizeof sizes / sizeof *sizes; at += 1) {
        start_afresh(NULL);
        send_one(1, 8);
        memcpy(memory.ring, &sizes[at], sizeof sizes[at]);
        assert_int_equal(try_receive(), HF_CORRUPT);
        assert_int_equal(try_receive(), HF_CORRUPT);
        assert_int_equal(hf_channel_length(channel), 1);
        assert_free();
    }
    const uint32_t positions[] = {8, RING - 8, RING + 8, UINT32_C(1) << 31, 1 << 20};
    for (size_t at = 0; at < sizeof positions / sizeof *positions; at += 1) {
        start_afresh(NULL);
        /* Fills the ring with skips, or with empty messages. */
        memset(memory.ring, positions[at] > RING ? 0 : 0xff, RING);
        channel->senders.word = positions[at];
        assert_int_equal(try_receive(), HF_CORRUPT);
        channel->receivers.word = positions[at] + 8;
        channel->senders.word = 0;
        assert_int_equal(hf_channel_trysend(channel, message_of(1), 8), HF_CORRUPT);
        assert_free();
    }
    start_afresh(NULL);
    ((uint32_t *)memory.ring)[12] = LARGEST; /* goes beyond the end of the ring */
    channel->receivers.word = 48;
    channel->senders.word = 48 + LARGEST + 8;
    assert_int_equal(try_receive(), HF_CORRUPT);
    start_afresh(NULL);
    memset(memory.ring, 0, RING);
    channel->senders.word = 8;
    channel->senders.bytes = channel->receivers.bytes = 65;
    assert_int_equal(hf_channel_trysend(channel, message_of(1), 8), HF_CORRUPT);
    assert_int_equal(try_receive(), HF_CORRUPT);
}

/* Returns a position, a size or a flag that some word may hold, or any other number. */
static uint32_t random_word(random_source *random)
{
    static const uint32_t edges[] = {0,          1,
                                     2,          3,
                                     7,          8,
                                     LARGEST,    LARGEST + 1,
                                     RING,       RING - 8,
                                     RING + 8,   RING / 2,
                                     UINT32_MAX, UINT32_MAX - 7,
                                     1 << 30,    UINT32_C(1) << 31};
    const uint32_t any = random_below(random, UINT32_MAX);
    switch (random_below(random, 3)) {
    case 0:
        return edges[any % (sizeof edges / sizeof *edges)];
    case 1:
        return any % (2 * RING);
    default:
        return any;
    }
}

/* Each call ends, with a reason. The words of the mutexes stay valid, since a call would wait for a held
 * mutex. The size of the ring stays too: another power of two would be valid. */
static void with_random_words_each_call_ends_and_stays_in_the_ring(void **unused)
{
    (void)unused;
    random_source random = random_of(random_seed(), 0);
    const size_t bytes = HF_CHANNEL_SIZE(RING);
    for (int round = rounds_in_tier(100000); round > 0; round -= 1) {
        hf_channel *there = aligned_alloc(HF_CHANNEL_ALIGN, bytes); /* AddressSanitizer checks its end */
        const uint32_t capacity = random_below(&random, LARGEST + 2);
        unsigned char *buffer = malloc(capacity + (capacity == 0));
        uint32_t *ring = (uint32_t *)(there + 1);
        assert_int_equal(hf_channel_init(there, RING), HF_OK);
        for (int at = 0; at < RING / 4; at += 1) {
            ring[at] = random_word(&random);
        }
        hf__channel_side *sides[] = {&there->senders, &there->receivers};
        for (int side = 0; side < 2; side += 1) {
            sides[side]->word = (uint64_t)random_word(&random) << 32 | random_word(&random);
            sides[side]->next = (uint64_t)random_word(&random) << 32 | random_word(&random);
        }
        for (int call = 0; call < 6; call += 1) {
            const uint32_t which = random_below(&random, 8);
            hf_message messages[3] = {{buffer, 0}, {buffer, capacity}, {buffer, capacity / 2}};
            hf_result result = HF_OK;
            uint32_t size = 0;
            void *place = NULL;
            const void *next = NULL;
            switch (which) {
            case 0:
                result = hf_channel_trysend(there, buffer, capacity);
                break;
            case 1:
                result = hf_channel_tryreceive(there, buffer, capacity, &size);
                break;
            case 2:
                result = hf_channel_send_many_until(there, messages, 3, &size, 0);
                break;
            case 3:
                result = hf_channel_receive_many_until(there, buffer, capacity, messages, 3, &size, 0);
                assert_true(size <= 3);
                break;
            case 4:
                result = hf_channel_begin_send_until(there, capacity, &place, 0);
                if (result == HF_OK) {
                    memset(place, 0xee, capacity);
                    hf_channel_end_send(there);
                }
                break;
            case 5:
                result = hf_channel_begin_receive_until(there, &next, &size, 0);
                if (result == HF_OK) {
                    for (uint32_t at = 0; at < size; at += 1) {
                        sent[0] ^= ((const unsigned char *)next)[at];
                    }
                    hf_channel_end_receive(there);
                }
                break;
            case 6:
                assert_true(hf_channel_length(there) <= HF_CHANNEL_LARGEST_RING / 8);
                break;
            default:
                hf_channel_close(there);
                assert_true(hf_channel_is_closed(there));
            }
            assert_true(result == HF_OK || result == HF_BUSY || result == HF_TIMEOUT || result == HF_CLOSED ||
                        result == HF_OVERFLOW || result == HF_CORRUPT);
            assert_int_equal(there->senders.mutex.gate.word | there->receivers.mutex.gate.word, 0);
        }
        free(buffer);
        free(there);
        watchdog_progress();
    }
}

/* The lives of threads that end in the middle. */

static void *begin_to_send(void *unused)
{
    (void)unused;
    void *place;
    if (hf_channel_begin_send(channel, 8, &place) == HF_OK) {
        memset(place, 0xee, 8);
    }
    return NULL;
}

static void *begin_to_receive(void *unused)
{
    (void)unused;
    const void *place;
    uint32_t size;
    hf_channel_begin_receive(channel, &place, &size);
    return NULL;
}

static void *publish_and_hold(void *unused)
{
    begin_to_send(unused);
    hf__channel_move_on(&channel->senders, HF__CHANNEL_CLOSED);
    return NULL;
}

static void *wait_and_die(void *unused)
{
    (void)unused;
    hf__channel_step(&channel->senders, hf__channel_token(&channel->senders));
    return NULL;
}

static void live_and_die(void *(*life)(void *))
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, life, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void a_thread_that_dies_in_a_send_sent_nothing(void **unused)
{
    (void)unused;
    for (int round = 0; round < 10; round += 1) {
        live_and_die(begin_to_send);
        assert_int_equal(try_receive(), HF_BUSY);
        if (round % 2 == 0) {
            assert_int_equal(hf_channel_send(channel, message_of(round), 8), HF_OK);
        } else {
            send_one(round, 8);
        }
        receive_one(round, 8);
        assert_free();
    }
}

static void a_thread_that_dies_after_its_send_has_sent(void **unused)
{
    (void)unused;
    live_and_die(publish_and_hold);
    assert_int_equal(hf_channel_length(channel), 1);
    assert_int_equal(try_receive(), HF_OK);
    send_one(1, 8);
    receive_one(1, 8);
    assert_free();
}

static void the_next_receiver_gets_what_a_dead_one_had(void **unused)
{
    (void)unused;
    unsigned char buffer[RING];
    uint32_t size;
    send_one(1, 8);
    send_one(2, 8);
    live_and_die(begin_to_receive);
    assert_int_equal(hf_channel_receive(channel, buffer, RING, &size), HF_OK);
    assert_memory_equal(buffer, message_of(1), 8);
    live_and_die(begin_to_receive);
    assert_int_equal(hf_channel_end_receive(channel), HF_NOT_OWNER);
    assert_int_equal(hf_channel_length(channel), 1);
    receive_one(2, 8);
    assert_free();
}

static void a_thread_that_dies_in_its_wait_holds_nobody_up(void **unused)
{
    (void)unused;
    live_and_die(wait_and_die);
    send_one(1, 8);
    assert_int_equal(futex_spy_wakes(NULL), 1);
    receive_one(1, 8);
    assert_free();
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    hf_threads();
    const struct CMUnitTest tests[] = {
        TEST(an_init_takes_powers_of_two_and_writes_nothing_else),
        TEST(messages_of_each_size_arrive_in_order_at_each_position),
        TEST(positions_wrap_at_2_to_the_32),
        TEST(a_length_read_during_changes_is_at_most_the_maximum),
        TEST(a_ring_holds_all_of_its_bytes),
        TEST(a_message_larger_than_half_the_ring_is_refused),
        TEST(an_empty_message_needs_no_memory),
        TEST(a_message_that_does_not_fit_the_buffer_stays),
        TEST(a_send_in_place_sends_when_it_ends),
        TEST(a_receive_in_place_takes_the_message_when_it_ends),
        TEST(a_batch_is_sent_and_received_at_once),
        TEST(a_batch_receives_what_fits_and_leaves_the_rest),
        TEST(a_batch_fills_the_buffer_to_its_end_and_no_further),
        TEST(a_batch_takes_messages_of_the_largest_size),
        TEST(a_batch_with_a_message_too_large_sends_none),
        TEST(a_batch_that_finds_no_room_in_time_says_how_many_it_sent),
        TEST(a_closed_channel_gives_what_is_in_it),
        TEST(no_send_is_lost_between_the_check_and_the_sleep),
        TEST(no_receive_is_lost_between_the_check_and_the_sleep),
        TEST(a_close_ends_waits_on_both_sides),
        TEST(a_wait_goes_on_until_there_is_room_enough),
        TEST(a_wait_does_not_time_out_before_its_deadline),
        TEST(each_call_on_a_zeroed_channel_returns_corrupt),
        TEST(corrupt_words_end_each_call),
        TEST(with_random_words_each_call_ends_and_stays_in_the_ring),
        TEST(a_thread_that_dies_in_a_send_sent_nothing),
        TEST(a_thread_that_dies_after_its_send_has_sent),
        TEST(the_next_receiver_gets_what_a_dead_one_had),
        TEST(a_thread_that_dies_in_its_wait_holds_nobody_up),
    };
    watchdog_start((const uint32_t *)channel, sizeof *channel / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("channel", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
