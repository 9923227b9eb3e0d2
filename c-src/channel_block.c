/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stdbool.h>
#include <stddef.h>

#include "channel.h"
#include "futex.h"

/* The calls of C threads: lock a side, use the ring (channel.c), wait for the other side. A thread that waits
 * holds no lock.
 *
 * A side's mutex protects its `next`. The token is read before the check for room or a message, so no change
 * between that check and the wait is missed. */

/* A dead holder has changed nothing (channel.c, I2). */
static hf_result without_repair(hf_mutex *mutex, hf_result locked)
{
    return locked == HF_ABANDONED ? hf_mutex_recover(mutex) : locked;
}

static hf_result lock_side(hf__channel_side *side, int64_t deadline_ns)
{
    bool is_for_ever = deadline_ns == HF_FOREVER; /* that lock is inlined */
    return without_repair(&side->mutex, is_for_ever ? hf_mutex_lock(&side->mutex)
                                                    : hf_mutex_lock_until(&side->mutex, deadline_ns));
}

static hf_result trylock_side(hf__channel_side *side)
{
    return without_repair(&side->mutex, hf_mutex_trylock(&side->mutex));
}

static hf_result wait_for_change(hf__channel_side *side, uint32_t token, int64_t deadline_ns)
{
    uint32_t result = 0;
    do {
        result = hf__channel_wait(side, token, result, hf__left(deadline_ns));
    } while (result & HF__WAIT_MORE);
    return (hf_result)result;
}

/* ---- Sends ---- */

/* The caller has put messages, and holds the senders' mutex. Ends the send. */
static hf_result publish(hf_channel *channel)
{
    bool is_open = hf__channel_move_on(&channel->senders, HF__CHANNEL_CLOSED);
    hf_mutex_unlock(&channel->senders.mutex);
    return is_open ? HF_OK : HF_CLOSED;
}

/* The caller holds the senders' mutex. Returns HF_OK with the mutex still held, or an error with the mutex
 * released. */
static hf_result put_first(hf_channel *channel, uint32_t size, void **message)
{
    hf__channel_begin(&channel->senders);
    hf__place place = hf__channel_put(channel, size);
    *message = hf__channel_bytes_at(channel, place);
    if (place < HF__CHANNEL_LEAST_PLACE) {
        hf_mutex_unlock(&channel->senders.mutex);
        return (hf_result)place;
    }
    return HF_OK;
}

hf_result hf_channel_begin_send_until(hf_channel *channel, uint32_t size, void **message, int64_t deadline_ns)
{
    hf__thread_will_block(HF__CALL("hf_channel_trysend"));
    hf_result result;
    uint32_t token;
    do {
        result = lock_side(&channel->senders, deadline_ns);
        if (result != HF_OK) {
            return result;
        }
        token = hf__channel_token(&channel->receivers);
        result = put_first(channel, size, message);
    } while (result == HF_BUSY &&
             (result = wait_for_change(&channel->receivers, token, deadline_ns)) == HF_OK);
    return result;
}

hf_result hf_channel_begin_send(hf_channel *channel, uint32_t size, void **message)
{
    return hf_channel_begin_send_until(channel, size, message, HF_FOREVER);
}

hf_result hf_channel_end_send(hf_channel *channel)
{
    if (!hf_mutex_is_mine(&channel->senders.mutex)) {
        return HF_NOT_OWNER;
    }
    return publish(channel);
}

hf_result hf_channel_cancel_send(hf_channel *channel)
{
    return hf_mutex_unlock(&channel->senders.mutex);
}

/* Ends a send with the message that was begun. */
static hf_result send_copy(hf_channel *channel, void *place, const void *message, uint32_t size)
{
    hf__channel_copy(place, message, size);
    return publish(channel);
}

hf_result hf_channel_send_until(hf_channel *channel, const void *message, uint32_t size, int64_t deadline_ns)
{
    void *place = NULL;
    hf_result result = hf_channel_begin_send_until(channel, size, &place, deadline_ns);
    return result == HF_OK ? send_copy(channel, place, message, size) : result;
}

hf_result hf_channel_send(hf_channel *channel, const void *message, uint32_t size)
{
    return hf_channel_send_until(channel, message, size, HF_FOREVER);
}

hf_result hf__channel_send_locked(hf_channel *channel, const void *message, uint32_t size)
{
    void *place = NULL;
    hf_result result = put_first(channel, size, &place);
    return result == HF_OK ? send_copy(channel, place, message, size) : result;
}

hf_result hf_channel_trysend(hf_channel *channel, const void *message, uint32_t size)
{
    hf_result result = trylock_side(&channel->senders);
    return result == HF_OK ? hf__channel_send_locked(channel, message, size) : result;
}

hf_result hf_channel_send_many_until(hf_channel *channel, const hf_message *messages, uint32_t count,
                                     uint32_t *sent, int64_t deadline_ns)
{
    *sent = 0;
    uint32_t largest = hf_channel_largest(channel);
    for (uint32_t at = 0; at < count; at += 1) {
        if (largest != 0 && messages[at].size > largest) {
            return HF_OVERFLOW;
        }
    }
    while (*sent < count) {
        const hf_message *first = &messages[*sent];
        void *place = NULL;
        hf_result result = hf_channel_begin_send_until(channel, first->size, &place, deadline_ns);
        if (result != HF_OK) {
            return result;
        }
        uint32_t more = hf__channel_put_all(channel, first + 1, count - *sent - 1);
        result = send_copy(channel, place, first->bytes, first->size);
        if (result != HF_OK) {
            return result;
        }
        *sent += 1 + more;
    }
    return HF_OK;
}

hf_result hf_channel_send_many(hf_channel *channel, const hf_message *messages, uint32_t count,
                               uint32_t *sent)
{
    return hf_channel_send_many_until(channel, messages, count, sent, HF_FOREVER);
}

/* ---- Receives ---- */

/* The caller holds the receivers' mutex. Returns HF_OK with the mutex still held, or an error with the mutex
 * released. */
static hf_result find_first(hf_channel *channel, hf_message *message)
{
    hf__channel_begin(&channel->receivers);
    hf__place place = hf__channel_next(channel);
    if (place < HF__CHANNEL_LEAST_PLACE) {
        hf_mutex_unlock(&channel->receivers.mutex);
        return (hf_result)place;
    }
    *message = hf__channel_message_at(channel, place);
    return HF_OK;
}

static hf_result begin_receive(hf_channel *channel, hf_message *message, int64_t deadline_ns)
{
    hf__thread_will_block(HF__CALL("hf_channel_tryreceive"));
    hf_result result;
    uint32_t token;
    do {
        result = lock_side(&channel->receivers, deadline_ns);
        if (result != HF_OK) {
            return result;
        }
        token = hf__channel_token(&channel->senders);
        result = find_first(channel, message);
    } while (result == HF_BUSY && (result = wait_for_change(&channel->senders, token, deadline_ns)) == HF_OK);
    return result;
}

hf_result hf_channel_begin_receive_until(hf_channel *channel, const void **message, uint32_t *size,
                                         int64_t deadline_ns)
{
    hf_message first = {NULL, 0};
    hf_result result = begin_receive(channel, &first, deadline_ns);
    *message = first.bytes;
    *size = first.size;
    return result;
}

hf_result hf_channel_begin_receive(hf_channel *channel, const void **message, uint32_t *size)
{
    return hf_channel_begin_receive_until(channel, message, size, HF_FOREVER);
}

hf_result hf_channel_end_receive(hf_channel *channel)
{
    if (!hf_mutex_is_mine(&channel->receivers.mutex)) {
        return HF_NOT_OWNER;
    }
    hf__channel_move_on(&channel->receivers, 0);
    return hf_mutex_unlock(&channel->receivers.mutex);
}

hf_result hf_channel_cancel_receive(hf_channel *channel)
{
    return hf_mutex_unlock(&channel->receivers.mutex);
}

/* Ends a receive with the message that was begun. */
static hf_result receive_copy(hf_channel *channel, const hf_message *message, void *buffer, uint32_t capacity,
                              uint32_t *size)
{
    *size = message->size;
    bool fits = message->size <= capacity;
    if (fits) {
        hf__channel_copy(buffer, message->bytes, message->size);
        hf__channel_move_on(&channel->receivers, 0);
    }
    hf_mutex_unlock(&channel->receivers.mutex);
    return fits ? HF_OK : HF_OVERFLOW;
}

hf_result hf_channel_receive_until(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size,
                                   int64_t deadline_ns)
{
    hf_message message = {NULL, 0};
    hf_result result = begin_receive(channel, &message, deadline_ns);
    return result == HF_OK ? receive_copy(channel, &message, buffer, capacity, size) : result;
}

hf_result hf_channel_receive(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size)
{
    return hf_channel_receive_until(channel, buffer, capacity, size, HF_FOREVER);
}

hf_result hf__channel_receive_locked(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size)
{
    hf_message message = {NULL, 0};
    hf_result result = find_first(channel, &message);
    return result == HF_OK ? receive_copy(channel, &message, buffer, capacity, size) : result;
}

hf_result hf_channel_tryreceive(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size)
{
    hf_result result = trylock_side(&channel->receivers);
    return result == HF_OK ? hf__channel_receive_locked(channel, buffer, capacity, size) : result;
}

hf_result hf_channel_receive_many_until(hf_channel *channel, void *buffer, uint32_t capacity,
                                        hf_message *messages, uint32_t count, uint32_t *received,
                                        int64_t deadline_ns)
{
    *received = 0;
    if (count == 0) {
        return HF_OVERFLOW;
    }
    hf_message first = {NULL, 0};
    hf_result result = begin_receive(channel, &first, deadline_ns);
    if (result != HF_OK) {
        return result;
    }
    if (first.size > capacity) {
        messages[0].size = first.size;
        result = HF_OVERFLOW;
    } else {
        *received = hf__channel_copy_all(channel, first, buffer, capacity, messages, count);
        hf__channel_move_on(&channel->receivers, 0);
    }
    hf_mutex_unlock(&channel->receivers.mutex);
    return result;
}

hf_result hf_channel_receive_many(hf_channel *channel, void *buffer, uint32_t capacity, hf_message *messages,
                                  uint32_t count, uint32_t *received)
{
    return hf_channel_receive_many_until(channel, buffer, capacity, messages, count, received, HF_FOREVER);
}
