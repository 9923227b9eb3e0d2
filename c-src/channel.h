/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_CHANNEL_PARTS_H
#define HOLDFAST_CHANNEL_PARTS_H

#include <stdbool.h>

#include "holdfast/channel.h"
#include "waiting.h"

/* The parts of a channel, without its mutexes. None blocks but hf__channel_wait. */

/* A place is the offset of a message's bytes from the channel. A smaller number is an hf_result. */
typedef uint32_t hf__place;
enum { HF__CHANNEL_LEAST_PLACE = sizeof(hf_channel) };

/* The word before the bytes of a message, as an offset from them: their size. */
enum { HF__CHANNEL_SIZE_OFFSET = -8 };

/* The next three are for the holder of the senders' mutex. Begin once, put any number of messages, then
 * publish them all, or unlock the mutex, which sends none. */
void hf__channel_begin_send(hf_channel *channel);

/* Reserves room for the next message. Returns its place, HF_BUSY iff there is no room, HF_CLOSED, HF_OVERFLOW
 * or HF_CORRUPT. */
hf__place hf__channel_put(hf_channel *channel, uint32_t size);

/* Returns HF_OK, or HF_CLOSED, with nothing sent. */
hf_result hf__channel_publish(hf_channel *channel);

/* The same for the holder of the receivers' mutex. */
void hf__channel_begin_receive(hf_channel *channel);

/* Returns the place of the next message, HF_BUSY iff there is none, HF_CLOSED iff there will be none, or
 * HF_CORRUPT. */
hf__place hf__channel_next(hf_channel *channel);
uint32_t hf__channel_size_at(const hf_channel *channel, hf__place place);

/* Takes away the messages that hf__channel_next has returned since the begin. */
void hf__channel_take(hf_channel *channel);

/* The event count of a side: a wait until the other side has changed it. Read the token, look for room or for
 * a message, and if there is none, wait for a change since the token. */
uint32_t hf__channel_token(const hf__channel_side *side);
hf__outcome hf__channel_step(hf__channel_side *side, uint32_t token);

/* Blocks: one step and one wait, as hf__wait_once. */
uint32_t hf__channel_wait(hf__channel_side *side, uint32_t token, uint32_t before, int64_t limit_ns);

#endif
