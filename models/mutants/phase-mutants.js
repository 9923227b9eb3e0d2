/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mutantsOf } from './mutant-list.js';

/** In what several of them wait by, found in one each. @param {string} scenario */
const inWaiting = (scenario) => `
=== c-src/waiting.c [${scenario}]
a wait compares the word as it is then
    - hf__wait(word, (uint32_t)step,
    + hf__wait(word, hf__load_rlx(word),
`;

/** Mistakes in what waits until something has come to pass; each scenario's name begins with the kind. */
const BY_KIND = {
    condition: `
=== c-src/condition.c [2 wait]
a wait is not counted
    - word, word + WAITER)
    + word, word)
one that came after the notify takes what is for one before it [groups, 1 comes after]
    - epoch_in(word) != token && grants_in(word) != 0
    + token != EPOCH_MASK && grants_in(word) != 0
a notify does not tell old from new
    - (epoch_in(word) + 1) & EPOCH_MASK
    + epoch_in(word)
the epoch runs over into the waiters [2 wait, the epoch wraps]
    + epoch_in(word) + UINT64_C(1)
a notify of all grants more than wait [2 wait, notified all]
    - released = count < more ? count : more;
    + released = count < GRANTS_MASK ? count : more + 1;
a notify forgets what was granted before [queue, 1 puts 2, 2 get]
    - waiters - grants_in(word);
    + waiters;
a notify tells how many it was to release, not how many it did [2 wait, notified all]
    - return released;
    + return count;
a notify wakes no blocked thread
    -     if (word & LOOPS) {
    -         hf__wake(&condition->line, HF__WAKE_ALL);
    -     }
    -     hf__wake(hf__low_half(&condition->word), 1);
    +     if (word & LOOPS) {
    +         hf__wake(&condition->line, HF__WAKE_ALL);
    +     }
a notify wakes no event loop [1 waits, 1 loop]
    - hf__wake(&condition->line, HF__WAKE_ALL);
a notify wakes one of the line, which may be an entry that was given up [1 loop with aborts, 1 loop]
    - hf__wake(&condition->line, HF__WAKE_ALL)
    + hf__wake(&condition->line, 1)
a thread that has got the mutex wakes nobody [a crowd of 2]
    - if (grants_in(hf__load64_rlx(&condition->word))) {
    + if (grants_in(hf__load64_rlx(&condition->word)) == GRANTS_MASK) {
one that is released leaves its grant behind
    - word - WAITER - (granted ? GRANT : 0)
    + word - WAITER
a wait that ends takes a grant and does not say so [1 waits, 1 may give up]
    - return granted ? 0 : word;
    + return granted && !anyway ? 0 : word;
a wait that ends leaves a grant that it might have taken [1 waits, 1 may give up]
    - bool granted = is_granted(word, token);
    + bool granted = !anyway && is_granted(word, token);
a wait compares the word as it is then
    - step_with(condition, token, 0), before,
    + step_with(condition, token, 0) == HF__DONE ? HF__DONE : hf__wait_for(HF__WAIT_LINE, (uint32_t)hf__load64_rlx(&condition->word)), before,
an event loop does not say that it waits [1 waits, 1 loop]
    - step_with(condition, token, LOOPS);
    + step_with(condition, token, 0);
`,
    event: `
=== c-src/event.c [a pulse, 2 wait]
a set wakes nobody
    - if (word & EVENT_WAITERS) {
    + if (0) {
a set wakes one
    - hf__wake(state, HF__WAKE_ALL)
    + hf__wake(state, 1)
a set is like the one before
    - ((word + EVENT_EPOCH) & EVENT_EPOCHS) | EVENT_SET
    + word | EVENT_SET
a set of one that is set begins no epoch [set and reset by 2, 2 wait]
    - ((word + EVENT_EPOCH) & EVENT_EPOCHS) | EVENT_SET
    + word & EVENT_SET ? word : ((word + EVENT_EPOCH) & EVENT_EPOCHS) | EVENT_SET
the epoch runs over into the kind of the event [a pulse at the wrap, 1 waits, 1 loop]
    + ((word + EVENT_EPOCH) & ~EVENT_WAITERS) | EVENT_SET
one that waits does not say so
    - (word & EVENT_WAITERS) || hf__cas_rlx(state, word, word | EVENT_WAITERS)) {
    -             return hf__wait_for(HF__WAIT_TURN, word | EVENT_WAITERS);
    + true) {
    +             return hf__wait_for(HF__WAIT_TURN, word);
one that comes when it is set waits for the next [set and reset by 2, 2 wait]
    - if ((word & EVENT_SET) || (word & EVENT_EPOCHS) != token) {
    + if ((word & EVENT_EPOCHS) != token) {
a reset holds up a thread that waited before it
    + if (word & EVENT_SET) {
a wait begins with the first epoch [2 pulses, 2 wait twice]
    - return hf__load_rlx(&event->gate.own) & EVENT_EPOCHS;
    + return hf__load_rlx(&event->gate.own) & RESETS_ITSELF;
a reset forgets the epoch
    - word, word & ~EVENT_SET)
    + word, 0)
a timed-out wait fails although the event is set [a pulse, 3 wait, 1 may give up]
    - return hf__wait_once(&event->gate.own,
    + return limit_ns == 0 ? HF_TIMEOUT : hf__wait_once(&event->gate.own,
${inWaiting('a pulse, 2 wait')}`,
    'automatic event': `
=== c-src/event.c [2 wait]
one that resets by itself is set when it is made
    - auto_reset ? HF__EVENT_CAPACITY : 0)
    + auto_reset ? 0 : 0)
its init leaves the line
    - hf__store_rlx(&event->gate.line, 0);
a set releases nobody
    - hf__gate_leave(&event->gate, HF__EVENT_CAPACITY, HF__EVENT_CAPACITY, 0);
    + hf__gate_leave(&event->gate, HF__EVENT_CAPACITY + 1, HF__EVENT_CAPACITY, 0);
a reset of one that resets by itself does nothing [1 waits, 1 loop, after a set and a reset]
    - hf__gate_shut(&event->gate, HF__EVENT_CAPACITY);

=== c-src/gate.c [a reset while 1 waits, 1 loop]
a reset leaves what is reserved for a loop that is busy
    [a reset while it is reserved for a loop that is busy, 1 comes after]
    - used_in(word) == 0 ? (word & ~RESERVED)
    + used_in(word) == 0 && heir_of(word) == 0 ? (word & ~RESERVED)
a reset leaves the heir reserved
    - (word & ~RESERVED) + amount
    + word + amount
a reset takes the slot from the heir
    + without_heir(word) + amount
`,
    latch: `
=== c-src/latch.c [2 count, 2 wait]
its init leaves what is reserved
    - hf__store_rlx(&latch->reserved, 0);
the last count wakes nobody
    - if (word & ~next & LATCH_WAITERS) {
    + if (0) {
each but the last count wakes
    + if (word & next & LATCH_WAITERS) {
the last count wakes one
    - hf__wake(&latch->word, HF__WAKE_ALL)
    + hf__wake(&latch->word, 1)
the last count leaves the flag of those who wait
    - next = by == count ? 0 : word - by;
    + next = word - by;
one that waits does not say so
    - (word & LATCH_WAITERS) || hf__cas_rlx(&latch->word, word, word | LATCH_WAITERS)) {
    -             return hf__wait_for(HF__WAIT_TURN, word | LATCH_WAITERS);
    + true) {
    +             return hf__wait_for(HF__WAIT_TURN, word);
the flag of those who wait counts [too far, 2 wait]
    - by == 0 || by > count
    + by == 0 || by > word
a count forgets another
    - !hf__cas_rel(&latch->word, word, next)
    + (hf__store_rlx(&latch->word, next), false)
it opens too early
    - if (word == 0) {
    + if ((word & ~LATCH_WAITERS) <= 1) {
a timed-out wait fails although the latch is open [2 count, 1 may give up, 1 loop of 2, of which 1 aborts]
    - return hf__wait_once(&latch->word,
    + return limit_ns == 0 ? HF_TIMEOUT : hf__wait_once(&latch->word,
it is made for one more
    - hf__store_rlx(&latch->word, count);
    + hf__store_rlx(&latch->word, count + 1);
${inWaiting('2 count, 2 wait')}`,
    barrier: `
=== c-src/barrier.c [3 arrive, 2 rounds]
the last wakes nobody
    - if (lacks_one(word) && has_sleepers(word)) {
    + if (0) {
the last wakes one
    - hf__wake(hf__low_half(&barrier->word), HF__WAKE_ALL)
    + hf__wake(hf__low_half(&barrier->word), 1)
a round ends one too early
    - HF__BARRIER_PARTIES_AT == word >> ARRIVED_AT;
    + HF__BARRIER_PARTIES_AT == (word >> ARRIVED_AT) + 1;
the next round begins with those of the last
    - (left & MORE) | round_in(word + 1);
    + (left & ~(uint64_t)SLEEPS) + 1;
the round runs over into the number of parties [3 arrive, 2 rounds at the wrap]
    + (left & MORE) + ((uint32_t)word + UINT64_C(1));
the rounds are all the same
    + (left & MORE) | round_in(word);
a wait does not say that it sleeps
    - !has_sleepers(word) && !hf__cas64_rlx(&barrier->word, word, word | SLEEPS));
    -     return hf__wait_for(HF__WAIT_TURN, round | SLEEPS);
    + false);
    +     return hf__wait_for(HF__WAIT_TURN, (uint32_t)word);
one gives up after its round is over [2 arrive, 1 may give up, 2 rounds]
    -         if (round_in(word) != round) {
    -             return HF_OK;
    -         }
    +         (void)round;
one that gives up has arrived all the same [2 arrive, 1 may give up, 2 rounds]
    - word, word - ARRIVAL)
    + word, word)
one that gives up is let through [2 arrive, 1 may give up, 2 rounds]
    - return HF_TIMEOUT;
    + return HF_OK;
nobody waits
    -             return HF__DONE;
    +             break;
nobody is told that it was the last
    - lacks_one(word) ? HF__BARRIER_LAST : round_in(word);
    + round_in(word);
each is told that it was the last
    + HF__BARRIER_LAST;
it is made for one more
    - (parties - 1) * PARTY);
    + parties * PARTY);
its init leaves the count of threads inside
    - hf__store_rlx(&barrier->inside, 0);
its init leaves in which rounds nobody looks
    - hf__store_rlx(&barrier->pause, 0);
a thread that has looked is let through
    - spin_before_sleep(barrier, round);
    + spin_before_sleep(barrier, round);
    +         return HF_OK;
${inWaiting('3 arrive, 2 rounds')}`,
};

export const PHASE_MUTANTS = Object.entries(BY_KIND).flatMap(([kind, list]) =>
    mutantsOf(list).map(({ name, foundIn, ...change }) => ({
        name: `${kind}: ${name}`,
        foundIn: `${kind}, ${foundIn}`,
        ...change,
    })),
);

/** Mistakes that a native test has to find. */
export const NATIVE_MUTANTS = mutantsOf(`
=== c-src/once.c [once_test]
once: one that has waited does it again
    - if (result == HF_OK && hf_once_is_done(once)) {
    + if (false) {
once: one that finds it done keeps the mutex
    -         hf_mutex_unlock(&once->mutex);
    -         return HF_DONE;
    +         return HF_DONE;
once: what has ended is not done
    - hf__store_rel(&once->done, true);
    + hf__store_rel(&once->done, false);
once: what has failed is done
    - if (is_done) {
    + if (is_done || true) {
once: what is done is not done
    - return hf__load_acq(&once->done);
    + return !hf__load_acq(&once->done);
once: anybody may end it
    - if (!hf_mutex_is_mine(&once->mutex)) {
    + if (false) {
once: the end keeps the mutex
    - return hf_mutex_unlock(&once->mutex);
    + return HF_OK;
once: one that comes does not wait for another
    - hf_once_begin_until(once, HF_FOREVER)
    + hf_once_begin_until(once, 0)
once: one with a time limit does not wait
    - hf_mutex_lock_until(&once->mutex, deadline_ns)
    + hf_mutex_lock_until(&once->mutex, 0)
once: one whose time is up does it
    - return result;
    + return HF_OK;
once: one that comes when it is done does it
    -     if (hf_once_is_done(once)) {
    -         return HF_DONE;
    +     if (hf_once_is_done(once)) {
    +         return HF_OK;
once: the end does not say that another does it
    - return HF_NOT_OWNER;
    + return HF_OK;

=== c-src/inside.c [barrier_test]
inside: a thread that waits for those inside does not wait
    - (word & ~AWAITED) == 0
    + 1
inside: a thread that waits for those inside does not say so
    - (word & AWAITED) || hf__cas_rlx(inside, word, word | AWAITED)) {
    -             return hf__wait_for(HF__WAIT_TURN, word | AWAITED);
    + 1) {
    +             return hf__wait_for(HF__WAIT_TURN, word);
inside: each that leaves wakes
    - == (AWAITED | 1)
    + & AWAITED
inside: a thread that has waited is waited for
    - hf__and_rlx(inside, ~AWAITED);

=== c-src/barrier.c [barrier_test]
barrier: one that waits is not inside
    - hf__inside_enter(&barrier->inside); /* I4 */
barrier: one that has waited is inside for ever
    - round_in(word), result, hf__left(deadline_ns));
    -         } while (result & HF__WAIT_MORE);
    -     }
    -     hf__inside_leave(&barrier->inside);
    + round_in(word), result, hf__left(deadline_ns));
    +         } while (result & HF__WAIT_MORE);
    +     }
barrier: one is inside only when it has arrived
    - hf__inside_enter(&barrier->inside); /* I4 */
    -     uint64_t word = arrive(barrier, completion, false);
    + uint64_t word = arrive(barrier, completion, false);
    +     hf__inside_enter(&barrier->inside);
barrier: one that only arrives is told of the round after it
    - round_in(arrive(barrier, completion, false));
    + round_in(arrive(barrier, completion, false)) + 1;
barrier: one that drops arrives in later rounds too
    - arrive(barrier, completion, true);
    + arrive(barrier, completion, false);
barrier: one that drops is the last of its round and of no later one
    - (left & MORE) |
    + (word & MORE) |
barrier: the next round begins with its sleepers
    - round_in(word + 1);
    + (uint32_t)(word + 1);
barrier: a wait does not say that it sleeps, and so it does not
    - !has_sleepers(word) && !hf__cas64_rlx(&barrier->word, word, word | SLEEPS));
    + false);
barrier: one that drops has not arrived
    - drops ? left : word + ARRIVAL;
    + drops ? word : word + ARRIVAL;
barrier: the last drop leaves a barrier that nobody passes
    - drops && (word & MORE) ? word - PARTY
    + drops ? word - PARTY
barrier: the completion comes when all are let through
    -             completion->run(completion->argument); /* I3 */
    -         }
    -         completed = last; /* 0 if one gave up: that run missed a later arrival */
    -     } while (!hf__cas64_acq_rel(&barrier->word, word, with_arrival(word, drops))); /* [B1] */
    + }
    +     } while (!hf__cas64_acq_rel(&barrier->word, word, with_arrival(word, drops)));
    +     if (completion != NULL && lacks_one(word)) { completion->run(completion->argument); }
barrier: each runs the completion
    - last = lacks_one(word) ? word | SLEEPS : 0;
    + last = word | SLEEPS;
barrier: the completion is run again for each that begins to sleep meanwhile
    - completed = last;
    + completed = 0;
barrier: one that waits with a token is not inside
    - hf__inside_enter(&barrier->inside);
    -     uint32_t result = 0;
    + uint32_t result = 0;
barrier: one that has waited with a token is inside for ever
    - token, result, left_ns);
    -         }
    -     } while (result & HF__WAIT_MORE);
    -     hf__inside_leave(&barrier->inside);
    + token, result, left_ns);
    +         }
    +     } while (result & HF__WAIT_MORE);
barrier: one that waits with a token for a time waits for ever
    - int64_t left_ns = hf__left(deadline_ns);
    + int64_t left_ns = hf__left(deadline_ns) | 1;
barrier: a round that is over when the time is up is a time-out
    - is_over(barrier, token) ? HF_OK : HF_TIMEOUT;
    + (is_over(barrier, token), HF_TIMEOUT);
barrier: a failed spin starts no pause
    - whole * ONE_LEFT | whole); /* all threads of a round store the same */
    + pause);
barrier: a pause of spins never ends
    - pause & LEFT ? pause - ONE_LEFT : pause / 2
    + pause
barrier: a pause is as long as the longest before it
    - pause & LEFT ? pause - ONE_LEFT : pause / 2
    + pause & LEFT ? pause - ONE_LEFT : pause
barrier: pauses do not get longer
    - (2 * pause + 1) & WHOLE;
    + (pause | 1) & WHOLE;
barrier: a thread that has spun spins again
    - if (before != 0) {
    + if (before > HF__WAIT_MORE) {

=== c-src/barrier.c [lifetimes]
barrier: its destroyer waits for nobody
    - return hf__inside_wait_until(&barrier->inside, deadline_ns);
    + return (void)barrier, deadline_ns == 0 ? HF_TIMEOUT : HF_OK;

=== c-src/condition.c [condition_test]
condition: one that waits is not inside
    - hf__inside_enter(&condition->inside);
condition: one that has waited is inside for ever
    - hf__inside_leave(&condition->inside); /* I5 */
condition: one that waits for the mutex is inside
    - hf_mutex_trylock(mutex);
    + hf_mutex_lock(mutex);
condition: one that waits for the mutex has woken nobody
    -     hf__condition_pass_on(condition);
    -     hf__inside_leave(&condition->inside); /* I5 */
    -     if (locked == HF_BUSY) {
    -         locked = hf_mutex_lock(mutex);
    -     }
    +     hf__inside_leave(&condition->inside); /* I5 */
    +     if (locked == HF_BUSY) {
    +         locked = hf_mutex_lock(mutex);
    +     }
    +     hf__condition_pass_on(condition);
condition: one has not got the mutex
    - if (locked == HF_BUSY) {
    + if (0) {

=== c-src/condition.c [lifetimes]
condition: its destroyer waits for nobody
    - return hf__inside_wait_until(&condition->inside, deadline_ns);
    + return (void)condition, deadline_ns == 0 ? HF_TIMEOUT : HF_OK;

=== c-src/identity.c [thread_test]
thread: the child of a fork is its parent
    - hf__thread_id_cache = 0;

=== c-src/threads.c [threads_test]
threads: one that ends does not say so
    - leave_slot(identity);
    + (void)identity;
threads: what one has not recovered is not given back
    - leave_slot(second);
    + (void)second;
threads: one that ends is dead before it has another identity
    - hf__thread_second = HF__THREAD_NO_SECOND;
    -     hf__thread_id_cache = hf__thread_without_slot();
    -     leave_slot(identity);
    -     leave_slot(second);
    + leave_slot(identity);
    +     leave_slot(second);
    +     hf__thread_second = HF__THREAD_NO_SECOND;
    +     hf__thread_id_cache = hf__thread_without_slot();
threads: one leaves before its other destructors
    - PTHREAD_DESTRUCTOR_ITERATIONS - 1
    + 1
threads: one leaves in the last round
    + PTHREAD_DESTRUCTOR_ITERATIONS
threads: one that has left keeps its identity
    - hf__thread_id_cache = hf__thread_without_slot();
    + (void)hf__thread_without_slot;
threads: it is not written when one died
    - hf__store_rlx(&slot->looked, now_ms());
    + hf__store_rlx(&slot->looked, 0);
threads: what the former one has left is not cleared
    -         clear(slot);
    +         (void)clear;
threads: one is not alive
    - hf__agent_appear(slot, self, 0);
    + (void)slot;
threads: a full table is not looked through
    - self == 0 && finds_a_dead_one()
    + self == 0 && false && finds_a_dead_one()
threads: each wait asks whether the owner lives
    - asks ? now_ms() : hf__load_rlx(&slot->looked);
    + asks || true ? now_ms() : 0;
threads: no wait asks whether the owner lives
    + asks && false ? now_ms() : hf__load_rlx(&slot->looked);

=== c-src/gate_block.c [threads_test]
threads: a waiter does not probe the owner
    - hf__gate_probe_owner(gate, capacity, slices_of(result) >= SLICES_BEFORE_PROBE);
    + (void)hf__gate_probe_owner;

=== c-src/owned.c [threads_test]
threads: a trying thread does not probe the owner
    - hf__gate_probe_owner(gate, capacity, false);
    + (void)hf__gate_probe_owner;
threads: a thread that has not recovered it holds it as any other
    - hf__is_slot(owner) ? hf__thread_second_ask() : unrecovered(owner);
    + hf__is_slot(owner) ? owner : unrecovered(owner);
threads: what a slot's thread has not recovered is not its own
    - return hf__is_slot(owner) ? hf__thread_second : owner | HF_THREAD_MARK;
    + return owner | HF_THREAD_MARK;

=== c-src/rwlock.c [threads_test]
threads: a reader that tries does not look at the writer
    - hf__gate_probe_owner(&rwlock->gate, HF__RWLOCK_READERS, false);
    + (void)hf__gate_probe_owner;
threads: a thread that reads first takes no slot
    - bool is_known = hf__thread_id_to_block;
    + bool is_known = true;

=== c-src/semaphore.c [threads_test]
threads: a thread that takes permits first takes no slot
    - bool is_known = hf__thread_id_to_block;
    + bool is_known = true;

=== c-src/identity.h [threads_test]
threads: the writer of a slot has another amount
    - return hf__is_slot(c_thread) ? c_thread : c_thread | HF__RWLOCK_WRITER;
    + return c_thread | HF__RWLOCK_WRITER;

=== c-src/identity.c [threads_test]
threads: the child of a fork is its parent
    - hf__thread_id_cache = 0;
threads: the child of a fork has the second identity of its parent
    - hf__thread_id_cache = 0;
    -     hf__thread_second = HF__THREAD_NO_SECOND;
    + hf__thread_id_cache = 0;
threads: what one has not recovered has the place of readers
    - hf__rwlock_writer(hf__thread_without_slot()) | HF_THREAD_MARK;
    + hf__thread_without_slot() | HF_THREAD_MARK;

=== c-src/gate_block.c [gate_test]
# Of threads in C only.
patience: the second nap ends as early as if nobody else waited
    - overtaken == NAPS_FROM ? FIRST_NAP_NS : patience - FIRST_NAP_NS;
    + overtaken == NAPS_FROM ? FIRST_NAP_NS : HF_PATIENCE_NS - FIRST_NAP_NS;
patience: of few that wait each has more
    - waiters > FEW_WAITERS ? waiters - FEW_WAITERS : 0;
    + waiters;
patience: all have it for as long
    - (1 + seed % MOST_SHARES)
    + (1 + 0 * seed)
patience: it has no end
    - most < HF__SLICE_NS ? most : HF__SLICE_NS;
    + most;
patience: a time limit ends before it
    - (uint64_t)limit_ns / LEAST_PATIENCES_IN_A_LIMIT;
    + limit_ns >= 0 ? HF__SLICE_NS : UINT64_MAX;
patience: a thread that has waited is counted for ever
    - hf__add_rlx(&gate->own, UINT32_MAX);
    + hf__add_rlx(&gate->own, 0);
patience: a waiter for a semaphore is counted
    - capacity == HF__GATE_FOR_ONE && overtaken < OUT_OF_PATIENCE;
    + overtaken < OUT_OF_PATIENCE;
patience: a thread that has lost it is counted
    + capacity == HF__GATE_FOR_ONE;

=== c-src/rwlock.c [rwlock_test]
rwlock: a reader comes in beside a writer
    - word < HF__RWLOCK_READERS &&
    + word < UINT64_MAX &&
rwlock: a reader more comes in than there can be
    + word <= HF__RWLOCK_READERS &&
rwlock: a reader that was not there leaves
    - word != RWLOCK_FREE && word <= HF__RWLOCK_READERS;
    + word <= HF__RWLOCK_READERS;
rwlock: a reader that leaves lets a writer sleep
    + word != RWLOCK_FREE && (word & HF_THREAD_MASK) <= HF__RWLOCK_READERS;

=== c-src/semaphore.c [semaphore_test]
semaphore: permits are taken that are not there
    - word <= hf_semaphore_max(semaphore) - permits;
    + word <= hf_semaphore_max(semaphore);
semaphore: permits are taken that there cannot be
    - is_possible(semaphore, permits) && word
    + word
semaphore: a leaving thread lets others sleep
    - permits <= word && word <= HF__GATE_MOST;
    + permits <= (word & HF__GATE_MOST);
semaphore: more are given back than are in use
    + word <= HF__GATE_MOST;
semaphore: none are given back
    - bool is_in_use = permits > 0 &&
    + bool is_in_use =

# No order of steps shows these, but what a thread that writes data beside the event may see late.
=== c-src/event.c [litmus]
event: a set of one that is set only looks
    - } while (!hf__cas_rel(state, word,
    + } while (!(word & EVENT_SET) && !hf__cas_rel(state, word,

=== c-src/gate.c [litmus]
automatic event: a set of one that is set only looks
    - } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] also if nothing leaves */
    + } while (leaves && !hf__cas64_rel(&gate->word, word, next));

=== c-src/futex_linux.c [futex_test]
futex: one that has slept is counted for ever
    - hf__add_rlx(&asleep, UINT32_MAX);

=== c-src/latch.c [latch_test]
# The class refuses it before the call.
latch: a count of 0 is one
    - by == 0 || by > count
    + by > count

=== c-src/waiting.h [latch_test]
latch: slices do not grow with the number of those that sleep
    - return all_ns > HF__LONGEST_SLICE_NS ? all_ns : HF__LONGEST_SLICE_NS;
    + return all_ns ? HF__LONGEST_SLICE_NS : HF__LONGEST_SLICE_NS;

=== c-src/waiting.c [latch_test]
latch: one that is woken goes on with slices as long
    - slept_through ? hf__one_slice_more
    + true ? hf__one_slice_more
latch: slices do not grow
    + false ? hf__one_slice_more
latch: a time of the caller's counts as a slice
    - woken == HF__TIMED_OUT && !cut_short;
    + woken == HF__TIMED_OUT;
`);

const DESTROYED = 'barrier of C, the last destroys it, 3 arrive, 2 rounds';
const DROPPED = 'barrier of C, 1 drops, 2 arrive twice';

/** Mutants that the explorer must find too, with the scenario of C threads. @type {Record<string, string>} */
export const FOUND_IN_SCENARIO = {
    'inside: a thread that waits for those inside does not wait': DESTROYED,
    'inside: a thread that waits for those inside does not say so': DESTROYED,
    'barrier: one that waits is not inside': DESTROYED,
    'barrier: one that has waited is inside for ever': DESTROYED,
    'barrier: one is inside only when it has arrived': DESTROYED,
    'barrier: its destroyer waits for nobody': DESTROYED,
    'barrier: one that only arrives is told of the round after it': 'barrier of C, 2 with tokens, 2 rounds',
    'barrier: one that drops arrives in later rounds too': DROPPED,
    'barrier: one that drops is the last of its round and of no later one': DROPPED,
    'barrier: one that drops has not arrived': DROPPED,
    'barrier: the last drop leaves a barrier that nobody passes': 'barrier of C, 3 drop',
    'barrier: the completion comes when all are let through': 'barrier of C, completions, 2 arrive, 2 rounds',
    'barrier: each runs the completion': 'barrier of C, completions, 2 arrive, 2 rounds',
};
