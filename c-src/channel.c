/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "channel.h"

#include "futex.h"
#include "holdfast/atomic.h"

/* STATES      A side has one 64-bit word, changed by compare-exchange:
 *
 *             upper half  how many messages it has sent, or received, so far
 *             lower half  its position, a multiple of 8; HF__CHANNEL_CLOSED; CHANNEL_WAITERS: threads of the
 *                         other side may wait for a change
 *
 *             open --move on [R1]: position moves, waiters off: wakes all--> open
 *                  --step: waiters on--> open
 *                  --close [R2]: wakes all--> closed --move on [R1], of receivers--> open
 *
 *             Positions count bytes, modulo 2^32. The index into the ring is the position modulo its size, a
 *             power of two.
 *
 *             ring: | size, 4 unused | bytes, up to a multiple of 8 | size ... | SKIP, unused |
 *
 * INVARIANTS  I1  receivers' position <= senders' position <= receivers' position + size of the ring.
 *             I2  From the receivers' position to the senders' there are whole messages, and SKIP where the
 *                 rest of the ring is unused. So the one compare-exchange that moves a position makes
 *                 messages, or takes them away: a thread that dies before it has changed nothing, and its
 *                 mutex needs no repair.
 *             I3  Only the holder of a side's mutex moves the side's position, and uses `next`. Each holder
 *                 sets `next` anew: a dead one may have left anything there.
 *             I4  The senders' closed bit decides. It never goes away, and the senders' position does not
 *                 move after it. The receivers' closed bit only ends the sleep of senders.
 *             I5  A thread sleeps only for a lower half with CHANNEL_WAITERS and with the position of its
 *                 token, which each move and close changes before it wakes.
 *             I6  A message and the rest of the ring before it are at most the whole ring. So each message
 *                 fits into an empty ring, at any position.
 *             Slack: if exactly a multiple of 2^32 bytes was moved since a thread's token, the thread takes
 *             the position for unchanged, and sleeps until the next change.
 *
 * ORDERS      A1  loads of sent    acq  R1 R2  the bytes of the message come before its receive
 *             A2  loads of received acq R1     the receiver's reads come before the bytes are overwritten
 *             A3  load of closed   acq  R2     what came before the close is visible
 *             R1  cas in move_on   rel  A1 A2  the bytes are written, or read, before it
 *             R2  cas in close     rel  A1 A3  see A3
 *             All changes of a word are read-modify-writes, so each continues the release sequences before
 *             it. A step orders nothing: the next check for room or for a message does.
 * CHECKED     tests/verification/channel-model.test.js on the shipped bytes; tests/native/channel_*.c
 *
 * Source: event counts are of D. Reed and R. Kanodia, "Synchronization with eventcounts and sequencers",
 * 1979. */

#define CHANNEL_WAITERS UINT32_C(2)
#define CHANNEL_FLAGS UINT32_C(7)

/* In place of a size: the next message is at the start of the ring. */
#define CHANNEL_SKIP UINT32_MAX

/* Each message has at least a header. */
enum { MOST_MESSAGES = HF_CHANNEL_LARGEST_RING / HF__CHANNEL_HEADER };

#define NO_DISTANCE UINT32_MAX

static inline uint32_t position_in(uint64_t word)
{
    return (uint32_t)word & ~CHANNEL_FLAGS;
}

static inline uint32_t messages_in(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static inline bool is_closed_in(uint64_t word)
{
    return (word & HF__CHANNEL_CLOSED) != 0;
}

/* Parts of puts and receives: functions in the module, for its size, and inlined elsewhere, for speed (npm
 * run bench -- channel-c). */
#ifdef HF__MODULE
#define PART __attribute__((noinline)) static
#else
#define PART static inline
#endif

PART bool is_ring(uint32_t bytes)
{
    return bytes >= HF_CHANNEL_LEAST_RING && bytes <= HF_CHANNEL_LARGEST_RING && (bytes & (bytes - 1)) == 0;
}

static inline uint32_t largest_in(uint32_t bytes)
{
    return bytes / 2 - HF__CHANNEL_HEADER;
}

static inline uint32_t record_of(uint32_t size)
{
    return HF__CHANNEL_HEADER + ((size + 7) & ~UINT32_C(7));
}

static inline uint32_t *size_word(const hf_channel *channel, uint32_t index)
{
    return (uint32_t *)((uintptr_t)(channel + 1) + index);
}

hf_result hf_channel_init(hf_channel *channel, uint32_t ring_bytes)
{
    if (!is_ring(ring_bytes)) {
        return HF_OVERFLOW;
    }
    const hf__channel_side side = {.bytes = ring_bytes};
    channel->senders = side;
    channel->receivers = side;
    return HF_OK;
}

uint32_t hf_channel_largest(const hf_channel *channel)
{
    uint32_t bytes = hf__load_rlx(&channel->senders.bytes);
    return is_ring(bytes) ? largest_in(bytes) : 0;
}

uint32_t hf_channel_length(const hf_channel *channel)
{
    uint32_t received = messages_in(hf__load64_rlx(&channel->receivers.word));
    uint32_t length = messages_in(hf__load64_rlx(&channel->senders.word)) - received;
    return length <= MOST_MESSAGES ? length : 0; /* 0 if the two counts were read at different times */
}

hf_bool hf_channel_is_closed(const hf_channel *channel)
{
    return is_closed_in(hf__load64_acq(&channel->senders.word)); /* [A3] */
}

/* Wakes the threads that wait for a change of the word, which was `before`. */
static void wake_waiters(hf__channel_side *side, uint64_t before)
{
    if (before & CHANNEL_WAITERS) {
        hf__wake(hf__low_half(&side->word), HF__WAKE_ALL);
    }
}

bool hf__channel_move_on(hf__channel_side *side, uint32_t unless)
{
    uint64_t next = hf__load64_rlx(&side->next);
    uint64_t word;
    do {
        word = hf__load64_rlx(&side->word);
        if (word & unless) {
            return false;
        }
    } while (!hf__cas64_rel(&side->word, word, next)); /* [R1] */
    wake_waiters(side, word);
    return true;
}

__attribute__((noinline)) static void close_side(hf__channel_side *side)
{
    uint64_t word;
    do {
        word = hf__load64_rlx(&side->word);
    } while (!hf__cas64_rel(&side->word, word, word | HF__CHANNEL_CLOSED)); /* [R2] */
    wake_waiters(side, word);
}

void hf_channel_close(hf_channel *channel)
{
    close_side(&channel->senders); /* first (I4) */
    close_side(&channel->receivers);
}

void hf__channel_begin(hf__channel_side *side)
{
    hf__store64_rlx(&side->next, hf__load64_rlx(&side->word));
}

/* Returns by how many bytes one word is ahead of another. More than the largest ring means that other code
 * wrote here. */
PART uint32_t distance(uint32_t bytes, uint64_t ahead, uint64_t behind)
{
    uint32_t between = position_in(ahead) - position_in(behind);
    return is_ring(bytes) && between <= bytes ? between : NO_DISTANCE;
}

/* Counts one message. `bytes` is its size in the ring, skipped bytes before it included. */
static inline uint64_t after_one(uint64_t next, uint32_t bytes)
{
    return ((next >> 32) + 1) << 32 | (position_in(next) + bytes);
}

static inline hf__place place_at(uint32_t index)
{
    return HF__CHANNEL_LEAST_PLACE + index + HF__CHANNEL_HEADER;
}

/* As hf__channel_put, but counts the message in *next. The receivers' word was `received`. */
static inline hf__place put(hf_channel *channel, uint64_t *next, uint64_t received, uint32_t bytes,
                            uint32_t size)
{
    uint32_t used = distance(bytes, *next, received);
    if (used == NO_DISTANCE) {
        return HF_CORRUPT;
    }
    if (hf_channel_is_closed(channel)) {
        return HF_CLOSED;
    }
    if (size > largest_in(bytes)) {
        return HF_OVERFLOW;
    }
    uint32_t index = position_in(*next) & (bytes - 1);
    uint32_t record = record_of(size);
    uint32_t skipped = record > bytes - index ? bytes - index : 0;
    if (used + skipped + record > bytes) {
        return HF_BUSY;
    }
    if (skipped != 0) {
        hf__store_rlx(size_word(channel, index), CHANNEL_SKIP);
        index = 0;
    }
    hf__store_rlx(size_word(channel, index), size);
    *next = after_one(*next, skipped + record);
    return place_at(index);
}

hf__place hf__channel_put(hf_channel *channel, uint32_t size)
{
    uint64_t next = hf__load64_rlx(&channel->senders.next);
    uint64_t received = hf__load64_acq(&channel->receivers.word); /* [A2] */
    hf__place place = put(channel, &next, received, hf__load_rlx(&channel->senders.bytes), size);
    hf__store64_rlx(&channel->senders.next, next);
    return place;
}

uint32_t hf__channel_put_all(hf_channel *channel, const hf_message *messages, uint32_t count)
{
    uint64_t next = hf__load64_rlx(&channel->senders.next);
    uint64_t received = hf__load64_acq(&channel->receivers.word); /* [A2] one load for all messages */
    uint32_t bytes = hf__load_rlx(&channel->senders.bytes);
    uint32_t at = 0;
    for (; at < count; at += 1) {
        hf__place place = put(channel, &next, received, bytes, messages[at].size);
        if (place < HF__CHANNEL_LEAST_PLACE) {
            break;
        }
        hf__channel_copy(hf__channel_bytes_at(channel, place), messages[at].bytes, messages[at].size);
    }
    hf__store64_rlx(&channel->senders.next, next);
    return at;
}

/* As hf__channel_next, but counts the message in *next. The senders' word was `sent`. */
static inline hf__place find(const hf_channel *channel, uint64_t *next, uint64_t sent, uint32_t bytes)
{
    uint32_t ready = distance(bytes, sent, *next);
    if (ready == 0) {
        return is_closed_in(sent) ? HF_CLOSED : HF_BUSY;
    }
    if (ready == NO_DISTANCE) {
        return HF_CORRUPT;
    }
    uint32_t index = position_in(*next) & (bytes - 1);
    uint32_t size = hf__load_rlx(size_word(channel, index));
    uint32_t skipped = 0;
    if (size == CHANNEL_SKIP) {
        skipped = bytes - index;
        index = 0;
        size = hf__load_rlx(size_word(channel, 0));
    }
    uint32_t record = record_of(size);
    if (size > largest_in(bytes) || record > bytes - index || skipped + record > ready) {
        return HF_CORRUPT;
    }
    *next = after_one(*next, skipped + record);
    return place_at(index);
}

hf__place hf__channel_next(hf_channel *channel)
{
    uint64_t next = hf__load64_rlx(&channel->receivers.next);
    uint64_t sent = hf__load64_acq(&channel->senders.word); /* [A1] */
    hf__place place = find(channel, &next, sent, hf__load_rlx(&channel->receivers.bytes));
    hf__store64_rlx(&channel->receivers.next, next);
    return place;
}

static inline hf_message message_at(hf_channel *channel, hf__place place)
{
    const uint32_t *size = size_word(channel, place - HF__CHANNEL_LEAST_PLACE - HF__CHANNEL_HEADER);
    return (hf_message){hf__channel_bytes_at(channel, place), hf__load_rlx(size)};
}

hf_message hf__channel_message_at(hf_channel *channel, hf__place place)
{
    return message_at(channel, place);
}

uint32_t hf__channel_copy_all(hf_channel *channel, hf_message first, char *buffer, uint32_t capacity,
                              hf_message *messages, uint32_t count)
{
    uint32_t begins = 0;
    uint32_t copied = 0;
    uint64_t sent = hf__load64_acq(&channel->senders.word); /* [A1] one load for all messages */
    uint32_t bytes = hf__load_rlx(&channel->receivers.bytes);
    uint64_t found = hf__load64_rlx(&channel->receivers.next);
    uint64_t next = found;
    while (first.size <= capacity - begins) {
        hf__channel_copy(buffer + begins, first.bytes, first.size);
        messages[copied] = (hf_message){buffer + begins, first.size};
        copied += 1;
        next = found;
        uint32_t padded = (first.size + 7) & ~UINT32_C(7);
        hf__place place =
            copied < count && padded <= capacity - begins ? find(channel, &found, sent, bytes) : 0;
        if (place < HF__CHANNEL_LEAST_PLACE) {
            break;
        }
        begins += padded;
        first = message_at(channel, place);
    }
    hf__store64_rlx(&channel->receivers.next, next);
    return copied;
}

uint32_t hf__channel_token(const hf__channel_side *side)
{
    return (uint32_t)hf__load64_rlx(&side->word);
}

__attribute__((noinline)) hf__outcome hf__channel_step(hf__channel_side *side, uint32_t token)
{
    for (;;) {
        uint64_t word = hf__load64_rlx(&side->word);
        uint32_t awaited = token | CHANNEL_WAITERS;
        if (((uint32_t)word | CHANNEL_WAITERS) != awaited) {
            return HF__DONE;
        }
        if (hf__cas64_rlx(&side->word, word, word | CHANNEL_WAITERS)) {
            return hf__wait_for(HF__WAIT_TURN, awaited);
        }
    }
}

uint32_t hf__channel_wait(hf__channel_side *side, uint32_t token, uint32_t before, int64_t limit_ns)
{
    return hf__wait_once(hf__low_half(&side->word), hf__channel_step(side, token), before, limit_ns);
}
