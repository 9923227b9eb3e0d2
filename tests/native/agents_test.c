/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The table of threads. One thread plays all the agents: it makes the other agents' moves during a probe in
 * the wake of that probe. */
#include "agents_stage.h"
#include "gate.h"
#include "mutex.h"
#include "owner_probe.h"

#include <stdbool.h>
#include <stdlib.h>

#include "cmocka_with_headers.h"
#include "watchdog.h"

enum { SLOTS = 4, ENOUGH = 12, GENERATIONS = 1 << 16, GENERATION_AT = HF_THREAD_SLOT_BITS };

/* A C thread. */
enum { ANNA = 101 };

/* Added to the clock, so that the last probe of every agent was long ago. */
enum { LONG_MS = 1000000 };
static uint32_t now_ms;

static void (*in_the_middle)(void);

/* Input of the hooks below, and their results. */
static uint32_t target;
static uint32_t born_meanwhile;
static hf_mutex mutex;

static void call_once(void)
{
    void (*now)(void) = in_the_middle;
    in_the_middle = NULL;
    if (now) {
        now();
    }
}

static void make(uint32_t slots)
{
    agents_make(slots);
    agents_before_wake = call_once;
    in_the_middle = NULL;
    target = 0;
    born_meanwhile = 0;
    mutex = (hf_mutex){0};
}

static int start_afresh(void **unused)
{
    (void)unused;
    now_ms = LONG_MS;
    make(SLOTS);
    return 0;
}

static uint32_t join(void)
{
    return hf__agents_join(agents_at(), now_ms);
}

static bool credit(uint32_t identity, uint32_t entries)
{
    return hf__agent_appear(agents_slot_of(identity), identity, entries);
}

static void leave(uint32_t identity)
{
    hf__agent_leave(agents_slot_of(identity), identity);
}

/* Lets an agent join with that many entries. Requires: there is a slot. */
static uint32_t be_born(uint32_t entries)
{
    uint32_t identity = join();
    assert_int_not_equal(identity, 0);
    agents_arm(identity, entries);
    assert_true(credit(identity, entries));
    return identity;
}

static bool look_at_time(uint32_t identity, uint32_t at_ms)
{
    return hf__agents_probe(agents_at(), identity, at_ms);
}

/* Probes the agent, late enough after any earlier probe. */
static bool look(uint32_t identity)
{
    now_ms += LONG_MS;
    return look_at_time(identity, now_ms);
}

static uint32_t of_generation(uint32_t generation, uint32_t number)
{
    return HF_THREAD_JS | generation << GENERATION_AT | number;
}

static void assert_entries(uint32_t identity, uint32_t entries)
{
    assert_int_equal(agents_armed(identity), entries);
    assert_int_equal(agents_counted(identity), entries);
}

static void an_identity_is_a_slot_number_and_a_count_of_its_uses(void **unused)
{
    (void)unused;
    for (uint32_t generation = 1; generation <= 3; generation += 1) {
        for (uint32_t number = 1; number <= SLOTS; number += 1) {
            uint32_t identity = be_born(0);
            assert_int_equal(identity, of_generation(generation, number));
            assert_ptr_equal(hf__agents_slot(agents_at(), identity), agents_slot_of(identity));
            leave(identity);
        }
    }
}

static int by_value(const void *one, const void *other)
{
    uint32_t left = *(const uint32_t *)one;
    uint32_t right = *(const uint32_t *)other;
    return (left > right) - (left < right);
}

static void identities_are_unique_and_differ_from_those_of_other_kinds_of_threads(void **unused)
{
    (void)unused;
    enum { LIVES = 10000 };
    static uint32_t all[LIVES];
    for (uint32_t at = 0; at < LIVES; at += 1) {
        now_ms += LONG_MS;
        all[at] = be_born(1);
        assert_int_equal(all[at] & ~HF_THREAD_MASK, 0);
        assert_true(hf__is_slot(all[at]));
        assert_false(hf__is_abandoned(all[at]));
        assert_true(hf__is_abandoned(all[at] | HF_THREAD_MARK));
        assert_in_range(all[at] & HF_AGENTS_MOST, 1, SLOTS);
        if (at % 3 == 0) {
            leave(all[at]);
        } else {
            agents_lose(all[at], ENOUGH);
        }
    }
    qsort(all, LIVES, sizeof all[0], by_value);
    for (uint32_t at = 1; at < LIVES; at += 1) {
        assert_int_not_equal(all[at], all[at - 1]);
    }
}

static void a_table_can_have_as_many_slots_as_an_identity_can_name(void **unused)
{
    (void)unused;
    make(HF_AGENTS_MOST);
    for (uint32_t number = 1; number <= HF_AGENTS_MOST; number += 1) {
        assert_int_equal(be_born(0), of_generation(1, number));
    }
    assert_int_equal(join(), 0);
    leave(of_generation(1, HF_AGENTS_MOST));
    assert_int_equal(join(), of_generation(2, HF_AGENTS_MOST));
}

static void slots_are_given_out_in_turn(void **unused)
{
    (void)unused;
    uint32_t first = be_born(1);
    uint32_t second = be_born(1);
    leave(second);
    leave(first);
    assert_int_equal(be_born(1), of_generation(1, 3));
    assert_int_equal(be_born(1), of_generation(1, 4));
    assert_int_equal(be_born(1), of_generation(2, 1));
    assert_int_equal(be_born(1), of_generation(2, 2));
}

static void joins_work_with_any_value_of_last(void **unused)
{
    (void)unused;
    const uint32_t values[] = {SLOTS, SLOTS + 1, UINT32_MAX, UINT32_MAX - 1};
    for (uint32_t at = 0; at < SLOTS; at += 1) {
        agents_at()->last = values[at];
        be_born(1);
    }
    agents_at()->last = UINT32_MAX;
    assert_int_equal(join(), 0);
}

static void a_slot_known_to_be_unused_is_taken_before_any_probe(void **unused)
{
    (void)unused;
    uint32_t dead = be_born(ENOUGH);
    be_born(ENOUGH);
    uint32_t left = be_born(ENOUGH);
    agents_lose(dead, ENOUGH); /* not found dead yet */
    leave(left);
    uint32_t wakes = agents_wakes();
    assert_int_equal(join(), of_generation(1, 4));
    assert_int_equal(join(), of_generation(2, 3));
    assert_int_equal(agents_wakes(), wakes);
    assert_int_equal(join(), of_generation(2, 1));
    assert_int_not_equal(agents_wakes(), wakes);
}

static void a_full_table_of_living_threads_has_no_free_slot(void **unused)
{
    (void)unused;
    uint32_t all[SLOTS];
    for (uint32_t at = 0; at < SLOTS; at += 1) {
        all[at] = be_born(at);
    }
    assert_int_equal(join(), 0);
    /* Each agent with an entry was probed once. */
    assert_int_equal(agents_wakes(), SLOTS - 1);
    assert_entries(all[0], 0);
    for (uint32_t at = 1; at < SLOTS; at += 1) {
        assert_entries(all[at], at - 1);
        assert_true(credit(all[at], 0));
    }
}

static void a_joining_thread_finds_a_dead_thread(void **unused)
{
    (void)unused;
    uint32_t all[SLOTS];
    for (uint32_t at = 0; at < SLOTS; at += 1) {
        all[at] = be_born(ENOUGH);
    }
    agents_lose(all[2], ENOUGH);
    assert_int_equal(join(), of_generation(2, 3));
    assert_true(look(all[2]));
    assert_false(look(all[0]));
    assert_false(look(all[3]));
}

static void join_in_vain(uint32_t times)
{
    for (uint32_t at = 0; at < times; at += 1) {
        assert_int_equal(join(), 0);
    }
}

static void failed_joins_do_not_use_up_the_entries_of_others(void **unused)
{
    (void)unused;
    make(1);
    uint32_t identity = be_born(ENOUGH);
    join_in_vain(100);
    assert_entries(identity, 6); /* one probe: below 8 entries the pauses are longer */
    now_ms += (HF_AGENTS_PAUSE_MS << 2) - 1;
    join_in_vain(100);
    assert_entries(identity, 6);
    now_ms += 1;
    join_in_vain(100);
    assert_entries(identity, 5);
    agents_lose(identity, ENOUGH);
    assert_int_equal(join(), 0); /* too early to probe */
    now_ms += HF_AGENTS_PAUSE_MS << 3;
    assert_int_equal(join(), of_generation(2, 1));
}

static void a_joining_thread_finds_a_dead_thread_that_was_probed_just_before(void **unused)
{
    (void)unused;
    make(1);
    uint32_t identity = be_born(ENOUGH);
    assert_false(look(identity));
    agents_lose(identity, ENOUGH);
    assert_int_equal(join(), of_generation(2, 1));
}

static void a_thread_that_died_without_a_credit_keeps_its_slot(void **unused)
{
    (void)unused;
    make(1);
    uint32_t identity = be_born(1);
    assert_false(look(identity));
    assert_entries(identity, 0);
    assert_int_equal(join(), 0);
    assert_false(look(identity));
}

static void a_joining_thread_does_not_get_the_slot_of_another_joining_thread(void **unused)
{
    (void)unused;
    make(1);
    uint32_t identity = join();
    assert_int_equal(join(), 0);
    agents_arm(identity, 1);
    assert_true(credit(identity, 1));
}

static void the_next_thread_in_a_slot_begins_without_credits(void **unused)
{
    (void)unused;
    make(1);
    uint32_t former = be_born(ENOUGH);
    agents_lose(former, ENOUGH);
    assert_true(look(former));
    assert_int_equal(agents_counted(former), ENOUGH - 1);
    uint32_t next = join();
    assert_int_equal(agents_slot_of(next)->credits, 0);
    assert_true(credit(next, 0));
    assert_false(look(next)); /* unknown */
    agents_arm(next, 2);
    assert_true(credit(next, 2));
    assert_entries(next, 2);
}

static void a_probe_takes_one_entry_and_counts_it(void **unused)
{
    (void)unused;
    uint32_t identity = be_born(ENOUGH);
    uint32_t other = be_born(ENOUGH);
    for (uint32_t left = ENOUGH; left > 0; left -= 1) {
        assert_false(look(identity));
        assert_entries(identity, left - 1);
    }
    assert_int_equal(agents_slot_of(identity)->credits, 0);
    assert_entries(other, ENOUGH);
    agents_arm(identity, 1);
    assert_true(credit(identity, 1));
    assert_entries(identity, 1);
}

static void without_a_credit_a_thread_is_not_found_dead(void **unused)
{
    (void)unused;
    uint32_t identity = be_born(0);
    uint32_t other = be_born(1);
    assert_false(look(identity));
    assert_false(look(other));
    agents_lose(other, ENOUGH);
    assert_false(look(other));
    assert_int_equal(agents_wakes(), 1);
    assert_true(credit(identity, 0));
}

static void entries_that_are_not_counted_yet_are_not_used_by_probes(void **unused)
{
    (void)unused;
    uint32_t identity = be_born(1);
    agents_arm(identity, 3);
    assert_false(look(identity));
    assert_false(look(identity));
    assert_int_equal(agents_armed(identity), 3);
    assert_true(credit(identity, 3));
    assert_entries(identity, 3);
}

static void a_thread_whose_entries_are_gone_is_dead(void **unused)
{
    (void)unused;
    uint32_t identity = be_born(ENOUGH);
    while (agents_armed(identity) > 1) {
        agents_lose(identity, 1);
    }
    assert_false(look(identity)); /* this probe took the last entry */
    assert_true(look(identity));
    uint32_t wakes = agents_wakes();
    assert_true(look_at_time(identity, now_ms)); /* the death is known now, however soon the next look is */
    assert_int_equal(agents_wakes(), wakes);
    assert_int_equal(agents_slot_of(identity)->credits & ((1 << 12) - 1), 0);
}

static void a_thread_whose_slot_was_reused_is_dead(void **unused)
{
    (void)unused;
    make(1);
    uint32_t former = be_born(ENOUGH);
    leave(former);
    uint32_t joining = join();
    assert_true(look(former));
    agents_arm(joining, 1);
    assert_true(credit(joining, 1));
    assert_true(look(former));
    assert_int_equal(agents_wakes(), 1); /* the wake of the agent that left */
    assert_entries(joining, 1);
}

static void two_probes_of_a_thread_are_at_least_a_pause_apart(void **unused)
{
    (void)unused;
    uint32_t identity = be_born(ENOUGH);
    assert_false(look_at_time(identity, LONG_MS));
    agents_lose(identity, ENOUGH);
    assert_false(look_at_time(identity, LONG_MS));
    assert_false(look_at_time(identity, LONG_MS + HF_AGENTS_PAUSE_MS - 1));
    assert_int_equal(agents_wakes(), 1);
    assert_true(look_at_time(identity, LONG_MS + HF_AGENTS_PAUSE_MS));
    assert_int_equal(agents_wakes(), 2);
}

static void the_pause_between_probes_is_longer_if_few_credits_are_left(void **unused)
{
    (void)unused;
    const uint32_t pauses_ms[] = {600, 600, 1200, 2400, 4800, 9600, 19200, 38400, 76800};
    uint32_t identity = be_born(10);
    uint32_t at_ms = LONG_MS;
    assert_false(look_at_time(identity, at_ms));
    for (uint32_t at = 0; at < 9; at += 1) {
        assert_false(look_at_time(identity, at_ms + pauses_ms[at] - 1));
        assert_entries(identity, 9 - at);
        at_ms += pauses_ms[at];
        assert_false(look_at_time(identity, at_ms));
        assert_entries(identity, 8 - at);
    }
    assert_false(look_at_time(identity, at_ms + LONG_MS));
    assert_int_equal(agents_wakes(), 10);
}

static void a_clock_that_jumps_back_delays_no_probe(void **unused)
{
    (void)unused;
    uint32_t identity = be_born(ENOUGH);
    assert_false(look_at_time(identity, 2 * LONG_MS));
    assert_false(look_at_time(identity, 2 * LONG_MS - 1));
    assert_false(look_at_time(identity, LONG_MS));
    assert_int_equal(agents_wakes(), 3);
    assert_false(look_at_time(identity, LONG_MS + HF_AGENTS_PAUSE_MS - 1));
    assert_int_equal(agents_wakes(), 3);
}

static void probes_continue_after_the_clock_wraps(void **unused)
{
    (void)unused;
    uint32_t identity = be_born(ENOUGH);
    assert_false(look_at_time(identity, UINT32_MAX - 100));
    assert_false(look_at_time(identity, HF_AGENTS_PAUSE_MS - 102));
    assert_int_equal(agents_wakes(), 1);
    assert_false(look_at_time(identity, HF_AGENTS_PAUSE_MS - 101));
    assert_int_equal(agents_wakes(), 2);
}

static void target_leaves_and_another_joins(void)
{
    leave(target);
    born_meanwhile = join();
}

static void a_slot_under_a_probe_is_not_given_out(void **unused)
{
    (void)unused;
    make(1);
    target = be_born(ENOUGH);
    in_the_middle = target_leaves_and_another_joins;
    assert_true(look(target));
    assert_int_equal(born_meanwhile, 0);
    uint32_t next = be_born(2);
    assert_int_not_equal(next, target);
    assert_entries(next, 2);
}

static void another_joins(void)
{
    born_meanwhile = join();
}

static void two_threads_may_find_the_same_thread_dead(void **unused)
{
    (void)unused;
    make(1);
    target = be_born(ENOUGH);
    agents_lose(target, ENOUGH);
    in_the_middle = another_joins; /* it probes, too */
    assert_true(look(target));
    assert_int_equal(agents_wakes(), 2);
    assert_int_equal(born_meanwhile, 0);
    assert_true(look(target));
    uint32_t next = be_born(2);
    assert_entries(next, 2);
    assert_false(look(next));
}

/* As if the slot were given out again while the probe runs. */
static void the_next_one_is_there(void)
{
    uint32_t next = target + (1 << GENERATION_AT);
    agents_slot_of(target)->state += (1 << GENERATION_AT) << 2;
    assert_true(credit(next, 0));
    born_meanwhile = next;
}

static void a_late_probe_cannot_declare_the_slots_next_thread_dead(void **unused)
{
    (void)unused;
    target = be_born(ENOUGH);
    agents_lose(target, ENOUGH);
    in_the_middle = the_next_one_is_there;
    assert_true(look(target));
    assert_true(credit(born_meanwhile, 0));
    assert_true(look(target));
}

static void a_death_during_a_probe_keeps_that_slot_from_being_given_out(void **unused)
{
    (void)unused;
    make(2);
    uint32_t identity = be_born(ENOUGH);
    agents_slot_of(identity)->credits += 1; /* a probe that never ends */
    leave(identity);
    assert_int_equal(be_born(0), of_generation(1, 2));
    assert_int_equal(join(), 0);
    assert_true(look(identity));
}

static void leaving_wakes_all_entries_and_is_a_death(void **unused)
{
    (void)unused;
    uint32_t identity = be_born(ENOUGH);
    uint32_t other = be_born(ENOUGH);
    leave(identity);
    assert_int_equal(agents_armed(identity), 0);
    assert_int_equal(agents_armed(other), ENOUGH);
    assert_true(look_at_time(identity, 0));
    assert_int_equal(agents_wakes(), 1);
}

static void another_joins_there_and_is_alive(void)
{
    born_meanwhile = join();
    if (born_meanwhile != 0) {
        agents_arm(born_meanwhile, ENOUGH);
        credit(born_meanwhile, ENOUGH);
    }
}

static void a_leaving_thread_wakes_no_entry_of_the_next_one(void **unused)
{
    (void)unused;
    make(1);
    target = be_born(ENOUGH);
    in_the_middle = another_joins_there_and_is_alive;
    leave(target);
    if (born_meanwhile != 0) {
        assert_entries(born_meanwhile, ENOUGH);
        assert_false(look(born_meanwhile));
    }
    assert_int_equal(born_meanwhile, 0);
    assert_entries(be_born(2), 2);
}

static void leaving_again_or_after_a_death_wakes_nothing(void **unused)
{
    (void)unused;
    make(1);
    uint32_t identity = be_born(1);
    leave(identity);
    uint32_t next = be_born(ENOUGH);
    uint32_t wakes = agents_wakes();
    leave(identity);
    assert_int_equal(agents_wakes(), wakes);
    assert_entries(next, ENOUGH);
    assert_false(look(next));

    agents_lose(next, ENOUGH);
    assert_true(look(next));
    wakes = agents_wakes();
    leave(next);
    assert_int_equal(agents_wakes(), wakes);
}

static void a_dead_thread_gets_no_credit(void **unused)
{
    (void)unused;
    make(2);
    uint32_t left = be_born(0);
    uint32_t found = be_born(1);
    leave(left);
    agents_lose(found, ENOUGH);
    assert_true(look(found));
    assert_false(credit(left, 3));
    assert_false(credit(found, 3));
    assert_int_equal(agents_slot_of(left)->credits, 0);
    assert_int_equal(agents_slot_of(found)->credits, 0);

    uint32_t next = join();
    assert_false(credit(left, 3)); /* another agent is joining in that slot */
    assert_true(credit(next, 0));
    assert_false(credit(left, 3)); /* or lives there */
    assert_int_equal(agents_slot_of(left)->credits, 0);
}

static void a_thread_declared_dead_while_it_arms_leaves_no_entry(void **unused)
{
    (void)unused;
    make(1);
    uint32_t declared = be_born(ENOUGH);
    hf__agent *slot = agents_slot_of(declared);
    assert_true(hf__agent_arms(slot, declared));
    leave(declared);
    assert_int_equal(join(), 0);
    agents_arm(declared, 3);
    assert_false(hf__agent_credit(slot, declared, 3));
    assert_int_equal(agents_armed(declared), 0);
    assert_int_not_equal(join(), 0);
}

static void identities_of_other_kinds_are_never_dead(void **unused)
{
    (void)unused;
    uint32_t slot = be_born(ENOUGH);
    agents_lose(slot, ENOUGH);
    uint32_t number = slot & HF_AGENTS_MOST;
    const uint32_t others[] = {
        0,
        ANNA,
        number,
        HF_THREAD_MARK - 1,
        slot & ~HF_THREAD_JS,                       /* a C thread */
        ANNA | HF_THREAD_MARK,                      /* of a C thread that has not recovered a mutex */
        HF_THREAD_RANDOM,                           /* drawn at random */
        HF_THREAD_RANDOM | number,                  /* the same */
        HF_THREAD_RANDOM | slot,                    /* the same */
        HF_THREAD_RANDOM | HF_THREAD_MARK | number, /* the same */
        HF_THREAD_MASK,                             /* the same */
        slot | HF_THREAD_MARK,                      /* the identity of a dead agent */
        HF_THREAD_JS | HF_THREAD_MARK,              /* of nobody */
        slot - number,                              /* no slot has number 0 */
        HF_THREAD_JS,
        slot - number + SLOTS + 1,
        slot - number + HF_AGENTS_MOST,
    };
    for (size_t at = 0; at < sizeof others / sizeof others[0]; at += 1) {
        assert_null(hf__agents_slot(agents_at(), others[at]));
        assert_false(look(others[at]));
    }
    assert_int_equal(agents_wakes(), 0);
    assert_true(look(slot));
}

static void generations_begin_again_after_65536(void **unused)
{
    (void)unused;
    make(1);
    for (uint32_t generation = 1; generation < GENERATIONS; generation += 1) {
        uint32_t identity = be_born(0);
        assert_int_equal(identity, of_generation(generation, 1));
        leave(identity);
    }
    uint32_t last = be_born(1);
    assert_int_equal(last, of_generation(0, 1));
    assert_true(hf__is_slot(last));
    assert_false(look(last));
    leave(last);
    assert_int_equal(be_born(0), of_generation(1, 1));
}

static uint32_t look_at_owner(uint32_t known)
{
    now_ms += LONG_MS;
    return hf__owner_probe(&mutex.gate, agents_at(), known, now_ms);
}

static void a_mutex_is_abandoned_when_its_owner_is_dead(void **unused)
{
    (void)unused;
    uint32_t owner = be_born(ENOUGH);
    assert_int_equal(hf__mutex_try(&mutex, owner), HF_OK);
    assert_int_equal(look_at_owner(owner), owner);
    assert_int_equal(mutex.gate.word, owner);
    agents_lose(owner, ENOUGH);
    assert_int_equal(look_at_owner(owner), owner);
    assert_int_equal(mutex.gate.word, owner | HF_THREAD_MARK);
}

static void a_mutex_is_abandoned_even_if_its_owners_slot_was_reused(void **unused)
{
    (void)unused;
    make(1);
    uint32_t owner = be_born(ENOUGH);
    assert_int_equal(hf__mutex_try(&mutex, owner), HF_OK);
    agents_lose(owner, ENOUGH);
    uint32_t next = be_born(ENOUGH);
    assert_int_equal(look_at_owner(next), owner); /* the table does not know this identity */
    assert_int_equal(mutex.gate.word, owner);
    assert_int_equal(look_at_owner(owner), owner);
    assert_int_equal(mutex.gate.word, owner | HF_THREAD_MARK);
    assert_entries(next, ENOUGH);
}

static void only_a_known_owner_is_probed(void **unused)
{
    (void)unused;
    uint32_t owner = be_born(ENOUGH);
    uint32_t other = be_born(ENOUGH);
    assert_int_equal(look_at_owner(0), 0);
    assert_int_equal(look_at_owner(owner), 0);
    assert_int_equal(mutex.gate.word, 0);
    assert_int_equal(hf__mutex_try(&mutex, owner), HF_OK);
    agents_lose(owner, ENOUGH);
    agents_lose(other, ENOUGH);
    assert_int_equal(look_at_owner(0), owner);
    assert_int_equal(look_at_owner(other), owner);
    assert_int_equal(look_at_owner(owner | HF_THREAD_MARK), owner);
    assert_int_equal(agents_wakes(), 0);
    assert_int_equal(mutex.gate.word, owner);
}

static void a_mutex_whose_owner_has_no_slot_is_never_abandoned(void **unused)
{
    (void)unused;
    uint32_t slot = be_born(ENOUGH);
    agents_lose(slot, ENOUGH);
    assert_true(look(slot));
    const uint32_t owners[] = {ANNA, slot & ~HF_THREAD_JS, ANNA | HF_THREAD_MARK, slot | HF_THREAD_RANDOM,
                               slot | HF_THREAD_MARK};
    for (size_t at = 0; at < sizeof owners / sizeof owners[0]; at += 1) {
        mutex.gate.word = owners[at];
        assert_int_equal(look_at_owner(owners[at]), owners[at]);
        assert_int_equal(mutex.gate.word, owners[at]);
    }
}

static void another_owns_it(void)
{
    assert_int_equal(hf__mutex_release(&mutex, target), HF_OK);
    assert_int_equal(hf__mutex_try(&mutex, ANNA), HF_OK);
}

static void it_is_free(void)
{
    assert_int_equal(hf__mutex_release(&mutex, target), HF_OK);
}

static void a_mutex_that_the_dead_thread_no_longer_holds_is_left_alone(void **unused)
{
    (void)unused;
    target = be_born(ENOUGH);
    assert_int_equal(hf__mutex_try(&mutex, target), HF_OK);
    agents_lose(target, ENOUGH);
    in_the_middle = another_owns_it;
    assert_int_equal(look_at_owner(target), target);
    assert_int_equal(mutex.gate.word, ANNA);

    make(SLOTS);
    target = be_born(ENOUGH);
    assert_int_equal(hf__mutex_try(&mutex, target), HF_OK);
    agents_lose(target, ENOUGH);
    in_the_middle = it_is_free;
    assert_int_equal(look_at_owner(target), target);
    assert_int_equal(mutex.gate.word, 0);
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_identity_is_a_slot_number_and_a_count_of_its_uses),
        TEST(identities_are_unique_and_differ_from_those_of_other_kinds_of_threads),
        TEST(a_table_can_have_as_many_slots_as_an_identity_can_name),
        TEST(slots_are_given_out_in_turn),
        TEST(joins_work_with_any_value_of_last),
        TEST(a_slot_known_to_be_unused_is_taken_before_any_probe),
        TEST(a_full_table_of_living_threads_has_no_free_slot),
        TEST(a_joining_thread_finds_a_dead_thread),
        TEST(failed_joins_do_not_use_up_the_entries_of_others),
        TEST(a_joining_thread_finds_a_dead_thread_that_was_probed_just_before),
        TEST(a_thread_that_died_without_a_credit_keeps_its_slot),
        TEST(a_joining_thread_does_not_get_the_slot_of_another_joining_thread),
        TEST(the_next_thread_in_a_slot_begins_without_credits),
        TEST(a_probe_takes_one_entry_and_counts_it),
        TEST(without_a_credit_a_thread_is_not_found_dead),
        TEST(entries_that_are_not_counted_yet_are_not_used_by_probes),
        TEST(a_thread_whose_entries_are_gone_is_dead),
        TEST(a_thread_whose_slot_was_reused_is_dead),
        TEST(two_probes_of_a_thread_are_at_least_a_pause_apart),
        TEST(the_pause_between_probes_is_longer_if_few_credits_are_left),
        TEST(a_clock_that_jumps_back_delays_no_probe),
        TEST(probes_continue_after_the_clock_wraps),
        TEST(a_slot_under_a_probe_is_not_given_out),
        TEST(two_threads_may_find_the_same_thread_dead),
        TEST(a_late_probe_cannot_declare_the_slots_next_thread_dead),
        TEST(a_death_during_a_probe_keeps_that_slot_from_being_given_out),
        TEST(leaving_wakes_all_entries_and_is_a_death),
        TEST(a_leaving_thread_wakes_no_entry_of_the_next_one),
        TEST(leaving_again_or_after_a_death_wakes_nothing),
        TEST(a_dead_thread_gets_no_credit),
        TEST(a_thread_declared_dead_while_it_arms_leaves_no_entry),
        TEST(identities_of_other_kinds_are_never_dead),
        TEST(generations_begin_again_after_65536),
        TEST(a_mutex_is_abandoned_when_its_owner_is_dead),
        TEST(a_mutex_is_abandoned_even_if_its_owners_slot_was_reused),
        TEST(only_a_known_owner_is_probed),
        TEST(a_mutex_whose_owner_has_no_slot_is_never_abandoned),
        TEST(a_mutex_that_the_dead_thread_no_longer_holds_is_left_alone),
    };
    watchdog_start((const uint32_t *)&mutex, sizeof mutex / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("agents", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
