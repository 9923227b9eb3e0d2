/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mistakesOf } from './mutants.js';

/* Mistakes that were made in this lock or in another one, or that the documents or a test name. The check in
 * brackets finds the mistake. */

/** Mistakes in the C. */
export const C_MISTAKES = mistakesOf(String.raw`
=== c-src/gate.c
a thread passes although there is no room [an unlock by a stranger, 2 workers]
    hf__gate_pass_now: left has_room
a thread that watched a reservation takes the lock even while it is held [2 workers with 2 rounds, slices]
    hf__gate_pass_now: /(may_pass\([^;]*?(\w+)\) \|\| )!has_room/ → $1!$2 && !has_room
an event loop on the async wait list does not set its flag [3 loops]
    hf__gate_step: drop HF__TOKEN_LISTED
a watched slot is not reserved [semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death]
    hf__gate_step: drop LONG_RESERVATION
a release wakes no sleeper [3 workers]
    hf__gate_wake_for: never SLEEPERS
a release does not wake the heir [1 worker, 2 loops]
    hf__gate_wake_for: right
a release wakes only one entry of the heir [specification]
    hf__gate_wake_for: /(hf__high_half.*?), HF__WAKE_ALL/ → $1, 1
only one of the async wait list is woken [specification]
    hf__gate_wake_for: /line, HF__WAKE_ALL/ → line, 1
anybody may unlock [an unlock by a stranger, 2 workers]
    hf__gate_leave: /= used_in[^;]*/ → = true
a withdrawing thread does not forward its wake [specification]
    hf__gate_withdraw: left 5
a withdrawing thread that watches leaves nobody who watches [specification]
    hf__gate_withdraw: left RESERVED 2
a withdrawing thread wakes nobody [3 loops with aborts]
    hf__gate_withdraw: drop hf__gate_wake_for
unlock wakes before it releases [an unlock by a stranger, 2 workers]
    hf__gate_leave: /(do \{[^}]*)(\} while [^;]*;)[^;]*?(hf__gate_wake_any_for[^;]*;)/ → $1$3 $2

=== c-src/gate_word.h
a reservation is never taken away [semaphore of 2, a holder of 2, a loop, a busy loop for 2]
    is_late: /return [^;]*/ → return false
any reservation may be taken away [2 workers, 3 rounds]
    is_late: left
a thread passes in the slot of its own event loop [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    is_heir: left
a woken sleeper does not answer for the others [semaphore of 2, permits made at once, 2 workers]
    was_woken: /return [^;]*/ → return false
a napper that has passed still answers for the sleepers [3 workers]
    another_naps: / && stage != HAS_NAPPED/ →
a thread that is woken to nap relies on another [3 workers]
    another_naps: / && \(stage == PATIENT[^;]*/ →
a release takes back the nap that was handed over [3 workers]
    flags_to_clear: /word & NAPPER \? ASYNC_WAITERS :/ →
a passing heir leaves its reservation to the next [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    without_heir: flag RESERVED
a reservation for an event loop keeps no sleeper awake [semaphore of 2, a holder of 2, a loop, a busy loop for 2]
    opened: never ASYNC_HEIR
an event loop claims its slot as if it could block [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    after_claim: always ASYNC_HEIR

=== c-src/channel.c
a send wakes no receiver [channel, 1 sends more than fit, 1 receives]
    wake_waiters: never CHANNEL_WAITERS
a change wakes only one waiter [channel, event count, 2 await 2 changes of 2]
    wake_waiters: /HF__WAKE_ALL/ → 1
a thread waits although there was a change [channel, event count, 1 awaits 2 changes]
    hf__channel_step: never awaited
a send that has begun is sent after the close [channel, 1 sends, 1 receives, 1 closes]
    hf__channel_move_on: never unless

=== c-src/rwlock.c
the last reader does not wake an upgrade [rwlock, upgradable, 1 that upgrades, 1 reader, 1 writer]
    leave_shared: never HF__UPGRADING
the last reader wakes only an event loop's upgrade [rwlock, upgradable, 1 that upgrades, 1 reader, 1 writer]
    leave_shared: drop hf__low_half
the last reader wakes only a blocking upgrade [rwlock, upgradable, a loop that upgrades, 1 reader, 1 writer]
    leave_shared: /hf__wake\(&gate->own, HF__WAKE_ALL\);/ →
readers come in beside an upgrade [rwlock, upgradable, 1 that upgrades, 2 readers]
    pass_as_writer: /HF__UPGRADING \+/ → HF__UPGRADABLE +
an upgrade beside readers takes the lock [rwlock, upgradable, 1 that upgrades, 1 reader, 1 writer]
    pass_as_writer: /passes = !has_readers\(word\)/ → passes = true
an upgrade that gives up keeps others out [rwlock, upgradable, 1 that upgrades in time, 1 reader, 1 writer]
    hf__rwlock_upgrade_wait: drop stop_waiting
a downgrade of the upgradable reader opens nothing [rwlock, upgradable, 1 that reads upgradable, 1 that upgrades, 1 writer]
    hf__rwlock_leave_upgradable: /HF__RWLOCK_MOST\);/ → 0);
an upgradable reader that waits for its upgrade leaves with too little [specification]
    hf__rwlock_leave_upgradable: /\? HF__UPGRADING :/ → ? HF__UPGRADABLE :

=== c-src/gate_async.h
the slot of an event loop is taken over [specification]
    displaces: flag ASYNC_HEIR
the oldest async waiter precedes nobody [a holder, 1 loop with 2 requests, 1 that is old]
    hf__oldest_comes_first: /return [^;]*/ → return false

=== c-src/gate_block.c
a time limit that ends takes the lock as if nobody waited behind it [specification]
    give_up: /&= [^;]*/ → = 0
a reservation counts as outlasted when the caller's time limit ends [specification]
    hf__gate_wait: /(= \(\w+ == HF__TIMED_OUT.*\)) && !\w+/ → $1

=== c-src/exports.c
a time limit is taken for nanoseconds [specification]
    *: /(gate_wait.*) \* HF_MICROSECOND/ → $1

=== c-src/condition.c
condition: a waiter that came after the notify takes a grant for earlier ones [condition, groups, 1 comes after]
    is_granted: right grants_in
condition: a released waiter that holds the mutex again wakes no other [condition, a crowd of 2]
    hf__condition_pass_on: never

=== c-src/event.c
event: a reset holds up a thread that waited before it [event, a pulse, 2 wait]
    hf__event_step: left EVENT_EPOCHS
event: a set of a set event only reads its word [litmus]
    hf_event_set: /!(hf__cas_rel\(\w+, (\w+),)/ → !($2 & EVENT_SET) && !$1
automatic event: a new automatic event is set [automatic event, 2 wait]
    hf_event_init: never HF__EVENT_CAPACITY
automatic event: a set of a set event only reads its word [litmus]
    c-src/gate.c: hf__gate_leave: /!(hf__cas64_rel\([^,]*, (\w+), (\w+)\))/ → $2 != $3 && !$1

=== c-src/latch.c
latch: the last countdown wakes only one waiter [latch, 2 count, 2 wait]
    hf_latch_count_down: /HF__WAKE_ALL/ → 1

=== c-src/barrier.c
barrier: a party gives up after its round is over [barrier, 2 arrive, 1 may give up, 2 rounds]
    hf__barrier_give_up: never round_in

=== c-src/agents.c
agents: a probe of an agent without entries says that it is dead [agents, a holder, a waiter, entries are used up]
    has_died: number false
agents: a late probe declares the slot's next agent dead [agents, one leaves, 2 join]
    has_died: /hf__cas_rel\((&\w+->state), [^;]*?, (state_of\(\w+, DEAD\))/ → hf__store_rel($1, $2
agents: a slot keeps its generation [agents, a holder, a waiter for its slot]
    take: / \+ HF_AGENTS_MOST \+ 1/ →
agents: a leaving thread wakes none of its entries [agents, one leaves, 1 joins]
    hf__agent_leave: drop HF__WAKE_ALL

=== c-src/rwlock.c
upgradable: a dead reader is taken out twice [agents, upgradable, a reader, 1 that upgrades, 1 more reader]
    hf__rwlock_leave_upgradable: /!hf__cas_rlx\((&\w+->own), (\w+), 0\)/ → hf__load_rlx($1) != $2
upgradable: a writer keeps the note of its upgrade [agents, upgradable, 1 that upgrades, a reader, a writer, 2 deaths]
    pass_as_writer: /hf__store_rlx\(&\w+->own, 0\);/ →

=== c-src/rwlock.h
upgradable: a living reader is taken out [agents, upgradable, a reader, a writer]
    hf__rwlock_probe_reader: left

=== c-src/holds.c
holds: permits of a living thread are given back [holds, a holder, a waiter]
    hf__holds_probe: left hf__agents_probe
holds: a thread declared dead leaves for the next one in its slot
    [holds, a holder that goes on is declared dead, 1 joins and takes]
    hf__holds_leave: right held_in

=== c-src/include/holdfast/recursive_mutex.h
recursive mutex: there is no greatest depth [recursive mutex, too deep, 2 nest to 2]
    hf__recursive_mutex_deepen: never

=== c-src/recursive_mutex.h
recursive mutex: an unlock at depth 1 does not release it [recursive mutex, 2 nest to 2, 2 rounds]
    hf__recursive_mutex_surface: compare
`);

/** Mistakes in the glue, which the explorers find. */
export const GLUE_MISTAKES = mistakesOf(String.raw`
=== js-glue/waiting/queue.js
the async wait list is not announced after its entry [3 loops]
    *: /(if \(\w+) === 'turn'\)/ → $1)
a step does not say that an entry is armed in the wait list [3 loops]
    *: /(gate\.step\([^,]*, \w+, )[^,]*/ → $1false
a step does not tell C which reservation was outlasted [a holder, 1 loop, 2 busy loops]
    *: /(gate\.step\([^,]*, \w+, [^,]*, )\w+/ → $10
the last request gives up, and the thread stays the heir [1 worker, 2 loops with aborts]
    *: drop withdraw
the watch runs on after the lock was granted [1 worker, 1 loop with 2 requests that one signal ends]
    *: drop clearAlarm 1
a watch is not set [a holder, 1 loop, 2 busy loops]
    *: drop setAlarm 1
a wake is ignored [1 worker, 2 loops]
    woken: drop wake
an entry that was woken counts as armed [1 worker, 2 loops]
    woken: drop 1
the first request never steps [1 worker, 2 loops]
    add: drop goOn
requests behind a section do not go on [1 worker, 1 loop with 3 long sections, rests and aborts]
    end: drop goOn
a postponed turn does not come [2 workers, 1 loop with 2 long sections and rests]
    *: /(\w+) \? this\.work\(\) : schedule\(this\)/ → $1 && this.work()
a poll by timer makes no step [2 workers, 1 loop that polls]
    look: /\|\| (!hasTimers)/ → && $1
a queue without waitAsync is not polled [2 workers, 1 loop that polls]
    *: /= !hasWaitAsync\(\);/ → = false;
the process is kept alive when the wait is over [1 worker, 1 loop with a time limit and a request]
    *: drop keepAliveNoMore

=== js-glue/waiting/request.js
the listener of a signal stays [1 worker, 1 loop with 2 requests that one signal ends]
    *: drop removeEventListener
a time limit stays when the wait is over [1 worker, 1 loop with a time limit and a request]
    *: drop clearTimeout

=== js-glue/waiting/gate.js
an event loop withdraws as if it had blocked [1 worker, 2 loops with aborts]
    withdraw: /STEP_KIND_ASYNC/ → 0

=== js-glue/waiting/outcome.js
the watched number of a token is lost [a holder, 1 loop, 2 busy loops]
    tokenOf: /return \w+/ → return 0
the async wait list is lost on its way into the token [3 loops]
    tokenOf: never STEP_TOKEN_LISTED

=== js-glue/channel/caller.js
a late answer to an earlier call is taken for the answer to this one [calls]
    readerOf: /\w+ === \w+ \?/ → true ?

=== js-glue/channel/answerer.js
calls that a dead thread was to answer go on waiting [calls-deaths]
    *: /(takeAsync\(\w+\)\)\) \{) \w+\.count\(\);/ → $1

=== js-glue/recursive-mutex.js
recursive mutex: the last unlock() releases nothing [recursive mutex, 2 nest to 2, 2 rounds]
    unlock: never recursive_mutex_surface
recursive mutex: at the greatest depth, a lock waits for itself [recursive mutex, too deep, 2 nest to 2]
    *: never RESULT_OVERFLOW

=== js-glue/condition.js
recursive mutex: a wait at depth 2 is no error [recursive mutex, condition, 2 wait after depth 2]
    *: /(if \(\w+ > )1/ → $12

=== js-glue/keyed/keys.js
keyed: a claim at the end of the space is not seen [keyed-model]
    seek: /next - 4/ → TEXT

=== js-glue/keyed/table.js
keyed: a search for unused keys reads the mutex before the claims [keyed-model; keyed-steps]
    *: /(claims\.some\([^|]*\)) \|\| (this\.#holderOf\(entry\) !== 0)/ → $2 || $1
keyed: in a full space, a lookup frees the key that it has found [keyed-model; keyed-steps]
    *: /(#allocate\(CLAIM_BYTES, stripe, key), entry/ → $1
keyed: a key of a dead thread is freed [keyed-model; keyed-deaths]
    *: /this\.#holderOf\(entry\) !== 0/ → (this.#isHeld(entry))
keyed: a dead thread's claim keeps its key for ever [keyed-model; keyed-deaths]
    *: drop owner_probe
keyed: a lookup releases the stripe before it has a claim [keyed-model]
    *: /(const use = \{\s+key,\s+mutex: [^,]*, key\),\s+claim: [^,]*, stripe, key\))/ → this.#unlock(stripe); $1
keyed: a key is linked before it has its text [keyed-model]
    *: /(this\.#write\(entry \+ HASH, hash\);)([^]*?)(this\.#write\(stripe \+ FIRST, entry\);)/ → $3$1$2
`);

/** Repaired defects, put back, with their numbers in the issue that lists them. */
export const DEFECTS = mistakesOf(String.raw`
=== js-glue/waiting/queue.js
1: one signal ends requests twice [fuzzer with sharedSignals; shared-signal]
    giveUp: never waits
    js-glue/waiting/request.js: *: /of (this\.#\w+)(\) \{ \w+\.queue\.giveUp)/ → of [...$1]$2
14: a freed lock has requests [fuzzer with freedWithRequests; freed-locks]
    free: drop isFreed

=== js-glue/waiting/request.js
2: callbacks run in another request's context [fuzzer with contexts; async-context]
    *: /(\.resource = )[^;]*/ → $1undefined

=== c-src/gate_async.h
3: event loops starve among themselves [fuzzer with loopContests; overtaking]
    hf__oldest_comes_first: /return [^;]*/ → return false

=== js-glue/thread/environment.js
4: the glue uses faked timers [fake-timers]
    *: /\w+\?\.\[(\w+)\]\?\.bind\((\w+)\)/ → (...args) => $2[$1](...args)

=== js-glue/waiting/section.js
5: an async predicate counts as true [fuzzer with asyncPredicates; condition]
    isTrue: /notAsync\((\w+\(\)), '[^']*'\)/ → $1
14: a freed lock is released [fuzzer with freedWhileHeld; freed-locks]
    leave: left isFreed

=== c-src/gate.c
6: a reset does nothing while an event is reserved [fuzzer with resets; event]
    hf__gate_shut: /(used_in\((\w+)\) == 0)/ → $1 && !($2 & RESERVED)

=== c-src/semaphore.c
12: inits leave words as they were [fuzzer with dirtyMemory; garbage-words]
    hf_semaphore_init: drop line
    c-src/event.c: hf_event_init: drop line
    js-glue/memory/placed.js: *: /if \(\w+\.isNew(\) \{ new Uint8Array)/ → if (false$1

=== js-glue/thread/times.js
12: a loop has no end where a word is wrong [fuzzer with strayWords; garbage-words]
    MOST_REFUSALS: /\d+/ → Infinity

=== c-src/gate_word.h
13: a dead heir blocks requests for which there is room [fuzzer with deadHeirs; dead-heir]
    is_beside: /return [^;]*/ → return false
19: a request lets its thread pass for ever [fuzzer with ownRequests; overtaking]
    is_heir: left

=== js-glue/thread/event-loop.js
20: a burst has no end [fuzzer with crowds; yielding]
    *: /return environment\.now\(\) > \w+/ → return false
`);
