/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_CHANNEL_H
#define HOLDFAST_CHANNEL_H

#include <stdint.h>

#include "holdfast/bool.h"
#include "holdfast/clock.h"
#include "holdfast/mutex.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A channel: messages of bytes from any threads to any threads, in a ring of fixed size. Rules of all
 * headers: holdfast.h.
 *
 *   enum { RING = 1 << 16 };
 *   hf_channel *channel = aligned_alloc(HF_CHANNEL_ALIGN, HF_CHANNEL_SIZE(RING));
 *   hf_channel_init(channel, RING);
 *
 *   hf_channel_send(channel, &point, sizeof point);
 *
 *   while (hf_channel_receive(channel, &point, sizeof point, &size) == HF_OK) {
 *       draw(point);
 *   }
 *
 * Order: first in, first out. Each message goes to one receiver, and the messages of one sender keep their
 * order. All that came before a send is visible to the thread that receives the message. All that came before
 * hf_channel_close is visible to a caller that gets HF_CLOSED.
 *
 * Storage: HF_CHANNEL_SIZE(ring) bytes, aligned to HF_CHANNEL_ALIGN: this struct, and the ring behind it. It
 * needs hf_channel_init: each call for a zeroed one returns HF_CORRUPT. It need not be destroyed. It may be
 * freed when no call for it runs any more.
 *
 * Messages: of 0 to hf_channel_largest() bytes, a little less than half the ring. In the ring each message
 * is contiguous, begins at a multiple of 8, and has 8 bytes before it. A message that does not fit before the
 * end of the ring begins at its start, and the bytes at the end stay unused until then.
 *
 * Waits: a full channel keeps senders waiting, an empty one receivers. No room is kept for a large message:
 * while others send small ones all the time, its sender may wait for long.
 *
 * Cost: with nobody waiting, three atomic read-modify-writes for a send and three for a receive; no system
 * call, no wake. The _many functions pay that once for a batch.
 *
 * Deaths: a thread that dies in a send has sent nothing. The message of a thread that dies in a receive stays
 * there for the next receiver, unless the thread had taken it. The lock that the dead thread held is found
 * and repaired by the next callers (mutex.h says how soon, and by which table): no caller gets HF_ABANDONED.
 *
 * Two languages in one thread: as in mutex.h, C and JavaScript are two owners. */

/* Not for users: the senders, or the receivers. `mutex` protects `next`. Only its holder moves the position
 * in `word`; see channel.c. */
typedef struct hf__channel_side {
    hf_mutex mutex;
    uint64_t word;  /* how many messages, and up to which position; whether threads wait for a change */
    uint64_t next;  /* the next value of `word`, which the holder of the mutex prepares */
    uint32_t bytes; /* the size of the ring; each side has a copy in its own cache line */
    uint32_t reserved[7];
} __attribute__((aligned(64))) hf__channel_side;

typedef struct hf_channel {
    hf__channel_side senders;
    hf__channel_side receivers;
} hf_channel;

enum { HF_CHANNEL_ALIGN = 64, HF_CHANNEL_LEAST_RING = 64, HF_CHANNEL_LARGEST_RING = 1 << 30 };

/* The bytes of a channel with its ring. */
#define HF_CHANNEL_SIZE(ring_bytes) (sizeof(hf_channel) + (ring_bytes))

/* Initialises it in any memory of HF_CHANNEL_SIZE(ring_bytes) bytes. Never blocks. Requires: no other thread
 * uses it yet.
 * Returns HF_OK, or HF_OVERFLOW iff ring_bytes is no power of two from HF_CHANNEL_LEAST_RING to
 * HF_CHANNEL_LARGEST_RING; then nothing is written. */
hf_result hf_channel_init(hf_channel *channel, uint32_t ring_bytes);

/* Never blocks. Returns the size of the largest message, in bytes: half the ring less 8. 0: it was not
 * initialised. */
uint32_t hf_channel_largest(const hf_channel *channel);

/* Never blocks. Returns how many messages are in it; other threads may change that at any time. */
uint32_t hf_channel_length(const hf_channel *channel);

/* Closes it. Never blocks. Any thread may call it, again too. Messages in the channel are still received. Sends
 * that have not ended return HF_CLOSED, and send nothing. */
void hf_channel_close(hf_channel *channel);

/* Never blocks. Returns whether it is closed. */
hf_bool hf_channel_is_closed(const hf_channel *channel);

/* ---- Copies ---- */

/* Sends a copy of `size` bytes.
 * Blocks: until there is room.
 * Returns HF_OK. With nothing sent: HF_CLOSED iff the channel is closed; HF_OVERFLOW iff the message is
 * larger than hf_channel_largest(); HF_DEADLOCK iff the caller has begun a send and not ended it; HF_CORRUPT
 * iff the words of the channel are not valid. */
hf_result hf_channel_send(hf_channel *channel, const void *message, uint32_t size);

/* As hf_channel_send, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_channel_send_until(hf_channel *channel, const void *message, uint32_t size, int64_t deadline_ns);

/* As hf_channel_send, but never blocks. Returns HF_BUSY iff there is no room, or another thread sends just
 * now, or the caller has begun a send. */
hf_result hf_channel_trysend(hf_channel *channel, const void *message, uint32_t size);

/* Receives a message into `buffer`, and its size into *size.
 * Blocks: until there is a message, or the channel is closed.
 * Returns HF_OK. With nothing received: HF_CLOSED iff the channel is closed and empty; HF_OVERFLOW iff the
 * message is larger than `capacity`: it stays the next one, and *size is its size; HF_DEADLOCK iff the caller
 * has begun a receive and not ended it; HF_CORRUPT iff the words of the channel are not valid. */
hf_result hf_channel_receive(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size);

/* As hf_channel_receive, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_channel_receive_until(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size,
                                   int64_t deadline_ns);

/* As hf_channel_receive, but never blocks. Returns HF_BUSY iff there is no message, or another thread
 * receives just now, or the caller has begun a receive. */
hf_result hf_channel_tryreceive(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size);

/* ---- Batches ---- */

typedef struct hf_message {
    const void *bytes;
    uint32_t size;
} hf_message;

/* Sends copies of `count` messages, in their order. Messages of other senders may come between them.
 * Blocks: until there was room for all.
 * Returns as hf_channel_send, and in *sent how many it has sent: all with HF_OK; none with HF_OVERFLOW, iff
 * one of them is too large. */
hf_result hf_channel_send_many(hf_channel *channel, const hf_message *messages, uint32_t count,
                               uint32_t *sent);

/* As hf_channel_send_many, but gives up at deadline_ns: HF_TIMEOUT, perhaps with some of them sent. */
hf_result hf_channel_send_many_until(hf_channel *channel, const hf_message *messages, uint32_t count,
                                     uint32_t *sent, int64_t deadline_ns);

/* Receives the messages that are there, at most `count`, as long as they fit into `buffer`. Each message
 * begins at a multiple of 8 from the beginning of the buffer, and `messages` says where.
 * Blocks: until there is one, or the channel is closed.
 * Returns as hf_channel_receive, and in *received how many. HF_OVERFLOW: `count` is 0, or the first message
 * does not fit; then messages[0].size is its size. */
hf_result hf_channel_receive_many(hf_channel *channel, void *buffer, uint32_t capacity, hf_message *messages,
                                  uint32_t count, uint32_t *received);

/* As hf_channel_receive_many, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_channel_receive_many_until(hf_channel *channel, void *buffer, uint32_t capacity,
                                        hf_message *messages, uint32_t count, uint32_t *received,
                                        int64_t deadline_ns);

/* ---- In place ---- */

/* Begins to send: *message is room for `size` bytes in the ring, 8-aligned, for the caller to write. No other
 * thread sends until hf_channel_end_send or hf_channel_cancel_send.
 * Blocks, returns: as hf_channel_send. */
hf_result hf_channel_begin_send(hf_channel *channel, uint32_t size, void **message);

/* As hf_channel_begin_send, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_channel_begin_send_until(hf_channel *channel, uint32_t size, void **message,
                                      int64_t deadline_ns);

/* Sends the message that was begun. Never blocks.
 * Returns HF_OK; HF_CLOSED, with nothing sent; or HF_NOT_OWNER iff the caller has begun no send. */
hf_result hf_channel_end_send(hf_channel *channel);

/* Ends the send that was begun, with nothing sent. Never blocks. Returns HF_OK or HF_NOT_OWNER. */
hf_result hf_channel_cancel_send(hf_channel *channel);

/* Begins to receive: *message is the next message, in the ring, for the caller to read, and *size its size.
 * No other thread receives until hf_channel_end_receive or hf_channel_cancel_receive.
 * Blocks, returns: as hf_channel_receive, but never HF_OVERFLOW. */
hf_result hf_channel_begin_receive(hf_channel *channel, const void **message, uint32_t *size);

/* As hf_channel_begin_receive, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_channel_begin_receive_until(hf_channel *channel, const void **message, uint32_t *size,
                                         int64_t deadline_ns);

/* Takes the message away. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller has begun no receive. */
hf_result hf_channel_end_receive(hf_channel *channel);

/* Leaves the message there, as the next one. Never blocks. Returns HF_OK or HF_NOT_OWNER. */
hf_result hf_channel_cancel_receive(hf_channel *channel);

#ifdef __cplusplus
}
#endif
#endif
