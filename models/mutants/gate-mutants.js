/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mutantsOf } from './mutant-list.js';

/** Mistakes in c-src/gate.c. */
export const GATE_MUTANTS = mutantsOf(`
=== c-src/gate.c

# Who may pass
a thread that watched a reservation takes the lock even while it is held [2 workers with 2 rounds, slices]
    - if (!may_pass(word, self, kind, watched) || !has_room(word, amount, capacity)) {
    + if (!(may_pass(word, self, kind, watched) && (watched || has_room(word, amount, capacity)))) {
a thread passes although there is no room [an unlock by a stranger, 2 workers]
    + if (!may_pass(word, self, kind, watched)) {

=== c-src/gate_word.h
an open gate lets no thread in that wants more than it has [an unlock by a stranger, 2 workers]
    - return used_in(word) == 0 || used_in(word) + amount <= capacity;
    + return used_in(word) + amount <= capacity;
a gate has room only while nothing is in use
    [semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death]
    + return used_in(word) == 0;
the last of what there is cannot be taken
    - used_in(word) + amount <= capacity;
    + used_in(word) + amount < capacity;
one more than there is can be taken [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    + used_in(word) + amount <= capacity + 1;
the amount asked for does not count [semaphore of 3, a holder of 2, a loop for 2 that tries 1 in the same job]
    + used_in(word) < capacity;
a reservation is never taken away [semaphore of 2, a holder of 2, a loop, a busy loop for 2]
    - return word & RESERVED && number_of(word) == watched;
    + return false;
any reservation may be taken away [2 workers, 3 rounds]
    + return word & RESERVED;
a watched slot may be taken as if it were reserved
    [semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death]
    + return number_of(word) == watched;
the heir does not know its own slot [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    - return heir_of(word) == 0 || is_heir(word, self, kind) ||
    + return heir_of(word) == 0 ||
threads pass by an heir [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    + return true ||
two reservations for one thread have the same number
    - (heir_of(word) ^ used_in(word) << (HF_THREAD_BITS / 2)) & HF_THREAD_MASK;
    + heir_of(word);
a reservation whose number looks like none counts as none
    - return number > HF__SLICES_MOST ? number : HF__NUMBER_MASK - number;
    + return number;
a slot has the number of its reservation
    - number ^= word & RESERVED ? 0 : HF__NUMBER_MASK >> 1;

# What passing makes of the word
an heir that passes stays the heir [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    - uint64_t next = (without_heir(word) | others | loop) + amount;
    + uint64_t next = ((word & ~RESERVED) | others) + amount;
a passing heir leaves its reservation to the next [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    - return word & ~(HEIR | ASYNC_HEIR | THIRD_BIT | RESERVED);
    + return word & ~(HEIR | ASYNC_HEIR | THIRD_BIT);
a passing heir leaves its kind to the next heir [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    + return word & ~(HEIR | RESERVED);
a passing thread takes one permit only [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    - uint64_t next = (without_heir(word) | others | loop) + amount;
    + uint64_t next = (without_heir(word) | others) + (capacity ? 1 : amount);
a woken sleeper that passes does not set the flag again for the others
    + uint64_t next = without_heir(word) + amount;
a woken sleeper does not answer for the others [semaphore of 2, permits made at once, 2 workers]
    - return kind == HF__BLOCKING && overtaken_of(token) ? SLEEPERS : 0;
    + return 0;
an event loop answers for sleepers
    + return overtaken_of(token) ? SLEEPERS : 0;
a thread woken for room for several wakes no other
    - if (has_room(next, 1, capacity)) {
    + if (0) {
a passing event loop leaves the free slot to event loops only
    - bool async_only = (word & ASYNC_WAITERS) && !(word & ASYNC_HEIR);
    + bool async_only = word & ASYNC_WAITERS;
a woken thread that passes wakes no sleeper
    -     if (has_room(next, 1, capacity)) {
    -         return next & ~FLAGS;
    +     if (has_room(next, 1, capacity)) {
    +         return next & ~ASYNC_WAITERS;
a woken thread that passes while there is room does not wake the async wait list
    +     if (has_room(next, 1, capacity)) {
    +         return next & ~(SLEEPERS | LARGE);
a passing heir does not wake the async wait list
    - return next & ~(async_only ? ASYNC_WAITERS : ASYNC_WAITERS | SLEEPERS);
    + return next & ~(async_only ? 0 : ASYNC_WAITERS | SLEEPERS);
a passing heir wakes nobody for the free slot
    + return next & ~ASYNC_WAITERS;
a passing heir wakes all sleepers if some want more than one
    + return next & ~(async_only ? ASYNC_WAITERS : FLAGS);
a thread that passes with nobody behind it wakes others
    - if (heir_of(word) == 0 && !others) {
    + if (0) {
a woken thread passes as if nobody waited behind it
    + if (heir_of(word) == 0) {

=== c-src/gate.c
a blocking thread leaves the slot to the oldest async waiter
    - const uint32_t line = kind == HF__BLOCKING ? 0 :
    + const uint32_t line =

=== c-src/gate_async.h
a young event loop takes a slot over
    - (token & HF__TOKEN_AGE) >= HF__AGE_DISPLACES &&
an old event loop takes no slot over
    + (token & HF__TOKEN_AGE) > HF__AGE_DISPLACES &&
a blocking thread takes a slot over
    - return kind != HF__BLOCKING && (token & HF__TOKEN_AGE) >=
    + return (token & HF__TOKEN_AGE) >=
the slot of an event loop is taken over
    - !(word & (ASYNC_HEIR | KEEPS_SLOT | RESERVED));
    + !(word & (KEEPS_SLOT | RESERVED));
a slot is taken over again and again
    + !(word & (ASYNC_HEIR | RESERVED));
a slot is taken over after its reservation
    + !(word & (ASYNC_HEIR | KEEPS_SLOT));

=== c-src/gate.c
a loop that takes over a slot beside which there is room waits for its turn
    [semaphore of 3, one permit kept, a forlorn worker for 3, a loop that is old, a death]
    - if (has_room(next, amount, capacity)) {
    + if (0) {

=== c-src/gate_word.h
a passing heir wakes a sleeper before the async wait list
    - bool async_only = (word & ASYNC_WAITERS) && !(word & ASYNC_HEIR);
    + bool async_only = false;

=== c-src/gate.c
a napping thread does not claim the slot while event loops wait
    - !is_patient || (overtaken >= NAPS_FROM && (word & ASYNC_WAITERS));
    + !is_patient;

=== c-src/gate_block.c
# Writers
a writer behind one reader sleeps at once
    - if (spins && hf__changes_soon(&gate->word, 0, HF_THREAD_MASK, 1)) {
    + if (false) {
a writer that sees a reader leave does not count as woken
    - woken = HF__WOKEN;
    + woken = HF__CHANGED;
a writer spins again and again
    - bool may_spin = overtaken == 0 && !cut_short;
    + bool may_spin = !cut_short;
a writer spins, and then sleeps for its whole time limit
    + bool may_spin = overtaken == 0;
a waiter for all permits spins as a writer does
    - bool spins = may_spin && amount > capacity &&
    + bool spins = may_spin && amount >= capacity &&
a writer spins behind two readers
    - #define BEHIND_ONE_READER (SLEEPERS | LARGE | 1)
    + #define BEHIND_ONE_READER (SLEEPERS | LARGE | 2)

=== c-src/gate_word.h
# A thread and its own event loop
a thread passes in the slot of its own event loop [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    - heir_of(word) == self && !(word & ASYNC_HEIR) == (kind == HF__BLOCKING);
    + heir_of(word) == self;

=== c-src/gate.c
a withdrawing thread takes the slot of its own event loop with it
    - bool leaves_slot = is_heir(word, self, kind);
    + bool leaves_slot = heir_of(word) == self;
a step of an event loop gives up the reservation of its own thread
    -         if (is_heir(word, self, kind)) {
    -             next &= ~RESERVED;
    +         if (heir_of(word) == self) {
    +             next &= ~RESERVED;
a thread sleeps on the half that its own event loop waits on
    - bool is_heir_now = is_heir(next, self, kind);
    + bool is_heir_now = heir_of(next) == self;
an event loop becomes the heir of a mutex that its own thread has [1 worker, 1 loop that holds it across jobs and requests it]
    - for_one && used_in(word) == self; /* I6 */
    + false;
an event loop claims no slot while the amount in use equals its identity
    + used_in(word) == self;

# Opening and waking
a release wakes no sleeper [3 workers]
    - if (dropped & (SLEEPERS | LARGE)) {
    + if (0) {
a release does not wake the heir [1 worker, 2 loops]
    - if ((next & ~word & RESERVED) ||
    + if (
a slot given back before its reservation wakes no other queue of its thread
    -  || (dropped & (ASYNC_HEIR | RESERVED)) == ASYNC_HEIR) {
    + ) {
a slot given back after its reservation wakes once more
    - (dropped & (ASYNC_HEIR | RESERVED)) == ASYNC_HEIR) {
    + (dropped & ASYNC_HEIR)) {
a release wakes only one entry of the heir
    -         hf__wake(hf__high_half(&gate->word), HF__WAKE_ALL);
    -     }
    +         hf__wake(hf__high_half(&gate->word), 1);
    +     }
the async wait list is never woken [3 loops]
    - if (dropped & ASYNC_WAITERS) {
    + if (0) {
only one of the async wait list is woken
    -         hf__wake(&gate->line, HF__WAKE_ALL);
    -     }
    +         hf__wake(&gate->line, 1);
    +     }
the async wait list is woken only if nobody has a reservation [3 loops]
    - if (dropped & ASYNC_WAITERS) {
    + if ((dropped & ASYNC_WAITERS) && !(next & RESERVED)) {
the async wait list is woken only if somebody has a reservation [3 loops]
    + if ((dropped & ASYNC_WAITERS) && (next & RESERVED)) {
one sleeper is woken although some want more than one
    - dropped & LARGE ? HF__WAKE_ALL : 1
    + 1
all sleepers are woken although one is enough
    + HF__WAKE_ALL
sleepers that want more than one are not woken while another answers for them
    - if (dropped & (SLEEPERS | LARGE)) {
    + if (dropped & SLEEPERS) {

=== c-src/gate_block.c
a blocking thread forgets that it was the heir
    - is_heir_now ? HF__TOKEN_WAS_HEIR : token & HF__TOKEN_WAS_HEIR;
    + token & HF__TOKEN_WAS_HEIR;
a blocking thread forgets after a while that it was the heir
    + is_heir_now ? HF__TOKEN_WAS_HEIR : 0;

=== c-src/gate_word.h
a thread that has lost a slot does not keep the next
    - bool keeps = (token & HF__TOKEN_WAS_HEIR) ||
    + bool keeps =
a thread that claims the slot after an event loop has passed does not keep it
    -  || (heir_of(word) == 0 && (word & LOOP_PASSED));
    + ;
a thread that claims the slot of a late event loop keeps it
    - (heir_of(word) == 0 && (word & LOOP_PASSED));
    + (word & LOOP_PASSED);
a passing event loop leaves no mark
    - kind == HF__BLOCKING ? 0 : LOOP_PASSED;
    + 0;
a passing blocking thread leaves the mark of an event loop
    + LOOP_PASSED;

=== c-src/gate_block.c
a thread that passes at once leaves the mark of a passing event loop
    - (word & ~LOOP_PASSED) + amount); /* [A1] */
    + word + amount); /* [A1] */

=== c-src/gate_word.h
a release leaves the mark of a passing event loop [1 worker, 2 loops]
    - return word & ~(FLAGS | LOOP_PASSED);
    + return word & ~FLAGS;
the first bit of an identity is not in the number of its reservation
    - (number ^ number >> HF__NUMBER_BITS << (HF_THREAD_BITS / 2 - 1)) & HF__NUMBER_MASK;
    + number & HF__NUMBER_MASK;

=== c-src/gate.c
the slot of a polling loop is watched as its reservation
    - uint64_t is_long = (next & RESERVED) && (next & LONG_RESERVATION) ? 1 : 0;
    + uint64_t is_long = next & LONG_RESERVATION ? 1 : 0;
wakes are for the word as it is now [an unlock by a stranger, 2 workers]
    - uint64_t dropped = word & ~next;
    + uint64_t dropped = next;

=== c-src/gate_word.h
a release reserves for nobody [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    - return (word & ASYNC_HEIR ? word & ~FLAGS : word) | RESERVED;
    + return word & ASYNC_HEIR ? word & ~FLAGS : word;
a reservation for an event loop keeps no sleeper awake [semaphore of 2, a holder of 2, a loop, a busy loop for 2]
    + return word | RESERVED;
a reservation for an event loop does not wake the async wait list [semaphore of 2, a holder of 2, a loop, a busy loop for 2]
    + return (word & ASYNC_HEIR ? word & ~(SLEEPERS | LARGE) : word) | RESERVED;
a reservation for a blocked thread wakes all others too
    + return (word & ~FLAGS) | RESERVED;
a gate that opens for anybody keeps its flags [an unlock by a stranger, 2 workers]
    - return word & ~(FLAGS | LOOP_PASSED);
    + return word & ~LOOP_PASSED;
a gate that opens for anybody forgets the async wait list
    + return word & ~(SLEEPERS | LARGE | LOOP_PASSED);

=== c-src/gate.c
# A needless step
a reservation of too little stays [semaphore of 2, 2 workers, a loop for 2]
    - next &= ~RESERVED; /* the heir needs more room */
a reservation of too little costs the slot
    + next = without_heir(next);
a slot is claimed that another thread has [3 loops]
    - } else if (claims && !holds_it && is_slot_free) {
    + } else if (claims && !holds_it) {
a thread that outlasted a reservation does not become the heir
    - heir_of(word) == 0 || is_late(word, watched) || displaces(word, kind, token);
    + heir_of(word) == 0 || displaces(word, kind, token);

=== c-src/gate_word.h
a slot is taken over with its reservation
    - return without_heir(word) | (uint64_t)self << 32 |
    + return without_heir(word) | (word & RESERVED) | (uint64_t)self << 32 |

=== c-src/gate.c
a blocked thread never claims the slot of the heir [3 workers]
    - kind == HF__BLOCKING && overtaken < OUT_OF_PATIENCE;
    + kind == HF__BLOCKING;
a blocked thread claims the slot at once
    + false;

=== c-src/gate_word.h
an event loop claims its slot as if it could block [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    - (kind == HF__BLOCKING ? 0 : ASYNC_HEIR)
    + 0
a thread without waitAsync claims its slot as if it had it
    - kind == HF__BLOCKING ? keeps : kind == HF__POLLING;
    + kind == HF__BLOCKING && keeps;

=== c-src/gate.c
an event loop on the async wait list does not set its flag [3 loops]
    - next |= token & HF__TOKEN_LISTED ? ASYNC_WAITERS : 0; /* I3 */
an event loop says that it is on the async wait list before it is
    + next |= ASYNC_WAITERS;
a sleeper that wants more than one does not say so
    - next |= SLEEPERS | large;
    + next |= SLEEPERS;
a mutex has sleepers that want more than one
    - amount > 1 && !for_one ? LARGE : 0;
    + amount > 1 ? LARGE : 0;
a sleeper sets no flag [an unlock by a stranger, 2 workers]
    - next |= SLEEPERS | large;
a thread that naps asks for a wake
    - } else if (!naps) {
    + } else {
a blocked thread naps while the gate is reserved, and watches nothing [1 worker, 2 loops]
    - !claims && !is_heir_now && !(next & RESERVED);
    + !claims && !is_heir_now;
a flag counts as set though another thread was faster [3 loops]
    -         if (next == word || hf__cas64_rlx(&gate->word, word, next)) {
    -             hf__gate_wake_for
    +         if (next == word || (hf__cas64_rlx(&gate->word, word, next), true)) {
    +             hf__gate_wake_for
a blocked thread waits for the word as it was before it set its flag [2 workers with 2 rounds, slices]
    - uint32_t expected = (uint32_t)next;
    + uint32_t expected = (uint32_t)word;
the heir waits for its slot as it was before it claimed it [2 workers with 2 rounds, slices]
    - hf__wait_for(HF__WAIT_TURN, (uint32_t)(next >> 32))
    + hf__wait_for(HF__WAIT_TURN, (uint32_t)(word >> 32))
a step does not say that the reservation is for a polling loop
    - uint64_t is_long = (next & RESERVED) && (next & LONG_RESERVATION) ? 1 : 0;
    + uint64_t is_long = 0;
a step does not say which reservation to watch [semaphore of 2, a holder of 2, a loop, a busy loop for 2]
    - next & RESERVED || beside ? number_of(next) : 0;
    + beside ? number_of(next) : 0;

# Room beside a slot
a step does not say which slot to watch [semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death]
    + next & RESERVED ? number_of(next) : 0;
a watched slot is not reserved [semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death]
    - next |= RESERVED | LONG_RESERVATION;
a watched slot has the shorter time to come
    + next |= RESERVED;
a slot beside which there is room is reserved at once
    - } else if (watched == number_of(word) && is_beside(word, amount, capacity)) {
    + } else if (is_beside(word, amount, capacity)) {
a slot is reserved that is not in the way
    + } else if (watched == number_of(word)) {
a blocking thread watches the slot of its own event loop first
    - } else if (heir_of(word) == self && is_beside(word, amount, capacity)) {
    + } else if (0) {
a blocking thread reserves for its own event loop without room
    + } else if (heir_of(word) == self) {
a thread that reserves a slot does not wake its heir [semaphore of 3, a holder of 2, a loop for 2 that blocks for 1]
    -             hf__gate_wake_for(gate, word, next);
    -             if (is_heir_now) {
    +             if (is_heir_now) {

=== c-src/gate_word.h
there is room beside a slot only while nothing is in use
    [semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death]
    - !(word & RESERVED) && has_room(word, amount, capacity);
    + !(word & RESERVED) && used_in(word) == 0;

=== c-src/gate.c
a blocked thread watches a slot before its patience is over
    - bool beside = !is_patient && is_beside(next, amount, capacity);
    + bool beside = is_beside(next, amount, capacity);

=== c-src/gate_block.c
a slot is watched for as long as a reservation
    - if (hf__next_in(step) == HF__WAIT_BESIDE) {
    + if (0) {

=== c-src/gate.c
a try reserves no slot
    - uint64_t next = word | RESERVED | LONG_RESERVATION;
    + uint64_t next = word;
a try reserves a slot at once
    - if (beside && watched == number_of(word)) {
    + if (beside) {
a try says that it has reserved a slot though another thread was faster
    -         if (hf__cas64_rlx(&gate->word, word, next)) {
    -             hf__gate_wake_for(gate, word, next);
    -             word
    +         if (hf__cas64_rlx(&gate->word, word, next), true) {
    +             hf__gate_wake_for(gate, word, next);
    +             word
a try that reserves a slot wakes nobody
    -             hf__gate_wake_for(gate, word, next);
    -             word = next;
    +             word = next;
a try does not say which slot to watch
    - HF__WAIT_MORE | (beside || word & RESERVED ? number_of(word) : 0);
    + HF__WAIT_MORE | (word & RESERVED ? number_of(word) : 0);
a step takes the lock though another thread was faster
    [semaphore of 3, a holder of 2, a loop for 2 that tries 1 in the same job]
    - if (hf__cas64_acq(&gate->word, word, next)) { /* [A1] [A2] [A3] */
    + if (hf__cas64_acq(&gate->word, word, next), true) {

# Leaving and withdrawing
more is given back than is in use [an unlock by a stranger, 2 workers]
    - leaves = used_in(word) >= amount && used_in(word) <= most;
    + leaves = used_in(word) <= most;
anybody may unlock [an unlock by a stranger, 2 workers]
    + leaves = true;
an amount of another thread may be given back [an unlock by a stranger, 2 workers]
    + leaves = used_in(word) >= amount;

=== c-src/gate_word.h
every release opens the gate [rwlock, 1 writer, a loop with 3 long sections]
    - return used_in(next) <= opens_at ? opened(next) : next;
    + return opened(next);
only the last release opens the gate [semaphore of 3, workers for 1, 2 and 3]
    + return used_in(next) == 0 ? opened(next) : next;

=== c-src/gate.c
a release counts though another thread was faster [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    - } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] also if nothing leaves */
    + } while (!hf__cas64_rel(&gate->word, word, next) && false);
unlock wakes before it releases [an unlock by a stranger, 2 workers]
    -     } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] also if nothing leaves */
    -
    -     hf__gate_wake_any_for(gate, word, next);
    +     hf__gate_wake_for(gate, word, next);
    +     } while (!hf__cas64_rel(&gate->word, word, next));
a release says that it released what it did not [an unlock by a stranger, 2 workers]
    - return leaves;
    + return true;
a withdrawing heir keeps its slot [3 loops with aborts]
    - next = (leaves_slot ? without_heir(word) : word) | others;
    + next = word | others;
a withdrawing thread does not set the flag for the others
    + next = leaves_slot ? without_heir(word) : word;
a withdrawing thread does not forward its wake
    - if (is_open && (leaves_slot || others)) {
    + if (is_open && leaves_slot) {
a withdrawing heir leaves an open gate with nobody awake [1 worker, 2 loops with aborts]
    + if (is_open && others) {
a withdrawing thread wakes others although it took no wake
    + if (is_open) {
a withdrawing thread that watches leaves nobody who watches
    - (heir_of(next) == 0 || (next & RESERVED));
    + heir_of(next) == 0;
a withdrawing thread takes a gate with an heir for open
    - has_room(next, 1, capacity) && (heir_of(next) == 0 || (next & RESERVED));
    + has_room(next, 1, capacity);
a withdrawing thread takes a full gate for open
    + heir_of(next) == 0 || (next & RESERVED);
a withdrawing thread takes a gate that has room for some for full
    - bool is_open = has_room(next, 1, capacity) &&
    + bool is_open = used_in(next) == 0 &&
a withdrawing thread does not wake the async wait list
    -         } else if (leaves_slot || was_oldest) {
    -             next &= ~ASYNC_WAITERS;
    -         }
    +         }
an oldest waiter that gives up leaves the async wait list asleep
    - } else if (leaves_slot || was_oldest) {
    + } else if (leaves_slot) {
an heir that gives up leaves the async wait list asleep
    + } else if (was_oldest) {
a withdrawal counts though another thread was faster [3 loops with aborts]
    - } while (next != word && !hf__cas64_rlx(&gate->word, word, next));
    + } while (next != word && !hf__cas64_rlx(&gate->word, word, next) && false);
a withdrawing thread wakes nobody [3 loops with aborts]
    - next));
    -     hf__gate_wake_for(gate, word | others, next);
    + next));
a withdrawing thread forgets those that it was woken for
    + next));
    +     hf__gate_wake_for(gate, word, next);
a passing thread forgets those that it was woken for [semaphore of 2, permits made at once, 2 workers]
    - hf__gate_passed(gate, self, amount, capacity);
    -             hf__gate_wake_any_for(gate, word | others, next);
    + hf__gate_wake_for(gate, word, next);
a passing thread wakes nobody [semaphore of 2, permits made at once, 2 workers]
    + hf__gate_passed(gate, self, amount, capacity);

=== c-src/gate_block.c
# The blocking wait
a spin before the first sleep passes by an heir [2 workers, 3 rounds]
    - bool is_open = heir_of(word) == 0 && has_room(word, amount, capacity);
    + bool is_open = has_room(word, amount, capacity);
a spin before the first sleep takes a lock that is held [an unlock by a stranger, 2 workers]
    + bool is_open = heir_of(word) == 0;
a spin before the first sleep takes the lock though another thread was faster [1 worker, 1 loop with 2 requests at once]
    - is_open && hf__cas64_acq(&gate->word, word, (word & ~LOOP_PASSED) + amount); /* [A1] */
    + is_open && (hf__cas64_acq(&gate->word, word, word + amount), true);
a time limit that ends takes the lock as if nobody waited behind it
    - pass_now(gate, self, HF__BLOCKING, token & ~HF__NUMBER_MASK, amount, capacity)
    + pass_now(gate, self, HF__BLOCKING, 0, amount, capacity)
a time limit that ends takes a reservation away
    + pass_now(gate, self, HF__BLOCKING, token, amount, capacity)
a time limit that ends leaves the slot, the flag and the wake to nobody
    -     hf__gate_withdraw(gate, self, HF__BLOCKING, token, capacity);
    -     return is_abandoned(word, capacity) ? HF_ABANDONED : HF_TIMEOUT;
    +     return is_abandoned(word, capacity) ? HF_ABANDONED : HF_TIMEOUT;
a wait whose time is up waits once more
    -     if (limit_ns == 0) {
    -         return give_up
    +     if (0) {
    +         return give_up
a thread that waits on spins as long as one that has just come [semaphore of 2, permits made at once, 2 workers]
    - for (int spin = token == 0 ? 0 : SPINS_BEFORE_SLEEP; spin
    + for (int spin = 0; spin
the heir sleeps where the others sleep
    - is_heir_now ? hf__high_half(&gate->word) : hf__low_half(&gate->word);
    + hf__low_half(&gate->word);
the others sleep where the heir sleeps [2 workers, 1 busy loop]
    + hf__high_half(&gate->word);
a blocked thread waits for the word as it is when it falls asleep [an unlock by a stranger, 2 workers]
    - hf__wait(half, (uint32_t)step, cut_short
    + hf__wait(half, (uint32_t)(hf__load64_rlx(&gate->word) >> (is_heir_now ? 32 : 0)), cut_short
an awake heir spins for a free lock only
    - (uint32_t)((HEIR | RESERVED) >> 32), self);
    + (uint32_t)(RESERVED >> 32), 0);
an awake heir does not see its reservation
    + (uint32_t)(HEIR >> 32), self);
a reservation is never found to have outlasted its time [3 workers, a death]
    - woken == HF__TIMED_OUT && !cut_short;
    + false;
a reservation counts as outlasted when its watcher was woken
    + !cut_short;
a reservation counts as outlasted when the time of the caller was up
    + woken == HF__TIMED_OUT;
a blocked thread never loses its patience [semaphore of 2, permits made at once, 2 workers]
    - patience_over ? OUT_OF_PATIENCE : overtaken + 1;
    + overtaken;
a blocked thread loses its patience with its first wake
    - bool patience_over = woken == HF__TIMED_OUT && overtaken < NAPS_FROM;
    + bool patience_over = overtaken < NAPS_FROM;
no limit of the caller is taken for one that has passed [3 workers]
    - (uint64_t)limit_ns < (uint64_t)slice;
    + limit_ns < slice;

=== c-src/gate_word.h
the reservation of one of the first threads is taken for a count of slices
    - return number > HF__SLICES_MOST ? number : HF__NUMBER_MASK - number;
    + return number != 0 ? number : HF__NUMBER_MASK - number;

=== c-src/gate_block.c
a watched reservation is taken for a count of slices
    - return watched > HF__SLICES_MOST ? 0 : watched;
    + return watched;
a woken thread goes on with slices as long
    - outlasted && watched == 0 ? hf__one_slice_more(slices) : watched;
    + watched == 0 ? hf__one_slice_more(slices) : watched;
a thread that has slept for a slice has watched nobody
    + outlasted ? hf__one_slice_more(slices) : watched;
an heir that has slept spins as long as one that has just come
    - if (!is_heir_now || slices > 0 || !turn_comes_soon(gate, self, capacity)) {
    + if (!is_heir_now || !turn_comes_soon(gate, self, capacity)) {
the heir spins on a core that a thread inside waits for
    - if (capacity > 1 && capacity <= PERMITS_BY_CORES) {
    + if (capacity == 2) {
the two reservations are mixed up
    - is_long ? HF_POLLED_RESERVATION_NS : HF_RESERVATION_NS;
    + is_long ? HF_RESERVATION_NS : HF_POLLED_RESERVATION_NS;
the two naps are mixed up
    - overtaken == NAPS_FROM ? FIRST_NAP_NS : patience - FIRST_NAP_NS;
    + overtaken == NAPS_FROM ? patience - FIRST_NAP_NS : FIRST_NAP_NS;
lock returns after its first sleep [an unlock by a stranger, 2 workers]
    -         result = hf__gate_wait(gate, self, result, -1, amount, capacity);
    -     }
    +         result = hf__gate_wait(gate, self, result, -1, amount, capacity);
    +         result = HF_OK;
    +     }

=== c-src/gate.c
a try never takes a reservation away
    - pass_now(gate, self, HF__BLOCKING, watched, amount, capacity);
    + pass_now(gate, self, HF__BLOCKING, 0, amount, capacity);
a try does not say for whom the gate is reserved
    - HF__WAIT_MORE | (beside || word & RESERVED ? number_of(word) : 0);
    + HF__WAIT_MORE | (beside ? number_of(word) : 0);
`);
