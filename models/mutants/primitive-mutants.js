/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { mutantsOf } from './mutant-list.js';

/** Mistakes in what the primitives make of the gate, and in what lies below it. */
export const PRIMITIVE_MUTANTS = mutantsOf(`
=== c-src/gate_async.h
the oldest waiter comes before nobody [a holder, 1 loop with 2 requests, 1 that is old]
    - return !hf__is_older(line, token) && !hf__is_oldest(line, self) &&
    + return false &&
the oldest waiter comes before itself
    - !hf__is_older(line, token) && !hf__is_oldest(line, self) &&
    + !hf__is_older(line, token) &&
the oldest waiter comes before those of a higher age class
    - return !hf__is_older(line, token) &&
    + return line != 0 &&
a waiter of the same age class replaces the oldest
    - (token & HF__TOKEN_AGE) > (line & HF__TOKEN_AGE);
    + (token & HF__TOKEN_AGE) >= (line & HF__TOKEN_AGE);
an oldest waiter that was watched still comes first
    - return (token & HF__NUMBER_MASK) == hf__oldest_number(line);
    + return false;
an oldest waiter is watched by its identity
    - return ~line & HF__NUMBER_MASK;
    + return line & HF__NUMBER_MASK;
an oldest waiter that claims the slot stays the oldest
    - if (line != 0 && (hf__is_oldest(line, self) ||
    + if (line != 0 && (
an oldest waiter that waits no longer stays the oldest [3 loops]
    - hf__is_oldest(line, self) && hf__cas_rlx(&gate->line, line, 0);
    + hf__is_oldest(line, self) && hf__cas_rlx(&gate->line, line, line);
a waiter that leaves takes the age class of another
    - return line != 0 && hf__is_oldest(line, self) && hf__cas
    + return line != 0 && hf__cas
a polling loop is never the oldest waiter
    - kind == HF__POLLING || (token & HF__TOKEN_LISTED);
    + token & HF__TOKEN_LISTED;
a loop that is not on the async wait list is the oldest waiter
    + true;

=== c-src/gate.c
an event loop whose thread has the mutex is the oldest waiter
    - if (!holds_it) {
    + if (true) {

=== c-src/mutex.c
the owner of a mutex waits for itself
    -     if (hf__mutex_is_held_by(mutex, self)) {
    -         return HF_DEADLOCK;
    -     }
    -     return hf__gate_enter(
    +     return hf__gate_enter(
a try of a mutex tells the wrong result [3 loops]
    - HF__GATE_FOR_ONE) == HF_OK ? HF_OK : HF_BUSY;
    + HF__GATE_FOR_ONE) == HF_OK ? HF_BUSY : HF_OK;
unlock says that it released a mutex that it did not [an unlock by a stranger, 2 workers]
    - hf__gate_leave(&mutex->gate, self, self, 0) ? HF_OK : HF_NOT_OWNER;
    + hf__gate_leave(&mutex->gate, self, self, 0) ? HF_OK : HF_OK;
a mutex of another thread may be unlocked [an unlock by a stranger, 2 workers]
    - hf__gate_leave(&mutex->gate, self, self, 0) ? HF_OK
    + hf__gate_leave(&mutex->gate, self, HF__GATE_MOST, HF__GATE_MOST) ? HF_OK
a mutex lets two in
    - hf__gate_enter(&mutex->gate, self, self, HF__GATE_FOR_ONE);
    + hf__gate_enter(&mutex->gate, self, self, HF__GATE_MOST);

=== c-src/semaphore.c
a semaphore begins with what is not there
    - hf__store64_rlx(&semaphore->gate.word, max - initial);
    + hf__store64_rlx(&semaphore->gate.word, initial);
the init of a semaphore leaves the async wait list
    - hf__store_rlx(&semaphore->gate.line, 0);
a semaphore has one more than its most permits
    - hf__store_rlx(&semaphore->gate.own, max - 1);
    + hf__store_rlx(&semaphore->gate.own, max);
a semaphore has one less than its most permits
    - return hf__load_rlx(&semaphore->gate.own) + 1;
    + return hf__load_rlx(&semaphore->gate.own);
the permits that are taken count as free
    - return hf_semaphore_max(semaphore) - hf__gate_used(&semaphore->gate);
    + return hf__gate_used(&semaphore->gate);
no permits may be given back
    - bool is_done = permits > 0 &&
    + bool is_done =
permits are given back one at a time [semaphore of 3, a holder of 2, a loop for 2 that tries 1]
    - hf__gate_leave(&semaphore->gate, permits, HF__GATE_MOST, HF__GATE_MOST);
    + hf__gate_leave(&semaphore->gate, 1, HF__GATE_MOST, HF__GATE_MOST);
permits are given back only by a thread that has all of them
    [semaphore of 3, a holder of 2, a loop for 2 that tries 1 in the same job]
    + hf__gate_leave(&semaphore->gate, permits, permits, HF__GATE_MOST);
a semaphore opens when all its permits are back [semaphore of 3, workers for 1, 2 and 3]
    + hf__gate_leave(&semaphore->gate, permits, HF__GATE_MOST, 0);
a semaphore opens when no more is taken than was given back [semaphore of 3, workers for 1, 2 and 3]
    + hf__gate_leave(&semaphore->gate, permits, HF__GATE_MOST, permits - 1);
more permits than there may be are made in silence [semaphore of 2, more permits made than there may be, a worker]
    - return is_done ? HF_OK : HF_OVERFLOW;
    + return is_done ? HF_OK : HF_OK;

=== c-src/rwlock.c
a reader unlocks what a writer has
    - amount == HF__SHARED ? HF__RWLOCK_READERS : amount;
    + amount == HF__SHARED ? HF__GATE_MOST : amount;
one reader only may unlock [rwlock, a reader inside, a loop that writes and tries to read in the same job]
    + amount;
any thread unlocks what a writer has [rwlock, an unlock by a stranger, 1 reader, 1 writer]
    + HF__GATE_MOST;
a writer cannot unlock [rwlock, a reader inside, a loop that writes and tries to read]
    + HF__RWLOCK_READERS;
a writer unlocks as a reader [rwlock, a reader inside, a loop that writes and tries to read]
    - hf__gate_leave(&rwlock->gate, amount, most, 0)
    + hf__gate_leave(&rwlock->gate, HF__SHARED, most, 0)
every reader that leaves calls the next [rwlock, 1 writer, a loop with 3 long sections]
    + hf__gate_leave(&rwlock->gate, amount, most, HF__GATE_MOST)
the last reader but one opens the lock [rwlock, 1 writer, a loop with 3 long sections]
    + hf__gate_leave(&rwlock->gate, amount, most, 1)
unlock says that it released a lock that it did not
    - hf__gate_leave(&rwlock->gate, amount, most, 0) ? HF_OK : HF_NOT_OWNER;
    + hf__gate_leave(&rwlock->gate, amount, most, 0) ? HF_OK : HF_OK;

=== c-src/rwlock.h
as many readers fit as there are identities of writers
    - #define HF__RWLOCK_READERS (HF__RWLOCK_WRITER - 1)
    + #define HF__RWLOCK_READERS HF_THREAD_MASK

=== c-src/waiting.h
slices are a hundred times as long
    - #define HF__SLICE_NS (20 * HF_MILLISECOND)
    + #define HF__SLICE_NS (2000 * HF_MILLISECOND)
the longest slice is not the last
    - HF__SLICES_MOST = 6
    + HF__SLICES_MOST = 7

=== c-src/waiting.c
slices do not grow
    - return slices < HF__SLICES_MOST ? slices + 1 : slices;
    + return slices;
the longest slice comes one too early
    - return slices < HF__SLICES_MOST ? HF__SLICE_NS << slices : hf__longest_slice_ns(hf__asleep());
    + return slices + 1 < HF__SLICES_MOST ? HF__SLICE_NS << slices : HF__LONGEST_SLICE_NS;

=== c-src/exports.c
a time limit is taken for nanoseconds
    - hf__gate_wait(g, self, token, limit_us * HF_MICROSECOND, amount, capacity)
    + hf__gate_wait(g, self, token, limit_us, amount, capacity)

=== c-src/futex_wasm.c
a wait has no limit at all [3 workers]
    - __builtin_wasm_memory_atomic_wait32((int *)word, (int)expected, timeout_ns)
    + __builtin_wasm_memory_atomic_wait32((int *)word, (int)expected, -1)
every wake is for one only [1 loop, 1 loop that holds it across jobs and requests it]
    - __builtin_wasm_memory_atomic_notify((int *)word, count);
    + __builtin_wasm_memory_atomic_notify((int *)word, 1);
a wake is asked for and not sent [an unlock by a stranger, 2 workers]
    + __builtin_wasm_memory_atomic_notify((int *)word, count * 0);
`);
