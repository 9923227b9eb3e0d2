/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_CHANNEL_PARTS_H
#define HOLDFAST_CHANNEL_PARTS_H

#include <stdbool.h>

#include "holdfast/channel.h"
#include "waiting.h"

/* The parts of a channel, without its mutexes. Only hf__channel_wait blocks. */

/* A place is the offset of a message's bytes from the channel. A smaller number is an hf_result. */
typedef uint32_t hf__place;
enum { HF__CHANNEL_LEAST_PLACE = sizeof(hf_channel) };

/* A flag of a side's word: the channel is closed. */
#define HF__CHANNEL_CLOSED UINT32_C(1)

/* The holder of a side's mutex calls these: begin once, put or find any number of messages, then move on
 * once. If it unlocks the mutex without moving on, nothing has changed. */
void hf__channel_begin(hf__channel_side *side);

/* Moves the side past these messages: sends them, or takes them away. Returns false, and changes nothing, iff
 * the side's word has the flag `unless`: senders pass HF__CHANNEL_CLOSED, receivers 0. */
bool hf__channel_move_on(hf__channel_side *side, uint32_t unless);

/* For a sender: reserves room for the next message. Returns its place, HF_BUSY iff there is no room,
 * HF_CLOSED, HF_OVERFLOW or HF_CORRUPT. */
hf__place hf__channel_put(hf_channel *channel, uint32_t size);

/* For a receiver: returns the place of the next message, HF_BUSY iff there is none, HF_CLOSED iff there will
 * be none, or HF_CORRUPT. */
hf__place hf__channel_next(hf_channel *channel);

/* The size of a message is in the word this many bytes before its place. */
enum { HF__CHANNEL_HEADER = 8 };
hf_message hf__channel_message_at(hf_channel *channel, hf__place place);

static inline void *hf__channel_bytes_at(hf_channel *channel, hf__place place)
{
    return (char *)channel + place;
}

static inline void hf__channel_copy(void *to, const void *from, uint32_t size)
{
    if (size != 0) { /* an empty message: both pointers may be NULL */
        __builtin_memcpy(to, from, size);
    }
}

/* For a sender: puts copies of these messages, as many as there is room for. Returns how many. */
uint32_t hf__channel_put_all(hf_channel *channel, const hf_message *messages, uint32_t count);

/* For a receiver that has found the first message: copies the messages from it on, as hf_channel_receive_many,
 * and counts only those as found. Returns how many. */
uint32_t hf__channel_copy_all(hf_channel *channel, hf_message first, char *buffer, uint32_t capacity,
                              hf_message *messages, uint32_t count);

/* Waits for a change of a side, by its event count: read the token, check for room or for a message, and if
 * there is none, wait for a change since the token. */
uint32_t hf__channel_token(const hf__channel_side *side);
hf__outcome hf__channel_step(hf__channel_side *side, uint32_t token);

/* Blocks: one step and one wait, as hf__wait_once. */
uint32_t hf__channel_wait(hf__channel_side *side, uint32_t token, uint32_t before, int64_t limit_ns);

/* As hf_channel_trysend and hf_channel_tryreceive, for a caller that has locked the side's mutex: they unlock
 * it. */
hf_result hf__channel_send_locked(hf_channel *channel, const void *message, uint32_t size);
hf_result hf__channel_receive_locked(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size);

#endif
