/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { functionsOf } from './mutants.js';

/* Functions of which each operator makes mutants, with the checks that should notice mistakes in them, the
 * cheapest first. A scenario that notices no mutant of a function is reported. */

/** Functions of primitives on a gate. */
export const C = functionsOf(`
=== c-src/gate.c [specification]
hf__gate_pass_now [2 workers with 2 rounds, slices; an unlock by a stranger, 2 workers; semaphore of 3, a holder of
    2, a loop for 2 that tries 1 in the same job; semaphore of 2, permits made at once, 2 workers]
hf__gate_step [semaphore of 3, one permit kept, a forlorn worker for 3, a loop that is old, a death; 1 worker, 1
    loop that holds it across jobs and requests it; semaphore of 2, 2 workers, a loop for 2; 3 loops; 3 workers; an
    unlock by a stranger, 2 workers; 1 worker, 2 loops; 2 workers with 2 rounds, slices; semaphore of 2, a holder of
    2, a loop, a busy loop for 2; semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death;
    semaphore of 3, a holder of 2, a loop for 2 that blocks for 1]
hf__gate_withdraw [3 loops with aborts; 1 worker, 2 loops with aborts]
hf__gate_wake_for [3 workers; 1 worker, 2 loops; 3 loops; an unlock by a stranger, 2 workers]
hf__gate_try_after, hand_over
hf__gate_leave [an unlock by a stranger, 2 workers; semaphore of 3, a holder of 2, a loop for 2 that tries 1]
=== c-src/gate_word.h [specification]
has_room [an unlock by a stranger, 2 workers; semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a
    death; semaphore of 3, a holder of 2, a loop for 2 that tries 1; semaphore of 3, a holder of 2, a loop for 2
    that tries 1 in the same job]
is_late [semaphore of 2, a holder of 2, a loop, a busy loop for 2; 2 workers, 3 rounds; semaphore of 3, one permit
    kept, a forlorn worker for 3, a worker, a death]
may_pass, after_pass, without_heir, is_heir, after_claim [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
number_of
was_woken [semaphore of 2, permits made at once, 2 workers]
with_sleepers, another_naps, is_handed_over, flags_to_clear, is_out_of_patience, slices_of, stage_of [3 workers; 3 workers, a
    death]
opened [1 worker, 2 loops; semaphore of 3, a holder of 2, a loop for 2 that tries 1; semaphore of 2, a holder of 2,
    a loop, a busy loop for 2; an unlock by a stranger, 2 workers]
is_beside [semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death]
after_leave [rwlock, 1 writer, a loop with 3 long sections; semaphore of 3, workers for 1, 2 and 3]
=== c-src/gate_async.h [specification]
displaces, hf__is_older, hf__oldest_is_watched, hf__oldest_number, hf__oldest_claims, hf__oldest_enlist
hf__oldest_comes_first [a holder, 1 loop with 2 requests, 1 that is old]
hf__oldest_leave [3 loops]
=== c-src/gate_block.c [specification]
hf__gate_wait [semaphore of 2, permits made at once, 2 workers; 2 workers, 1 busy loop; an unlock by a stranger, 2
    workers; 3 workers, a death; 3 workers]
BEHIND_ONE_READER, slice_ns, behind_ns, give_up, turn_comes_soon
passes_at_once [2 workers, 3 rounds; an unlock by a stranger, 2 workers; 1 worker, 1 loop with 2 requests at once;
    recoverable]
hf__gate_enter [an unlock by a stranger, 2 workers]
=== c-src/mutex.c [specification]
hf__mutex_lock_for_a_time
hf__mutex_try [3 loops]
hf__mutex_release [an unlock by a stranger, 2 workers]
=== c-src/semaphore.c [specification]
hf_semaphore_init, hf_semaphore_max, hf_semaphore_value
hf__semaphore_release [semaphore of 3, a holder of 2, a loop for 2 that tries 1; semaphore of 3, a holder of 2, a
    loop for 2 that tries 1 in the same job; semaphore of 3, workers for 1, 2 and 3; semaphore of 2, more permits
    made than there may be, a worker]
=== c-src/rwlock.c [specification]
hf__rwlock_release [rwlock, a reader inside, a loop that writes and tries to read in the same job; rwlock, an unlock
    by a stranger, 1 reader, 1 writer; rwlock, a reader inside, a loop that writes and tries to read; rwlock, 1
    writer, a loop with 3 long sections]
hf__rwlock_downgrade [rwlock, a writer inside that downgrades, 2 readers; rwlock, 1 reader, 1 writer, a downgrade by a
    stranger]
has_readers, leave_shared [rwlock, upgradable, a loop that upgrades, 1 reader, livelocks; rwlock, upgradable, 1 that
    upgrades, 2 readers; rwlock, upgradable, a loop that may upgrade, 2 readers]
pass_as_writer, hf__rwlock_try_upgrade, hf__rwlock_upgrade_step, hf__rwlock_upgrade_wait [rwlock, upgradable, 1 that upgrades
    in time, 1 reader, 1 writer; rwlock, upgradable, 2 loops that upgrade, 1 reader]
hf__rwlock_leave_upgradable [rwlock, upgradable, 1 that reads upgradable, 1 that upgrades, 1 writer; agents, upgradable, a
    reader, 1 that upgrades, 1 more reader]
hf__rwlock_note_upgradable
=== c-src/rwlock.h [specification]
HF__RWLOCK_CAPACITY, HF__UPGRADING, HF__RWLOCK_MOST
=== c-src/waiting.h [specification]
HF__SLICE_NS, HF__SLICES_MOST
=== c-src/waiting.c [specification]
hf__one_slice_more, hf__slice_ns
=== c-src/futex_wasm.c [specification]
hf__wait [3 workers]
hf__wake [1 loop, 1 loop that holds it across jobs and requests it; an unlock by a stranger, 2 workers]
`);

/** Condition, event, latch, barrier, once, channel, and threads of C. */
export const PHASES = functionsOf(`
=== c-src/condition.c [condition_test]
hf__condition_begin, hf__condition_wait [condition, 2 wait]
is_granted [condition, groups, 1 comes after]
hf_condition_notify [condition, 2 wait; condition, 2 wait, the epoch wraps; condition, 2 wait, notified all;
    condition, queue, 1 puts 2, 2 get; condition, 1 waits, 1 loop; condition, 1 loop with aborts, 1 loop]
hf__condition_pass_on [condition, a crowd of 2]
leave [condition, 2 wait; condition, 1 waits, 1 may give up]
hf__condition_step [condition, 1 waits, 1 loop]
hf_condition_wait_until
hf_condition_destroy_until [lifetimes]
=== c-src/event.c [event_test]
hf_event_set [event, a pulse, 2 wait; event, set and reset by 2, 2 wait; event, a pulse at the wrap, 1 waits, 1
    loop; automatic event, 2 wait]
hf__event_step [event, a pulse, 2 wait; event, set and reset by 2, 2 wait]
hf__event_begin [event, 2 pulses, 2 wait twice]
hf_event_reset [event, a pulse, 2 wait; automatic event, 1 waits, 1 loop, after a set and a reset]
hf__event_wait [event, a pulse, 3 wait, 1 may give up]
hf_event_init [automatic event, 2 wait]
=== c-src/waiting.c [event, a pulse, 2 wait; latch, 2 count, 2 wait; barrier, 3 arrive, 2 rounds; latch_test]
hf__wait_once
=== c-src/gate.c [automatic event, a reset while it is reserved for a loop that is busy, 1 comes after; automatic
    event, a reset while 1 waits, 1 loop]
hf__gate_shut
=== c-src/latch.c [latch_test]
hf_latch_init, hf__latch_step [latch, 2 count, 2 wait]
hf_latch_count_down [latch, 2 count, 2 wait; latch, too far, 2 wait]
hf__latch_wait [latch, 2 count, 1 may give up, 1 loop of 2, of which 1 aborts]
=== c-src/barrier.c [barrier_test]
arrive [barrier, 3 arrive, 2 rounds; barrier of C, completions, 2 arrive, 2 rounds]
lacks_one, hf__barrier_arrive, hf_barrier_init [barrier, 3 arrive, 2 rounds]
with_arrival [barrier, 3 arrive, 2 rounds; barrier, 3 arrive, 2 rounds at the wrap; barrier of C, 1
    drops, 2 arrive twice; barrier of C, 3 drop]
hf__barrier_step, wait_once [barrier, 3 arrive, 2 rounds]
hf__barrier_give_up [barrier, 2 arrive, 1 may give up, 2 rounds]
arrive_and_wait [barrier of C, the last destroys it, 3 arrive, 2 rounds]
hf_barrier_arrive [barrier of C, 2 with tokens, 2 rounds]
hf_barrier_arrive_and_drop [barrier of C, 1 drops, 2 arrive twice]
hf_barrier_wait_until, spin_before_sleep, shorten_pause
hf_barrier_destroy_until [lifetimes; barrier of C, the last destroys it, 3 arrive, 2 rounds]
=== c-src/once.c [once_test]
hf_once_begin_until, hf__once_set_done, hf_once_end, hf_once_is_done, hf_once_begin
=== c-src/channel.c [channel_test; channel_matrix; channel_lives]
=== c-src/channel_block.c [channel_test; channel_matrix; channel_lives]
=== c-src/inside.c [barrier_test]
step [barrier of C, the last destroys it, 3 arrive, 2 rounds]
hf__inside_leave, hf__inside_wait_until
=== c-src/identity.c [threads_test]
forget_id [thread_test]
hf__thread_second_ask
=== c-src/threads.c [threads_test]
end_round, ROUNDS, leave_slot, take_slot, probe_owner
=== c-src/gate_block.c
hf__gate_enter_until [threads_test]
slice_ns, behind_ns [gate_test]
=== c-src/owned.c [threads_test]
hf__owned_try, hf__owned_take_abandoned, unrecovered
=== c-src/rwlock.c
hf_rwlock_trylock_shared [threads_test]
hf_rwlock_lock_shared [threads_test; rwlock_test]
hf_rwlock_unlock_shared, hf_rwlock_downgrade, hf_rwlock_lock_upgradable_until, hf_rwlock_trylock_upgradable,
    hf_rwlock_unlock_upgradable, hf_rwlock_upgrade_until, hf_rwlock_try_upgrade, hf_rwlock_is_upgradable_mine,
    hf__rwlock_is_upgradable_by, holds_other_mode [rwlock_test]
=== c-src/semaphore.c [semaphore_test]
hf_semaphore_enter [threads_test]
hf_semaphore_leave
=== c-src/identity.h [threads_test]
hf__rwlock_writer
=== c-src/futex_linux.c [futex_test]
hf__wait
=== c-src/waiting.h [latch_test]
hf__longest_slice_ns
`);

/** The table of threads, and the locks' use of it. */
export const AGENTS = functionsOf(`
=== c-src/agents.c [agents_test]
has_died [agents, 2 join a slot; agents, a holder, a waiter; agents, one leaves, 2 join; agents, a holder, a waiter,
    entries are used up; agents, a holder, a waiter, 1 joins and waits]
hf__agents_probe [agents, a holder leaves, a waiter; agents, a holder, a waiter for its slot]
take [agents, one leaves, 2 join; agents, 2 join a slot; agents, a holder, a waiter for its slot]
join [agents, 2 join a slot]
hf__agent_credit [agents, a holder, a waiter; agents, 2 join a slot; agents, one that dies is declared dead, 1
    joins]
hf__agent_arms [agents, one leaves and arms too late, 1 joins; agents, one that dies is declared dead, 1 joins]
hf__agent_leave [agents, one leaves, 1 joins; agents, one that dies is declared dead, 1 joins; agents, one leaves, 2
    join; agents, a holder leaves, a waiter, 1 joins]
=== c-src/owner_probe.c [agents, a holder, a waiter, 1 joins and waits; agents, a holder, a waiter]
hf__owner_probe
=== c-src/rwlock.h
hf__rwlock_probe_reader [agents, upgradable, a reader, a writer]
=== c-src/gate.c
hf__gate_abandon [agents, a holder, 2 waiters]
hf__gate_take_over [agents, a holder, a waiter, 1 joins and waits]
=== c-src/owned.c [agents, a holder, a waiter, 1 joins and waits]
hf__owned_take_over
=== c-src/records.h
hf__records_pass [holds, 2 that take in turn; holds, a holder that goes on is declared dead]
hf__record_of [holds, 2 holders, a waiter for 2]
hf__note [holds, a holder that goes on is declared dead, 1 joins and takes]
=== c-src/gate.h [holds, a holder that goes on is declared dead, 1 joins and takes]
hf__gate_passed
=== c-src/holds.c
hf__holds_join [holds, a holder, a waiter for its slot; holds, a holder, a waiter]
leaves_with [holds, a holder, 2 waiters for 2; holds, a holder of 2, a waiter for 2; holds, 2 that take in turn;
    holds, 2 that take in turn, deaths anywhere; holds, 2 holders, a waiter for 2; holds, a holder that goes on is
    declared dead, 1 joins and takes]
hf__holds_leave [holds, a holder that goes on is declared dead, 1 joins and takes]
hf__holds_probe [holds, a holder, a waiter; holds, 2 holders, a waiter for 2]
`);

/** The recursive mutex, in C and in JavaScript. */
export const RECURSIVE = functionsOf(`
=== c-src/include/holdfast/recursive_mutex.h
hf__recursive_mutex_deepen [recursive mutex, 2 nest to 2, 2 rounds; recursive mutex, too deep, 2 nest to 2]
hf_recursive_mutex_unlock [recursive_mutex_test]
=== c-src/recursive_mutex.h [recursive mutex, 2 nest to 2, 2 rounds]
hf__recursive_mutex_again [recursive mutex, 2 nest to 3]
hf__recursive_mutex_begin [recursive mutex, 2 nest to 2 after an owner has died; agents, depths, a holder, a waiter]
hf__recursive_mutex_depth [recursive mutex, an unlock by a stranger, 2 nest to 2]
hf__recursive_mutex_surface [recursive mutex, an unlock by a stranger, 2 nest to 2; recursive mutex, 2 nest to 3]
=== js-glue/recursive-mutex.js [recursive mutex, 2 nest to 2, 2 rounds; recursive mutex, too deep, 2 nest to 2;
    recursive mutex, 2 nest to 2 after an owner has died; recursive mutex, a time limit, 2 nest to 2;
    recursive mutex, a try, a time limit, 1 nests to 2 after an owner has died; recursive mutex, sections, 1 nests to 2;
    recursive mutex, sections that fail, 1 nests to 2; recursive-mutex; mutex-lost-locks]
=== c-src/recursive_mutex.c [recursive_mutex_test]
begun, lock_recursively, hf__recursive_mutex_trylock_slow, hf__recursive_mutex_unlock_slow,
    hf_recursive_mutex_depth, hf_recursive_mutex_wait_until
`);

/** The glue: queues, and the code around them. */
export const GLUE = functionsOf(`
=== js-glue/waiting/queue.js [request-queue; semaphore; shared-signal; freed-locks; mutex; primitives-waits; condition;
    mutex-lost-locks; rwlock-unlock-refused; yielding; sweep; process-lifetime; abandoned; 1 worker, 2 loops; 1 worker, 2 loops with aborts;
    a holder, 1 loop, 2 busy loops; 2 workers, 1 loop that polls; 3 loops]
=== js-glue/waiting/request.js [request-queue; shared-signal; timeouts; held; awaited-loops; mutex; primitives-waits; abandoned;
    1 worker, 1 loop with 2 requests that one signal ends; 1 worker, 1 loop with a time limit and a request]
=== js-glue/waiting/section.js [request-queue; shared-signal; held; mutex; mutex-lost-locks]
=== js-glue/waiting/gate.js [request-queue; mutex; semaphore; rwlock; abandoned; 1 worker, 2 loops with aborts;
    a holder, 1 loop, 2 busy loops; 2 workers, 1 loop that polls]
=== js-glue/waiting/outcome.js [request-queue; semaphore; mutex-absent-waiters; mutex-busy-waiters;
    a holder, 1 loop, 2 busy loops; 3 loops]
=== js-glue/waiting/phase.js [shared-signal; condition; event; latch; barrier]
=== js-glue/waiting/blocking.js [mutex; timeouts; abandoned]
=== js-glue/waiting/holder.js [abandoned; inspect]
=== js-glue/waiting/recovery.js [abandoned]
=== js-glue/thread/event-loop.js [request-queue; alarms; yielding; awaited-loops; sweep; missing-runtime-parts]
=== js-glue/thread/presence.js [abandoned]
=== js-glue/condition.js [recursive mutex, condition, 2 wait after depth 2; recursive mutex, condition, 2 wait;
    condition; shared-signal; mutex-lost-locks; primitives-threads]
=== js-glue/rwlock.js [rwlock; rwlock-downgrade; rwlock-upgradable; inspect: upgrad; options: RwLock;
    primitives-bad-input: may not block; abandoned: reader]
=== js-glue/once.js [once; abandoned]
=== js-glue/keyed.js [keyed; held; keyed-steps]
=== js-glue/keyed/table.js [keyed-model; keyed; keyed-steps; keyed-deaths; keyed-threads]
=== js-glue/keyed/keys.js [keyed-model; keyed; deadlocks: key]
=== js-glue/state.js [state]
=== js-glue/event.js
signal [event; process-lifetime]
=== js-glue/waiting/unreferenced.js [event; process-lifetime]
=== js-glue/channel/channel.js [channel; channel-threads; channel-deaths; collected: larger]
=== js-glue/channel/message.js [channel; calls]
=== js-glue/channel/calls.js [calls; collected: larger]
=== js-glue/channel/station.js [calls; calls-threads; calls-deaths]
=== js-glue/channel/caller.js [calls; calls-threads; calls-deaths; primitives-bad-input: may not block]
=== js-glue/channel/answerer.js [calls; calls-threads; calls-deaths]
=== js-glue/waiting/channel-side.js [channel; channel-threads; channel-deaths; primitives-bad-input: may not block]
=== js-glue/waiting/unrepaired.js [channel-deaths; calls-deaths]
=== js-glue/memory/channel.js [channel]
=== js-glue/tc39.js [tc39; tc39-tokens]
=== js-glue/web-locks.js [web-locks; web-locks-shared]
=== js-glue/memory/placed.js [collected; primitives-construction]
=== js-glue/debug/find.js [debug; deadlocks]
`);
