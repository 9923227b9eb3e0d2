/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Prints numbers for scripts/generate-layout.mjs: those that the glue needs, and those that only models and tests
 * need. It runs natively: no struct here contains a pointer, so the offsets are those of wasm32. Its first include
 * is the library's sources, which have numbers of their own. */
#define HF_THREADS 64
#include "holdfast.c"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "records.h"
#include "space.h"

/* wasm is little-endian. */
enum { LOWER_HALF = 0, UPPER_HALF = sizeof(uint32_t) };

static const char *separator = "";

static void begin(const char *group)
{
    printf("%s\n  \"%s\": {", separator, group);
    separator = "";
}

static void number(const char *name, int64_t value)
{
    printf("%s\n    \"%s\": %" PRId64, separator, name, value);
    separator = ",";
}

static void end(void)
{
    printf("\n  }");
    separator = ",";
}

static void print_result(void)
{
    begin("RESULT");
    number("OK", HF_OK);
    number("BUSY", HF_BUSY);
    number("TIMEOUT", HF_TIMEOUT);
    number("DEADLOCK", HF_DEADLOCK);
    number("NOT_OWNER", HF_NOT_OWNER);
    number("OVERFLOW", HF_OVERFLOW);
    number("DONE", HF_DONE);
    number("ABANDONED", HF_ABANDONED);
    number("CLOSED", HF_CLOSED);
    number("CORRUPT", HF_CORRUPT);
    end();
}

static void bit(const char *name, uint64_t mask)
{
    int64_t shift = 0;
    while (mask >> shift != 1) {
        shift += 1;
    }
    number(name, shift);
}

/* How long a waiter of a gate for one sleeps before the caller probes the owner. */
static int64_t blocked_before_ns(void)
{
    int64_t all_ns = 0;
    for (uint32_t slices = 0; slices < SLICES_BEFORE_PROBE; slices += 1) {
        all_ns += slice_ns(0, OUT_OF_PATIENCE, slices, true);
    }
    return all_ns;
}

static void print_gate(void)
{
    begin("GATE");
    number("USE_OFFSET", offsetof(hf__gate, word) + LOWER_HALF);
    number("TURN_OFFSET", offsetof(hf__gate, word) + UPPER_HALF);
    number("LINE_OFFSET", offsetof(hf__gate, line));
    number("OWN_OFFSET", offsetof(hf__gate, own));
    number("MOST", HF__GATE_MOST);
    number("FOR_ONE", HF__GATE_FOR_ONE);
    number("PATIENCE_MS", HF_PATIENCE_NS / HF_MILLISECOND);
    number("RESERVATION_MS", HF_RESERVATION_NS / HF_MILLISECOND);
    number("POLLED_RESERVATION_MS", HF_POLLED_RESERVATION_NS / HF_MILLISECOND);
    number("BESIDE_MS", HF_BESIDE_NS / HF_MILLISECOND);
    number("HURRIED_POLL_MS", HF_POLLED_RESERVATION_NS / 2 / HF_MILLISECOND);
    number("BLOCKED_BEFORE_MS", blocked_before_ns() / HF_MILLISECOND);
    end();
}

static void print_mutex(void)
{
    begin("MUTEX");
    number("BYTES", sizeof(hf_mutex));
    number("ALIGN", _Alignof(hf_mutex));
    end();
}

static void print_recursive_mutex(void)
{
    begin("RECURSIVE_MUTEX");
    number("BYTES", sizeof(hf_recursive_mutex));
    number("ALIGN", _Alignof(hf_recursive_mutex));
    number("DEPTH_OFFSET", offsetof(hf_recursive_mutex, depth));
    number("MOST", HF_RECURSIVE_MUTEX_MOST);
    end();
}

static void print_semaphore(void)
{
    begin("SEMAPHORE");
    number("BYTES", sizeof(hf_semaphore));
    number("ALIGN", _Alignof(hf_semaphore));
    number("MOST", HF_SEMAPHORE_MOST);
    end();
}

static void print_rwlock(void)
{
    begin("RWLOCK");
    number("BYTES", sizeof(hf_rwlock));
    number("ALIGN", _Alignof(hf_rwlock));
    number("SHARED", HF__SHARED);
    number("UPGRADABLE", HF__UPGRADABLE);
    number("CAPACITY", HF__RWLOCK_CAPACITY);
    number("MOST", HF__RWLOCK_MOST);
    end();
}

static void print_condition(void)
{
    begin("CONDITION");
    number("BYTES", sizeof(hf_condition));
    number("ALIGN", _Alignof(hf_condition));
    number("LINE_OFFSET", offsetof(hf_condition, line));
    number("FULL", HF__CONDITION_FULL);
    number("ALL", HF_CONDITION_ALL);
    number("MOST_WAITERS", HF_CONDITION_MOST_WAITERS);
    end();
}

static void print_event(void)
{
    begin("EVENT");
    number("BYTES", sizeof(hf_event));
    number("ALIGN", _Alignof(hf_event));
    number("CAPACITY", HF__EVENT_CAPACITY);
    number("STATE_OFFSET", offsetof(hf_event, gate.own));
    end();
}

static void print_latch(void)
{
    begin("LATCH");
    number("BYTES", sizeof(hf_latch));
    number("ALIGN", _Alignof(hf_latch));
    number("COUNT_OFFSET", offsetof(hf_latch, word));
    number("MOST", HF_LATCH_MOST);
    end();
}

static void print_barrier(void)
{
    begin("BARRIER");
    number("BYTES", sizeof(hf_barrier));
    number("ALIGN", _Alignof(hf_barrier));
    number("ROUND_OFFSET", offsetof(hf_barrier, word) + LOWER_HALF);
    number("MOST", HF_BARRIER_MOST);
    end();
}

static void print_once(void)
{
    begin("ONCE");
    number("BYTES", sizeof(hf_once));
    number("ALIGN", _Alignof(hf_once));
    number("DONE_OFFSET", offsetof(hf_once, done));
    end();
}

static void print_channel(void)
{
    begin("CHANNEL");
    number("BYTES", sizeof(hf_channel));
    number("ALIGN", _Alignof(hf_channel));
    number("SENDERS_OFFSET", offsetof(hf_channel, senders));
    number("RECEIVERS_OFFSET", offsetof(hf_channel, receivers));
    number("WORD_OFFSET", offsetof(hf__channel_side, word) + LOWER_HALF);
    number("COUNT_OFFSET", offsetof(hf__channel_side, word) + UPPER_HALF);
    number("RING_OFFSET", offsetof(hf__channel_side, bytes));
    number("CLOSED", HF__CHANNEL_CLOSED);
    number("HEADER", HF__CHANNEL_HEADER);
    number("LEAST_PLACE", HF__CHANNEL_LEAST_PLACE);
    number("LEAST_RING", HF_CHANNEL_LEAST_RING);
    number("LARGEST_RING", HF_CHANNEL_LARGEST_RING);
    end();
}

static void print_step(void)
{
    begin("STEP");
    number("KIND_BLOCKING", HF__BLOCKING);
    number("KIND_ASYNC", HF__ASYNC);
    number("KIND_POLLING", HF__POLLING);
    number("NEXT_DONE", HF__DONE);
    number("NEXT_WAIT_TURN", HF__WAIT_TURN);
    number("NEXT_WAIT_LINE", HF__WAIT_LINE);
    number("NEXT_WAIT_BESIDE", HF__WAIT_BESIDE);
    number("NEXT_SHIFT", HF__OUTCOME_NEXT);
    number("NEXT_MASK", HF__OUTCOME_NEXT_MASK);
    number("IS_LONG_SHIFT", HF__OUTCOME_IS_LONG);
    number("WATCHED_SHIFT", HF__OUTCOME_WATCHED);
    number("TOKEN_LISTED", HF__TOKEN_LISTED);
    number("TOKEN_AGE_SHIFT", HF__TOKEN_AGE_SHIFT);
    number("WAIT_MORE", HF__WAIT_MORE);
    end();
}

static void print_space(void)
{
    begin("SPACE");
    number("ADDRESS", HF_SPACE_ADDRESS);
    number("PAGE", HF_SPACE_PAGE);
    number("GRANULE", HF_SPACE_GRANULE);
    number("NAMES_OFFSET", offsetof(hf_space, names));
    end();
}

static void print_agents(void)
{
    begin("AGENTS");
    number("MAGIC", HF_AGENTS_MAGIC);
    number("BYTES", sizeof(hf__agents));
    number("ALIGN", HF_AGENTS_ALIGN);
    number("ID_OFFSET", offsetof(hf__agents, id));
    number("COUNT_OFFSET", offsetof(hf__agents, count));
    number("SLOTS_OFFSET", offsetof(hf__agents, slots));
    number("MOST", HF_AGENTS_MOST);
    end();
}

static void print_agent(void)
{
    begin("AGENT");
    number("BYTES", sizeof(hf__agent));
    number("PRESENCE_OFFSET", offsetof(hf__agent, presence));
    number("LOOKED_OFFSET", offsetof(hf__agent, looked));
    number("BLOCKED_OFFSET", offsetof(hf__agent, blocked));
    number("ASKED_OFFSET", offsetof(hf__agent, asked));
    number("ENDING_OFFSET", offsetof(hf__agent, ending));
    number("NAME_OFFSET", offsetof(hf__agent, name));
    number("NAME_BYTES", HF_AGENTS_NAME_BYTES);
    number("STATE_BITS", HF_AGENTS_STATE_BITS);
    number("ALIVE", HF_AGENTS_ALIVE);
    number("WAIT_ENDS", HF__WAIT_ENDS);
    end();
}

static void print_at(void)
{
    begin("AT");
    number("MUTEX", HF__AT_MUTEX);
    number("RWLOCK", HF__AT_RWLOCK);
    number("SEMAPHORE", HF__AT_SEMAPHORE);
    number("CONDITION", HF__AT_CONDITION);
    number("EVENT", HF__AT_EVENT);
    number("LATCH", HF__AT_LATCH);
    number("BARRIER", HF__AT_BARRIER);
    number("ONCE", HF__AT_ONCE);
    number("MASK", HF__AT_ONCE);
    end();
}

static void print_thread(void)
{
    begin("THREAD");
    number("JS", HF_THREAD_JS);
    number("RANDOM", HF_THREAD_RANDOM);
    number("MARK", HF_THREAD_MARK);
    number("BITS", HF_THREAD_BITS);
    number("MASK", HF_THREAD_MASK);
    end();
}

/* ---- For models and tests ---- */

static void print_private_gate(void)
{
    begin("GATE");
    bit("NAPPER_SHIFT", NAPPER);
    bit("SLEEPERS_SHIFT", SLEEPERS);
    bit("ASYNC_HEIR_SHIFT", ASYNC_HEIR);
    bit("KEEPS_SLOT_SHIFT", KEEPS_SLOT);
    bit("LOOP_PASSED_SHIFT", LOOP_PASSED);
    bit("RESERVED_SHIFT", RESERVED);
    number("SPINS_BEFORE_SLEEP", SPINS_BEFORE_SLEEP);
    number("PERMITS_BY_CORES", PERMITS_BY_CORES);
    number("OPENS_TO_ONE", HF__OPENS_TO_ONE);
    number("NUMBER_BITS", HF__NUMBER_BITS);
    number("AGE_DISPLACES", HF__AGE_DISPLACES >> HF__TOKEN_AGE_SHIFT);
    number("PATIENT", PATIENT);
    number("WOKEN_IN_VAIN", WOKEN_IN_VAIN);
    number("HAS_NAPPED", HAS_NAPPED);
    number("OUT_OF_PATIENCE", OUT_OF_PATIENCE);
    number("NAPS", HF__NAPS);
    number("NAPS_ONCE", HF__NAPS_ONCE);
    number("FIRST_NAP_NS", FIRST_NAP_NS);
    number("ONLY_NAP_NS", ONLY_NAP_NS);
    number("PATIENCE_NS", HF_PATIENCE_NS);
    number("BEHIND_NS", BEHIND_NS);
    number("WOKEN_SLEEPS_LESS", WOKEN_SLEEPS_LESS);
    number("LEAST_SLEEPS_IN_A_LIMIT", LEAST_SLEEPS_IN_A_LIMIT);
    number("RESERVATION_NS", HF_RESERVATION_NS);
    number("POLLED_RESERVATION_NS", HF_POLLED_RESERVATION_NS);
    number("BESIDE_NS", HF_BESIDE_NS);
    number("SLICES_TIMES_FOUR", SLICES_TIMES_FOUR);
    number("SLICES_BEFORE_PROBE", SLICES_BEFORE_PROBE);
    end();
}

static void print_private_condition(void)
{
    begin("CONDITION");
    number("LOOPS_SHIFT", LOOPS_AT);
    number("EPOCH_SHIFT", EPOCH_AT);
    number("EPOCH_BITS", EPOCH_BITS);
    number("WAITERS_SHIFT", WAITERS_AT);
    end();
}

static void print_private_event(void)
{
    begin("EVENT");
    number("EPOCH", EVENT_EPOCH);
    number("EPOCHS", EVENT_EPOCHS);
    end();
}

static void print_private_barrier(void)
{
    begin("BARRIER");
    number("PARTIES_SHIFT", HF__BARRIER_PARTIES_AT);
    number("ARRIVED_SHIFT", ARRIVED_AT);
    bit("SLEEPS_SHIFT", SLEEPS);
    bit("LAST_SHIFT", HF__BARRIER_LAST);
    number("ONE_LEFT", ONE_LEFT);
    end();
}

static void print_waiting(void)
{
    begin("WAITING");
    number("SPINS_FOR_A_CHANGE", SPINS_FOR_A_CHANGE);
    number("SLICES_MOST", HF__SLICES_MOST);
    number("SLICE_NS", HF__SLICE_NS);
    number("LONGEST_SLICE_NS", HF__LONGEST_SLICE_NS);
    end();
}

static void print_private_agent(void)
{
    begin("AGENT");
    number("FREE", FREE);
    number("JOINING", JOINING);
    number("DEAD", DEAD);
    number("PROBING_BITS", PROBING_BITS);
    number("HOLDER_SHIFT", HF__RECORD_HOLDER);
    end();
}

int main(void)
{
    printf("{\n\"glue\": {");
    print_result();
    print_gate();
    print_mutex();
    print_recursive_mutex();
    print_semaphore();
    print_rwlock();
    print_condition();
    print_event();
    print_latch();
    print_barrier();
    print_once();
    print_channel();
    print_step();
    print_space();
    print_agents();
    print_agent();
    print_at();
    print_thread();
    printf("\n},\n\"models\": {");
    separator = "";
    print_private_gate();
    print_private_condition();
    print_private_event();
    print_private_barrier();
    print_waiting();
    print_private_agent();
    printf("\n}}\n");
    return 0;
}
