/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const MUTEX = 'c-src/mutex.c';
const SEMAPHORE = 'c-src/semaphore.c';
const RWLOCK = 'c-src/rwlock.c';
const RWLOCK_PARTS = 'c-src/rwlock.h';
const FUTEX = 'c-src/futex_wasm.c';
const GATE = 'c-src/gate.c';
const SENIOR = 'c-src/senior.h';

/** @typedef {import('./mutants.js').SourceMutant} SourceMutant */

/**
 * Mistakes in what the primitives make of the gate, and in what lies below it.
 * @type {SourceMutant[]}
 */
export const PRIMITIVE_MUTANTS = [
    {
        name: 'the senior comes before nobody',
        foundIn: 'a holder, 1 loop with 2 requests, 1 that is old',
        file: SENIOR,
        from: 'return !hf__outranks_senior(line, token) && !hf__is_senior(line, self) &&',
        to: 'return false &&',
    },
    {
        name: 'the senior comes before itself',
        file: SENIOR,
        from: '!hf__outranks_senior(line, token) && !hf__is_senior(line, self) &&',
        to: '!hf__outranks_senior(line, token) &&',
    },
    {
        name: 'the senior comes before those that have waited longer',
        file: SENIOR,
        from: 'return !hf__outranks_senior(line, token) && ',
        to: 'return line != 0 && ',
    },
    {
        name: 'one that has waited as long is the senior in its stead',
        file: SENIOR,
        from: '(token & HF__TOKEN_RANK) > (line & HF__TOKEN_RANK);',
        to: '(token & HF__TOKEN_RANK) >= (line & HF__TOKEN_RANK);',
    },
    {
        name: 'a senior that was watched still comes first',
        file: SENIOR,
        from: 'return (token & HF__NUMBER_MASK) == hf__senior_number(line);',
        to: 'return false;',
    },
    {
        name: 'a senior is watched by its identity',
        file: SENIOR,
        from: 'return ~line & HF__NUMBER_MASK;',
        to: 'return line & HF__NUMBER_MASK;',
    },
    {
        name: 'a senior that claims the place stays the senior',
        file: SENIOR,
        from: 'if (line != 0 && (hf__is_senior(line, self) || ',
        to: 'if (line != 0 && (',
    },
    {
        name: 'a senior that waits no longer stays the senior',
        foundIn: '3 loops',
        file: SENIOR,
        from: 'hf__is_senior(line, self) && hf__cas_rlx(&gate->line, line, 0);',
        to: 'hf__is_senior(line, self) && hf__cas_rlx(&gate->line, line, line);',
    },
    {
        name: 'who waits no longer takes the rank of another',
        file: SENIOR,
        from: 'return line != 0 && hf__is_senior(line, self) && hf__cas',
        to: 'return line != 0 && hf__cas',
    },
    {
        name: 'who looks by timer is never the senior',
        file: SENIOR,
        from: 'kind == HF__POLLING || (token & HF__TOKEN_IN_LINE);',
        to: 'token & HF__TOKEN_IN_LINE;',
    },
    {
        name: 'one that does not stand in line is the senior',
        file: SENIOR,
        from: 'kind == HF__POLLING || (token & HF__TOKEN_IN_LINE);',
        to: 'true;',
    },
    {
        name: 'an event loop whose thread has the mutex is the senior',
        file: GATE,
        from: 'if (!holds_it) {',
        to: 'if (true) {',
    },
    {
        name: 'the owner of a mutex waits for itself',
        file: MUTEX,
        from: '    if (hf__mutex_is_held_by(mutex, self)) {\n        return HF_DEADLOCK;\n    }\n    hf__gate_enter(',
        to: '    hf__gate_enter(',
    },
    {
        name: 'a try of a mutex tells the wrong result',
        foundIn: '3 loops',
        file: MUTEX,
        from: 'HF__GATE_FOR_ONE) == HF_OK ? HF_OK : HF_BUSY;',
        to: 'HF__GATE_FOR_ONE) == HF_OK ? HF_BUSY : HF_OK;',
    },
    {
        name: 'unlock says that it released a mutex that it did not',
        foundIn: 'an unlock by a stranger, 2 workers',
        file: MUTEX,
        from: 'hf__gate_leave(&mutex->gate, self, self, 0) ? HF_OK : HF_NOT_OWNER;',
        to: 'hf__gate_leave(&mutex->gate, self, self, 0) ? HF_OK : HF_OK;',
    },
    {
        name: 'a mutex of another thread may be unlocked',
        foundIn: 'an unlock by a stranger, 2 workers',
        file: MUTEX,
        from: 'hf__gate_leave(&mutex->gate, self, self, 0) ? HF_OK',
        to: 'hf__gate_leave(&mutex->gate, self, HF__GATE_MOST, HF__GATE_MOST) ? HF_OK',
    },
    {
        name: 'a mutex lets two in',
        file: MUTEX,
        from: 'hf__gate_enter(&mutex->gate, self, self, HF__GATE_FOR_ONE);',
        to: 'hf__gate_enter(&mutex->gate, self, self, HF__GATE_MOST);',
    },
    {
        name: 'a semaphore begins with what is not there',
        file: SEMAPHORE,
        from: 'hf__store64_rlx(&semaphore->gate.word, max - initial);',
        to: 'hf__store64_rlx(&semaphore->gate.word, initial);',
    },
    {
        name: 'the init of a semaphore leaves the line',
        file: SEMAPHORE,
        from: '    hf__store_rlx(&semaphore->gate.line, 0);\n',
        to: '',
    },
    {
        name: 'a semaphore has one more than its most permits',
        file: SEMAPHORE,
        from: 'hf__store_rlx(&semaphore->gate.own, max - 1);',
        to: 'hf__store_rlx(&semaphore->gate.own, max);',
    },
    {
        name: 'a semaphore has one less than its most permits',
        file: SEMAPHORE,
        from: 'return hf__load_rlx(&semaphore->gate.own) + 1;',
        to: 'return hf__load_rlx(&semaphore->gate.own);',
    },
    {
        name: 'the permits that are taken count as free',
        file: SEMAPHORE,
        from: 'return hf_semaphore_max(semaphore) - hf__gate_used(&semaphore->gate);',
        to: 'return hf__gate_used(&semaphore->gate);',
    },
    {
        name: 'no permits may be given back',
        file: SEMAPHORE,
        from: 'bool is_done = permits > 0 &&',
        to: 'bool is_done =',
    },
    {
        name: 'permits are given back one at a time',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        file: SEMAPHORE,
        from: 'hf__gate_leave(&semaphore->gate, permits, HF__GATE_MOST, HF__GATE_MOST);',
        to: 'hf__gate_leave(&semaphore->gate, 1, HF__GATE_MOST, HF__GATE_MOST);',
    },
    {
        name: 'permits are given back only by who has all of them',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1 in the same job',
        file: SEMAPHORE,
        from: 'hf__gate_leave(&semaphore->gate, permits, HF__GATE_MOST, HF__GATE_MOST);',
        to: 'hf__gate_leave(&semaphore->gate, permits, permits, HF__GATE_MOST);',
    },
    {
        name: 'a semaphore opens when all its permits are back',
        foundIn: 'semaphore of 3, workers for 1, 2 and 3',
        file: SEMAPHORE,
        from: 'hf__gate_leave(&semaphore->gate, permits, HF__GATE_MOST, HF__GATE_MOST);',
        to: 'hf__gate_leave(&semaphore->gate, permits, HF__GATE_MOST, 0);',
    },
    {
        name: 'a semaphore opens when no more is taken than was given back',
        foundIn: 'semaphore of 3, workers for 1, 2 and 3',
        file: SEMAPHORE,
        from: 'hf__gate_leave(&semaphore->gate, permits, HF__GATE_MOST, HF__GATE_MOST);',
        to: 'hf__gate_leave(&semaphore->gate, permits, HF__GATE_MOST, permits - 1);',
    },
    {
        name: 'more permits than there may be are made in silence',
        foundIn: 'semaphore of 2, more permits made than there may be, a worker',
        file: SEMAPHORE,
        from: 'return is_done ? HF_OK : HF_OVERFLOW;',
        to: 'return is_done ? HF_OK : HF_OK;',
    },
    {
        name: 'a reader counts as the writer',
        foundIn: 'rwlock, a reader inside, a loop that writes and tries to read',
        file: RWLOCK,
        from: 'void hf__rwlock_note(hf_rwlock *rwlock, uint32_t self, hf__rwlock_mode mode)\n{\n    if (mode == HF__EXCLUSIVE) {',
        to: 'void hf__rwlock_note(hf_rwlock *rwlock, uint32_t self, hf__rwlock_mode mode)\n{\n    if (mode) {',
    },
    {
        name: 'nobody notes who writes',
        file: RWLOCK,
        from: 'hf__store_rlx(&rwlock->gate.own, self);',
        to: 'hf__store_rlx(&rwlock->gate.own, NO_WRITER);',
    },
    {
        name: 'a reader unlocks what a writer has',
        file: RWLOCK,
        from: 'uint32_t most = HF__GATE_MOST - 1;',
        to: 'uint32_t most = HF__GATE_MOST;',
    },
    {
        name: 'one reader only may unlock',
        foundIn: 'rwlock, a reader inside, a loop that writes and tries to read in the same job',
        file: RWLOCK,
        from: 'uint32_t most = HF__GATE_MOST - 1;',
        to: 'uint32_t most = 1;',
    },
    {
        name: 'any thread unlocks what a writer has',
        foundIn: 'rwlock, an unlock by a stranger, 1 reader, 1 writer',
        file: RWLOCK,
        from: 'if (!hf__rwlock_is_held_by(rwlock, self)) {',
        to: 'if (0) {',
    },
    {
        name: 'who has unlocked still counts as the writer',
        foundIn: 'rwlock, a reader inside, a loop that writes and tries to read',
        file: RWLOCK,
        from: '        hf__store_rlx(&rwlock->gate.own, NO_WRITER);\n',
        to: '',
    },
    {
        name: 'a writer cannot unlock',
        foundIn: 'rwlock, a reader inside, a loop that writes and tries to read',
        file: RWLOCK,
        from: '        most = HF__GATE_MOST;\n',
        to: '',
    },
    {
        name: 'a writer unlocks as a reader',
        foundIn: 'rwlock, a reader inside, a loop that writes and tries to read',
        file: RWLOCK,
        from: 'hf__gate_leave(&rwlock->gate, mode, most, 0)',
        to: 'hf__gate_leave(&rwlock->gate, HF__SHARED, most, 0)',
    },
    {
        name: 'every reader that leaves calls the next',
        foundIn: 'rwlock, 1 writer, a loop with 3 long sections',
        file: RWLOCK,
        from: 'hf__gate_leave(&rwlock->gate, mode, most, 0)',
        to: 'hf__gate_leave(&rwlock->gate, mode, most, HF__GATE_MOST)',
    },
    {
        name: 'the last reader but one opens the lock',
        foundIn: 'rwlock, 1 writer, a loop with 3 long sections',
        file: RWLOCK,
        from: 'hf__gate_leave(&rwlock->gate, mode, most, 0)',
        to: 'hf__gate_leave(&rwlock->gate, mode, most, 1)',
    },
    {
        name: 'unlock says that it released a lock that it did not',
        file: RWLOCK,
        from: 'hf__gate_leave(&rwlock->gate, mode, most, 0) ? HF_OK : HF_NOT_OWNER;',
        to: 'hf__gate_leave(&rwlock->gate, mode, most, 0) ? HF_OK : HF_OK;',
    },
    {
        name: 'everybody is the writer while there is one',
        foundIn: 'rwlock, an unlock by a stranger, 1 reader, 1 writer',
        file: RWLOCK_PARTS,
        from: 'return hf__load_rlx(&rwlock->gate.own) == self;',
        to: 'return hf__load_rlx(&rwlock->gate.own) != 0;',
    },
    {
        name: 'a writer leaves room for one reader',
        foundIn: 'rwlock, a reader inside, a loop that writes and tries to read',
        file: RWLOCK_PARTS,
        from: 'HF__EXCLUSIVE = HF__GATE_MOST }',
        to: 'HF__EXCLUSIVE = HF__GATE_MOST - 1 }',
    },
    {
        name: 'a slice has no end',
        file: 'c-src/waiting.h',
        from: '#define HF__SLICE_NS (20 * HF_MILLISECOND)',
        to: '#define HF__SLICE_NS INT64_C(-1)',
    },
    {
        name: 'slices do not grow',
        file: 'c-src/waiting.c',
        from: 'return slices < HF__SLICES_MOST ? slices + 1 : slices;',
        to: 'return slices;',
    },
    {
        name: 'the longest slice comes one too early',
        file: 'c-src/waiting.c',
        from: 'return slices < HF__SLICES_MOST ? HF__SLICE_NS << slices : hf__longest_slice_ns(hf__asleep());',
        to: 'return slices + 1 < HF__SLICES_MOST ? HF__SLICE_NS << slices : HF__LONGEST_SLICE_NS;',
    },
    {
        name: 'the longest slice is not the last',
        file: 'c-src/waiting.h',
        from: 'HF__SLICES_MOST = 6',
        to: 'HF__SLICES_MOST = 7',
    },
    {
        name: 'a time limit is taken for nanoseconds',
        file: 'c-src/exports.c',
        from: 'hf__gate_wait(g, self, token, limit_us * HF_MICROSECOND, amount, capacity)',
        to: 'hf__gate_wait(g, self, token, limit_us, amount, capacity)',
    },
    {
        name: 'a wait has no limit at all',
        foundIn: '3 workers',
        file: FUTEX,
        from: '__builtin_wasm_memory_atomic_wait32((int *)word, (int)expected, timeout_ns)',
        to: '__builtin_wasm_memory_atomic_wait32((int *)word, (int)expected, -1)',
    },
    {
        name: 'every wake is for one only',
        foundIn: '1 loop, 1 loop that holds it across jobs and requests it',
        file: FUTEX,
        from: '__builtin_wasm_memory_atomic_notify((int *)word, count);',
        to: '__builtin_wasm_memory_atomic_notify((int *)word, 1);',
    },
    {
        name: 'a wake is asked for and not sent',
        foundIn: 'an unlock by a stranger, 2 workers',
        file: FUTEX,
        from: '__builtin_wasm_memory_atomic_notify((int *)word, count);',
        to: '__builtin_wasm_memory_atomic_notify((int *)word, count * 0);',
    },
];
