/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const GATE = 'c-src/gate.c';

/** @typedef {import('./mutants.js').SourceMutant} SourceMutant */

/**
 * Mistakes in c-src/gate.c.
 * @type {SourceMutant[]}
 */
export const GATE_MUTANTS = [
    /* ---- Who may pass ---- */
    {
        name: 'who watched a reservation takes the lock also when it is held',
        foundIn: '2 workers with 2 rounds, slices',
        from: 'if (!may_pass(word, self, kind, watched) || !has_room(word, amount, capacity)) {',
        to: 'if (!(may_pass(word, self, kind, watched) && (watched || has_room(word, amount, capacity)))) {',
    },
    {
        name: 'who comes by passes also when there is no room',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'if (!may_pass(word, self, kind, watched) || !has_room(word, amount, capacity)) {',
        to: 'if (!may_pass(word, self, kind, watched)) {',
    },
    {
        name: 'an open gate lets nobody in who wants more than it has',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'return used_in(word) == 0 || used_in(word) + amount <= capacity;',
        to: 'return used_in(word) + amount <= capacity;',
    },
    {
        name: 'a gate has room only while nothing is in use',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'return used_in(word) == 0 || used_in(word) + amount <= capacity;',
        to: 'return used_in(word) == 0;',
    },
    {
        name: 'the last of what there is cannot be taken',
        from: 'used_in(word) + amount <= capacity;',
        to: 'used_in(word) + amount < capacity;',
    },
    {
        name: 'one more than there is can be taken',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: 'used_in(word) + amount <= capacity;',
        to: 'used_in(word) + amount <= capacity + 1;',
    },
    {
        name: 'what is asked for does not count',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1 in the same job',
        from: 'used_in(word) + amount <= capacity;',
        to: 'used_in(word) < capacity;',
    },
    {
        name: 'a reservation is never taken away',
        foundIn: 'semaphore of 2, a holder of 2, a loop, a busy loop for 2',
        from: 'return word & CALLED && number_of(word) == watched;',
        to: 'return false;',
    },
    {
        name: 'any reservation may be taken away',
        foundIn: '2 workers, 3 rounds',
        from: 'return word & CALLED && number_of(word) == watched;',
        to: 'return word & CALLED;',
    },
    {
        name: 'a place that was watched may be taken as if it had been called',
        foundIn: 'semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death',
        from: 'return word & CALLED && number_of(word) == watched;',
        to: 'return number_of(word) == watched;',
    },
    {
        name: 'the successor does not know its own place',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: 'return successor_of(word) == 0 || is_place_of(word, self, kind) ||',
        to: 'return successor_of(word) == 0 ||',
    },
    {
        name: 'nobody minds a successor',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: 'return successor_of(word) == 0 || is_place_of(word, self, kind) ||',
        to: 'return true ||',
    },
    {
        name: 'two calls of one thread are the same',
        from: '(successor_of(word) ^ used_in(word) << (HF_THREAD_BITS / 2)) & HF_THREAD_MASK;',
        to: 'successor_of(word);',
    },
    {
        name: 'a call that looks like nobody counts for nobody',
        from: 'return number > HF__SLICES_MOST ? number : HF__NUMBER_MASK - number;',
        to: 'return number;',
    },
    {
        name: 'a place has the number of its call',
        from: 'number ^= word & CALLED ? 0 : HF__NUMBER_MASK >> 1;',
        to: '',
    },
    /* ---- What passing makes of the word ---- */
    {
        name: 'who takes its turn stays the successor',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: 'uint64_t next = (without_successor(word) | others | loop_passed) + amount;',
        to: 'uint64_t next = ((word & ~CALLED) | others) + amount;',
    },
    {
        name: 'who passes leaves the call to the next',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: 'return word & ~(SUCCESSOR | ASYNC | POLLS | CALLED);',
        to: 'return word & ~(SUCCESSOR | ASYNC | POLLS);',
    },
    {
        name: 'who passes leaves its kind to the next successor',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: 'return word & ~(SUCCESSOR | ASYNC | POLLS | CALLED);',
        to: 'return word & ~(SUCCESSOR | CALLED);',
    },
    {
        name: 'who passes takes one only',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: 'uint64_t next = (without_successor(word) | others | loop_passed) + amount;',
        to: 'uint64_t next = (without_successor(word) | others) + (capacity ? 1 : amount);',
    },
    {
        name: 'a woken sleeper that passes does not set the flag again for the others',
        from: 'uint64_t next = (without_successor(word) | others | loop_passed) + amount;',
        to: 'uint64_t next = without_successor(word) + amount;',
    },
    {
        name: 'a woken sleeper does not answer for the others',
        foundIn: 'semaphore of 2, permits made at once, 2 workers',
        from: 'return kind == HF__BLOCKING && overtaken_of(token) ? SLEEPERS : 0;',
        to: 'return 0;',
    },
    {
        name: 'an event loop answers for sleepers',
        from: 'return kind == HF__BLOCKING && overtaken_of(token) ? SLEEPERS : 0;',
        to: 'return overtaken_of(token) ? SLEEPERS : 0;',
    },
    {
        name: 'who was woken for room that is enough for several wakes no other',
        from: 'if (has_room(next, 1, capacity)) {',
        to: 'if (0) {',
    },
    {
        name: 'an event loop that passes leaves the free place to event loops only',
        from: 'bool line_only = (word & LINE) && !(word & ASYNC);',
        to: 'bool line_only = word & LINE;',
    },
    {
        name: 'who was woken and passes wakes none of those that sleep',
        from: 'if (has_room(next, 1, capacity)) {\n        return next & ~FLAGS;',
        to: 'if (has_room(next, 1, capacity)) {\n        return next & ~LINE;',
    },
    {
        name: 'who was woken and passes while there is room does not wake the line',
        from: 'if (has_room(next, 1, capacity)) {\n        return next & ~FLAGS;',
        to: 'if (has_room(next, 1, capacity)) {\n        return next & ~(SLEEPERS | LARGE);',
    },
    {
        name: 'a successor that passes does not wake the line',
        from: 'return next & ~(line_only ? LINE : LINE | SLEEPERS);',
        to: 'return next & ~(line_only ? 0 : LINE | SLEEPERS);',
    },
    {
        name: 'a successor that passes leaves the free place to whom is awake',
        from: 'return next & ~(line_only ? LINE : LINE | SLEEPERS);',
        to: 'return next & ~LINE;',
    },
    {
        name: 'a successor that passes wakes all sleepers where some want more than one',
        from: 'return next & ~(line_only ? LINE : LINE | SLEEPERS);',
        to: 'return next & ~(line_only ? LINE : FLAGS);',
    },
    {
        name: 'who passes and nobody waits behind it wakes others all the same',
        from: 'if (successor_of(word) == 0 && !others) {',
        to: 'if (0) {',
    },
    {
        name: 'who was woken and passes behaves as if nobody waited behind it',
        from: 'if (successor_of(word) == 0 && !others) {',
        to: 'if (successor_of(word) == 0) {',
    },
    {
        name: 'a blocking thread leaves the place to the senior',
        from: 'const uint32_t line = kind == HF__BLOCKING ? 0 :',
        to: 'const uint32_t line =',
    },
    {
        name: 'an event loop that has just come takes a place over',
        from: '(token & HF__TOKEN_RANK) >= HF__RANK_TAKES_OVER &&',
        to: '',
    },
    {
        name: 'an event loop that has waited for long enough takes no place over',
        from: '(token & HF__TOKEN_RANK) >= HF__RANK_TAKES_OVER &&',
        to: '(token & HF__TOKEN_RANK) > HF__RANK_TAKES_OVER &&',
    },
    {
        name: 'a blocking thread takes a place over',
        from: 'return kind != HF__BLOCKING && (token & HF__TOKEN_RANK) >=',
        to: 'return (token & HF__TOKEN_RANK) >=',
    },
    {
        name: 'the place of an event loop is taken over',
        from: '!(word & (ASYNC | POLLS | CALLED));',
        to: '!(word & (POLLS | CALLED));',
    },
    {
        name: 'a place is taken over again and again',
        from: '!(word & (ASYNC | POLLS | CALLED));',
        to: '!(word & (ASYNC | CALLED));',
    },
    {
        name: 'a place is taken over after its call',
        from: '!(word & (ASYNC | POLLS | CALLED));',
        to: '!(word & (ASYNC | POLLS));',
    },
    {
        name: 'one that takes over a place beside which there is room waits for its turn',
        foundIn: 'semaphore of 3, one permit kept, a forlorn worker for 3, a loop that is old, a death',
        from: 'if (has_room(next, amount, capacity)) {',
        to: 'if (0) {',
    },
    {
        name: 'a successor that passes wakes a sleeper before the line',
        from: 'bool line_only = (word & LINE) && !(word & ASYNC);',
        to: 'bool line_only = false;',
    },
    {
        name: 'a thread that naps does not claim the place while event loops wait',
        from: '!is_patient || (overtaken >= NAPS_FROM && (word & LINE));',
        to: '!is_patient;',
    },
    /* ---- A thread and its own event loop ---- */
    {
        name: 'a thread passes in the place of its own event loop',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: 'successor_of(word) == self && !(word & ASYNC) == (kind == HF__BLOCKING);',
        to: 'successor_of(word) == self;',
    },
    {
        name: 'who withdraws takes the place of its own event loop with it',
        from: 'bool leaves_place = is_place_of(word, self, kind);',
        to: 'bool leaves_place = successor_of(word) == self;',
    },
    {
        name: 'a step of an event loop declines the call of its own thread',
        from: 'if (is_place_of(word, self, kind)) {\n            next &= ~CALLED;',
        to: 'if (successor_of(word) == self) {\n            next &= ~CALLED;',
    },
    {
        name: 'a thread sleeps on the half that its own event loop waits on',
        from: 'bool is_next = is_place_of(next, self, kind);',
        to: 'bool is_next = successor_of(next) == self;',
    },
    {
        name: 'an event loop is next for the mutex that its own thread has',
        foundIn: '1 worker, 1 loop that holds it across jobs and requests it',
        from: 'for_one && used_in(word) == self; /* I7 */',
        to: 'false;',
    },
    {
        name: 'an event loop claims no place while as much is in use as its identity says',
        from: 'for_one && used_in(word) == self; /* I7 */',
        to: 'used_in(word) == self;',
    },
    /* ---- Opening and waking ---- */
    {
        name: 'a release wakes no sleeper',
        foundIn: '3 workers',
        from: 'if (dropped & (SLEEPERS | LARGE)) {',
        to: 'if (0) {',
    },
    {
        name: 'a release does not wake the successor',
        foundIn: '1 worker, 2 loops',
        from: 'if ((next & ~word & CALLED) ||',
        to: 'if (',
    },
    {
        name: 'a place that is given back before its call wakes no other queue of its thread',
        from: ' || (dropped & (ASYNC | CALLED)) == ASYNC) {',
        to: ') {',
    },
    {
        name: 'a place that is given back after its call wakes once more',
        from: '(dropped & (ASYNC | CALLED)) == ASYNC) {',
        to: '(dropped & ASYNC)) {',
    },
    {
        name: 'a release wakes only one entry of the successor',
        from: 'hf__wake(hf__high_half(&gate->word), HF__WAKE_ALL);',
        to: 'hf__wake(hf__high_half(&gate->word), 1);',
    },
    {
        name: 'nobody wakes the line',
        foundIn: '3 loops',
        from: 'if (dropped & LINE) {',
        to: 'if (0) {',
    },
    {
        name: 'only one of the line is woken',
        from: 'hf__wake(&gate->line, HF__WAKE_ALL);',
        to: 'hf__wake(&gate->line, 1);',
    },
    {
        name: 'the line is woken only if nobody is called',
        foundIn: '3 loops',
        from: 'if (dropped & LINE) {',
        to: 'if ((dropped & LINE) && !(next & CALLED)) {',
    },
    {
        name: 'the line is woken only if somebody is called',
        foundIn: '3 loops',
        from: 'if (dropped & LINE) {',
        to: 'if ((dropped & LINE) && (next & CALLED)) {',
    },
    {
        name: 'one sleeper is woken where some want more than one',
        from: 'dropped & LARGE ? HF__WAKE_ALL : 1',
        to: '1',
    },
    {
        name: 'all sleepers are woken where one is enough',
        from: 'dropped & LARGE ? HF__WAKE_ALL : 1',
        to: 'HF__WAKE_ALL',
    },
    {
        name: 'sleepers that want more than one are not woken while another answers for them',
        from: 'if (dropped & (SLEEPERS | LARGE)) {',
        to: 'if (dropped & SLEEPERS) {',
    },
    {
        name: 'a blocking thread forgets that it was next',
        from: 'is_next ? HF__TOKEN_WAS_NEXT : token & HF__TOKEN_WAS_NEXT;',
        to: 'token & HF__TOKEN_WAS_NEXT;',
    },
    {
        name: 'a blocking thread forgets by and by that it was next',
        from: 'is_next ? HF__TOKEN_WAS_NEXT : token & HF__TOKEN_WAS_NEXT;',
        to: 'is_next ? HF__TOKEN_WAS_NEXT : 0;',
    },
    {
        name: 'one that has lost a place does not keep the next',
        from: 'bool keeps = (token & HF__TOKEN_WAS_NEXT) ||',
        to: 'bool keeps =',
    },
    {
        name: 'one that claims the place after an event loop has passed does not keep it',
        from: ' || (successor_of(word) == 0 && (word & POLLS)); /* I12 */',
        to: ';',
    },
    {
        name: 'one that claims the place of an event loop that comes late keeps it',
        from: '(successor_of(word) == 0 && (word & POLLS)); /* I12 */',
        to: '(word & POLLS);',
    },
    {
        name: 'an event loop that passes does not say so',
        from: 'kind == HF__BLOCKING ? 0 : POLLS; /* I12 */',
        to: '0;',
    },
    {
        name: 'a blocking thread that passes says that it was an event loop',
        from: 'kind == HF__BLOCKING ? 0 : POLLS; /* I12 */',
        to: 'POLLS;',
    },
    {
        name: 'one that passes at once leaves it said that an event loop had passed',
        from: '(word & ~POLLS) + amount); /* [A1] */',
        to: 'word + amount); /* [A1] */',
    },
    {
        name: 'a release leaves behind that an event loop had passed',
        foundIn: '1 worker, 2 loops',
        from: 'return word & ~(FLAGS | POLLS);',
        to: 'return word & ~FLAGS;',
    },
    {
        name: 'the first bit of an identity is not in the number of its call',
        from: '(number ^ number >> HF__NUMBER_BITS << (HF_THREAD_BITS / 2 - 1)) & HF__NUMBER_MASK;',
        to: 'number & HF__NUMBER_MASK;',
    },
    {
        name: 'a place of one that looks by timer is watched as its call',
        from: 'uint64_t polls = (next & CALLED) && (next & POLLS) ? 1 : 0;',
        to: 'uint64_t polls = next & POLLS ? 1 : 0;',
    },
    {
        name: 'wakes are for the word as it is now',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'uint64_t dropped = word & ~next;',
        to: 'uint64_t dropped = next;',
    },
    {
        name: 'a release calls nobody',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: 'return (word & ASYNC ? word & ~FLAGS : word) | CALLED;',
        to: 'return word & ASYNC ? word & ~FLAGS : word;',
    },
    {
        name: 'a call of an event loop keeps no sleeper awake',
        foundIn: 'semaphore of 2, a holder of 2, a loop, a busy loop for 2',
        from: 'return (word & ASYNC ? word & ~FLAGS : word) | CALLED;',
        to: 'return word | CALLED;',
    },
    {
        name: 'a call of an event loop does not wake the line',
        foundIn: 'semaphore of 2, a holder of 2, a loop, a busy loop for 2',
        from: 'return (word & ASYNC ? word & ~FLAGS : word) | CALLED;',
        to: 'return (word & ASYNC ? word & ~(SLEEPERS | LARGE) : word) | CALLED;',
    },
    {
        name: 'a call of a blocked thread wakes all others too',
        from: 'return (word & ASYNC ? word & ~FLAGS : word) | CALLED;',
        to: 'return (word & ~FLAGS) | CALLED;',
    },
    {
        name: 'a gate that opens for anybody keeps its flags',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'return word & ~(FLAGS | POLLS);',
        to: 'return word & ~POLLS;',
    },
    {
        name: 'a gate that opens for anybody forgets the line',
        from: 'return word & ~(FLAGS | POLLS);',
        to: 'return word & ~(SLEEPERS | LARGE | POLLS);',
    },
    /* ---- A step in vain ---- */
    {
        name: 'a call that is not enough stays',
        foundIn: 'semaphore of 2, 2 workers, a loop for 2',
        from: 'next &= ~CALLED; /* not enough room for it yet */',
        to: '',
    },
    {
        name: 'a call that is not enough costs the place', // only the specification finds it
        from: 'next &= ~CALLED; /* not enough room for it yet */',
        to: 'next = without_successor(next);',
    },
    {
        name: 'a place is claimed that another has',
        foundIn: '3 loops',
        from: '} else if (claims && !holds_it && is_to_be_had) {',
        to: '} else if (claims && !holds_it) {',
    },
    {
        name: 'one that watched a call for nothing does not become the next',
        from: 'successor_of(word) == 0 || is_late(word, watched) || takes_over(word, kind, token);',
        to: 'successor_of(word) == 0 || takes_over(word, kind, token);',
    },
    {
        name: 'a place is taken over with its call',
        from: 'return without_successor(word) | (uint64_t)self << 32 |',
        to: 'return without_successor(word) | (word & CALLED) | (uint64_t)self << 32 |',
    },
    {
        name: 'a blocked thread never claims the place of the successor',
        foundIn: '3 workers',
        from: 'kind == HF__BLOCKING && overtaken < OVERTAKEN_ENOUGH;',
        to: 'kind == HF__BLOCKING;',
    },
    {
        name: 'a blocked thread claims the place at once',
        from: 'kind == HF__BLOCKING && overtaken < OVERTAKEN_ENOUGH;',
        to: 'false;',
    },
    {
        name: 'an event loop claims its place as if it could block',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: '(kind == HF__BLOCKING ? 0 : ASYNC)',
        to: '0',
    },
    {
        name: 'a thread without waitAsync claims its place as if it had it',
        from: 'kind == HF__BLOCKING ? keeps : kind == HF__POLLING;',
        to: 'kind == HF__BLOCKING && keeps;',
    },
    {
        name: 'an event loop that stands in the line does not set its flag',
        foundIn: '3 loops',
        from: 'next |= token & HF__TOKEN_IN_LINE ? LINE : 0; /* I3 */',
        to: '',
    },
    {
        name: 'an event loop says that it stands in the line before it does',
        from: 'next |= token & HF__TOKEN_IN_LINE ? LINE : 0; /* I3 */',
        to: 'next |= LINE;',
    },
    {
        name: 'a sleeper that wants more than one does not say so',
        from: 'next |= SLEEPERS | large;',
        to: 'next |= SLEEPERS;',
    },
    {
        name: 'a mutex has sleepers that want more than one',
        from: 'amount > 1 && !for_one ? LARGE : 0;',
        to: 'amount > 1 ? LARGE : 0;',
    },
    {
        name: 'a sleeper sets no flag',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'next |= SLEEPERS | large;',
        to: '',
    },
    {
        name: 'a thread that naps asks for a wake',
        from: '        } else if (!naps) {',
        to: '        } else {',
    },
    {
        name: 'a blocked thread naps while the gate is reserved, and watches nothing',
        foundIn: '1 worker, 2 loops',
        from: '!claims && !is_next && !(next & CALLED);',
        to: '!claims && !is_next;',
    },
    {
        name: 'a flag counts as set though another thread was faster',
        foundIn: '3 loops',
        from: 'if (next == word || hf__cas64_rlx(&gate->word, word, next)) {\n            wake_for',
        to: 'if (next == word || (hf__cas64_rlx(&gate->word, word, next), true)) {\n            wake_for',
    },
    {
        name: 'a blocked thread waits for the word as it was before it set its flag',
        foundIn: '2 workers with 2 rounds, slices',
        from: 'uint32_t expected = (uint32_t)next;',
        to: 'uint32_t expected = (uint32_t)word;',
    },
    {
        name: 'the successor waits for its place as it was before it claimed it',
        foundIn: '2 workers with 2 rounds, slices',
        from: 'hf__wait_for(HF__WAIT_TURN, (uint32_t)(next >> 32))',
        to: 'hf__wait_for(HF__WAIT_TURN, (uint32_t)(word >> 32))',
    },
    {
        name: 'a step does not say that the one who is called looks by timer',
        from: 'uint64_t polls = (next & CALLED) && (next & POLLS) ? 1 : 0;',
        to: 'uint64_t polls = 0;',
    },
    {
        name: 'a step does not say whose call to watch',
        foundIn: 'semaphore of 2, a holder of 2, a loop, a busy loop for 2',
        from: 'next & CALLED || beside ? number_of(next) : 0;',
        to: 'beside ? number_of(next) : 0;',
    },
    /* ---- Room beside a place ---- */
    {
        name: 'a step does not say which place to watch',
        foundIn: 'semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death',
        from: 'next & CALLED || beside ? number_of(next) : 0;',
        to: 'next & CALLED ? number_of(next) : 0;',
    },
    {
        name: 'a place that was watched is not called',
        foundIn: 'semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death',
        from: 'next |= CALLED | POLLS; /* I8 */',
        to: '',
    },
    {
        name: 'a place that was watched has the shorter time to come',
        from: 'next |= CALLED | POLLS; /* I8 */',
        to: 'next |= CALLED; /* I8 */',
    },
    {
        name: 'a place beside which there is room is called at once',
        from: '} else if (watched == number_of(word) && is_beside(word, amount, capacity)) {',
        to: '} else if (is_beside(word, amount, capacity)) {',
    },
    {
        name: 'a place is called that is not in the way',
        from: '} else if (watched == number_of(word) && is_beside(word, amount, capacity)) {',
        to: '} else if (watched == number_of(word)) {',
    },
    {
        name: 'a thread that blocks watches the place of its own event loop first',
        from: '} else if (successor_of(word) == self && is_beside(word, amount, capacity)) {',
        to: '} else if (0) {',
    },
    {
        name: 'a thread that blocks calls its own event loop for which there is no room',
        from: '} else if (successor_of(word) == self && is_beside(word, amount, capacity)) {',
        to: '} else if (successor_of(word) == self) {',
    },
    {
        name: 'who calls a place does not wake who has it',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that blocks for 1',
        from: '            wake_for(gate, word, next);\n            if (is_next) {',
        to: '            if (is_next) {',
    },
    {
        name: 'there is room beside a place only while nothing is in use',
        foundIn: 'semaphore of 3, one permit kept, a forlorn worker for 3, a worker, a death',
        from: '!(word & CALLED) && has_room(word, amount, capacity);',
        to: '!(word & CALLED) && used_in(word) == 0;',
    },
    {
        name: 'a blocked thread watches a place before its patience is over',
        from: 'bool beside = !is_patient && is_beside(next, amount, capacity);',
        to: 'bool beside = is_beside(next, amount, capacity);',
    },
    {
        name: 'a place is watched for as long as a call',
        from: 'if (hf__next_in(step) == HF__WAIT_BESIDE) {',
        to: 'if (0) {',
    },
    {
        name: 'a try calls no place',
        from: 'uint64_t next = word | CALLED | POLLS; /* I8 */',
        to: 'uint64_t next = word; /* I8 */',
    },
    {
        name: 'a try calls a place at once',
        from: 'if (beside && watched == number_of(word)) {',
        to: 'if (beside) {',
    },
    {
        name: 'a try says that it has called a place though another thread was faster',
        from: 'if (hf__cas64_rlx(&gate->word, word, next)) {\n            wake_for(gate, word, next);\n            word',
        to: 'if (hf__cas64_rlx(&gate->word, word, next), true) {\n            wake_for(gate, word, next);\n            word',
    },
    {
        name: 'a try that calls a place wakes nobody',
        from: '            wake_for(gate, word, next);\n            word = next;',
        to: '            word = next;',
    },
    {
        name: 'a try does not say which place to watch',
        from: 'HF__WAIT_MORE | (beside || word & CALLED ? number_of(word) : 0);',
        to: 'HF__WAIT_MORE | (word & CALLED ? number_of(word) : 0);',
    },
    {
        name: 'a step takes the lock though another thread was faster',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1 in the same job',
        from: 'if (hf__cas64_acq(&gate->word, word, next)) { /* [A1] [A2] [A3] */',
        to: 'if (hf__cas64_acq(&gate->word, word, next), true) {',
    },
    /* ---- Leaving and withdrawing ---- */
    {
        name: 'more is given back than is in use',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'if (used_in(word) < amount || used_in(word) > most) {',
        to: 'if (used_in(word) > most) {',
    },
    {
        name: 'anybody may unlock',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'if (used_in(word) < amount || used_in(word) > most) {',
        to: 'if (0) {',
    },
    {
        name: 'what is in use of somebody else may be given back',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'if (used_in(word) < amount || used_in(word) > most) {',
        to: 'if (used_in(word) < amount) {',
    },
    {
        name: 'every release opens the gate',
        foundIn: 'rwlock, 1 writer, a loop with 3 long sections',
        from: 'next = used_in(next) <= opens_at ? opened(next) : next;',
        to: 'next = opened(next);',
    },
    {
        name: 'only the last release opens the gate',
        foundIn: 'semaphore of 3, workers for 1, 2 and 3',
        from: 'next = used_in(next) <= opens_at ? opened(next) : next;',
        to: 'next = used_in(next) == 0 ? opened(next) : next;',
    },
    {
        name: 'a release counts though another thread was faster',
        foundIn: 'semaphore of 3, a holder of 2, a loop for 2 that tries 1',
        from: '} while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] */',
        to: '} while (!hf__cas64_rel(&gate->word, word, next) && false);',
    },
    {
        name: 'unlock wakes before it releases',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: '    } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] */\n\n    wake_any_for(gate, word, next);',
        to: '        wake_for(gate, word, next);\n    } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] */',
    },
    {
        name: 'a release says that it released what it did not',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: '            return false;\n        }\n        next = word - amount;',
        to: '            return true;\n        }\n        next = word - amount;',
    },
    {
        name: 'who withdraws keeps its place as successor',
        foundIn: '3 loops with aborts',
        from: 'next = (leaves_place ? without_successor(word) : word) | others;',
        to: 'next = word | others;',
    },
    {
        name: 'who withdraws does not set the flag for the others',
        from: 'next = (leaves_place ? without_successor(word) : word) | others;',
        to: 'next = leaves_place ? without_successor(word) : word;',
    },
    {
        name: 'who withdraws does not pass its wake on',
        from: 'if (is_open && (leaves_place || others)) {',
        to: 'if (is_open && leaves_place) {',
    },
    {
        name: 'a successor that withdraws leaves an open gate with nobody awake',
        foundIn: '1 worker, 2 loops with aborts',
        from: 'if (is_open && (leaves_place || others)) {',
        to: 'if (is_open && others) {',
    },
    {
        name: 'who withdraws wakes others also if it took no wake',
        from: 'if (is_open && (leaves_place || others)) {',
        to: 'if (is_open) {',
    },
    {
        name: 'who withdraws while it watches leaves nobody who watches',
        from: '(successor_of(next) == 0 || (next & CALLED));',
        to: 'successor_of(next) == 0;',
    },
    {
        name: 'who withdraws takes a gate with a successor for open',
        from: 'has_room(next, 1, capacity) && (successor_of(next) == 0 || (next & CALLED));',
        to: 'has_room(next, 1, capacity);',
    },
    {
        name: 'who withdraws takes a full gate for open',
        from: 'has_room(next, 1, capacity) && (successor_of(next) == 0 || (next & CALLED));',
        to: 'successor_of(next) == 0 || (next & CALLED);',
    },
    {
        name: 'who withdraws takes a gate that has room for some for full',
        from: 'bool is_open = has_room(next, 1, capacity) &&',
        to: 'bool is_open = used_in(next) == 0 &&',
    },
    {
        name: 'who withdraws does not wake the line',
        from: '        } else if (leaves_place || was_senior) {\n            next &= ~LINE;\n        }',
        to: '        }',
    },
    {
        name: 'a senior that gives up leaves the line asleep',
        from: '} else if (leaves_place || was_senior) {',
        to: '} else if (leaves_place) {',
    },
    {
        name: 'a successor that gives up leaves the line asleep',
        from: '} else if (leaves_place || was_senior) {',
        to: '} else if (was_senior) {',
    },
    {
        name: 'a withdrawal counts though another thread was faster',
        foundIn: '3 loops with aborts',
        from: '} while (next != word && !hf__cas64_rlx(&gate->word, word, next));',
        to: '} while (next != word && !hf__cas64_rlx(&gate->word, word, next) && false);',
    },
    {
        name: 'who withdraws wakes nobody',
        foundIn: '3 loops with aborts',
        from: 'next));\n    wake_for(gate, word | others, next);',
        to: 'next));',
    },
    {
        name: 'who withdraws forgets those that it was woken for',
        from: 'next));\n    wake_for(gate, word | others, next);',
        to: 'next));\n    wake_for(gate, word, next);',
    },
    {
        name: 'who passes forgets those that it was woken for',
        foundIn: 'semaphore of 2, permits made at once, 2 workers',
        from: '/* [A1] [A2] [A3] */\n            wake_any_for(gate, word | others, next);',
        to: '/* [A1] [A2] [A3] */\n            wake_for(gate, word, next);',
    },
    {
        name: 'who passes wakes nobody',
        foundIn: 'semaphore of 2, permits made at once, 2 workers',
        from: '/* [A1] [A2] [A3] */\n            wake_any_for(gate, word | others, next);',
        to: '/* [A1] [A2] [A3] */',
    },
    /* ---- The blocking wait ---- */
    {
        name: 'a look before the first sleep passes by a successor',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'bool is_open = successor_of(word) == 0 && has_room(word, amount, capacity);',
        to: 'bool is_open = has_room(word, amount, capacity);',
    },
    {
        name: 'a look before the first sleep takes a lock that is held',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'bool is_open = successor_of(word) == 0 && has_room(word, amount, capacity);',
        to: 'bool is_open = successor_of(word) == 0;',
    },
    {
        name: 'a look before the first sleep takes the lock though another thread was faster',
        foundIn: '1 worker, 1 loop with 2 requests at once',
        from: 'return is_open && hf__cas64_acq(&gate->word, word, (word & ~POLLS) + amount); /* [A1] */',
        to: 'return is_open && (hf__cas64_acq(&gate->word, word, word + amount), true);',
    },
    {
        name: 'a time limit that ends takes the lock as if nobody waited behind it',
        from: 'pass_now(gate, self, HF__BLOCKING, token & ~HF__NUMBER_MASK, amount, capacity)',
        to: 'pass_now(gate, self, HF__BLOCKING, 0, amount, capacity)',
    },
    {
        name: 'a time limit that ends takes a reservation away',
        from: 'pass_now(gate, self, HF__BLOCKING, token & ~HF__NUMBER_MASK, amount, capacity)',
        to: 'pass_now(gate, self, HF__BLOCKING, token, amount, capacity)',
    },
    {
        name: 'a time limit that ends leaves the place, the flag and the wake to nobody',
        from: '    hf__gate_withdraw(gate, self, HF__BLOCKING, token, capacity);\n    return HF_TIMEOUT;',
        to: '    return HF_TIMEOUT;',
    },
    {
        name: 'a wait whose time is up waits once more',
        from: 'if (limit_ns == 0) {\n        return give_up',
        to: 'if (0) {\n        return give_up',
    },
    {
        name: 'one that waits on looks as long as one that has just come',
        foundIn: 'semaphore of 2, permits made at once, 2 workers',
        from: 'if (token == 0 && passes_soon(gate, amount, capacity)) {',
        to: 'if (passes_soon(gate, amount, capacity)) {',
    },
    {
        name: 'the successor sleeps where the others sleep',
        from: 'is_next ? hf__high_half(&gate->word) : hf__low_half(&gate->word);',
        to: 'hf__low_half(&gate->word);',
    },
    {
        name: 'the others sleep where the successor sleeps',
        foundIn: '2 workers, 1 busy loop',
        from: 'is_next ? hf__high_half(&gate->word) : hf__low_half(&gate->word);',
        to: 'hf__high_half(&gate->word);',
    },
    {
        name: 'a blocked thread waits for the word as it is when it falls asleep',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'hf__wait(half, (uint32_t)step, cut_short',
        to: 'hf__wait(half, (uint32_t)(hf__load64_rlx(&gate->word) >> (is_next ? 32 : 0)), cut_short',
    },
    {
        name: 'an awake successor looks for a free lock only',
        from: 'if ((word & CALLED) || successor_of(word) != self) {\n            return true;',
        to: 'if (word & CALLED) {\n            return true;',
    },
    {
        name: 'an awake successor does not see its call',
        from: 'if ((word & CALLED) || successor_of(word) != self) {\n            return true;',
        to: 'if (successor_of(word) != self) {\n            return true;',
    },
    {
        name: 'a reservation is never found to have outlasted its time',
        foundIn: '3 workers, a death',
        from: 'woken == HF__TIMED_OUT && !cut_short;',
        to: 'false;',
    },
    {
        name: 'a reservation counts as outlasted when its watcher was woken',
        from: 'woken == HF__TIMED_OUT && !cut_short;',
        to: '!cut_short;',
    },
    {
        name: 'a reservation counts as outlasted when the time of the caller was up',
        from: 'woken == HF__TIMED_OUT && !cut_short;',
        to: 'woken == HF__TIMED_OUT;',
    },
    {
        name: 'a blocked thread never loses its patience',
        foundIn: 'semaphore of 2, permits made at once, 2 workers',
        from: 'patience_over ? OVERTAKEN_ENOUGH : overtaken + 1;',
        to: 'overtaken;',
    },
    {
        name: 'a blocked thread loses its patience with its first wake',
        from: 'bool patience_over = woken == HF__TIMED_OUT && overtaken < NAPS_FROM;',
        to: 'bool patience_over = overtaken < NAPS_FROM;',
    },
    {
        name: 'no limit of the caller is taken for one that has passed',
        foundIn: '3 workers',
        from: 'bool cut_short = limit_ns >= 0 && limit_ns < slice;',
        to: 'bool cut_short = limit_ns < slice;',
    },
    {
        name: 'the call of one of the first threads is taken for a count of slices',
        from: 'return number > HF__SLICES_MOST ? number : HF__NUMBER_MASK - number;',
        to: 'return number != 0 ? number : HF__NUMBER_MASK - number;',
    },
    {
        name: 'a call that is watched is taken for a count of slices',
        from: 'return watched > HF__SLICES_MOST ? 0 : watched;',
        to: 'return watched;',
    },
    {
        name: 'one that was woken goes on with slices as long',
        from: 'outlasted && watched == 0 ? hf__one_slice_more(slices) : watched;',
        to: 'watched == 0 ? hf__one_slice_more(slices) : watched;',
    },
    {
        name: 'one that has slept for a slice has watched nobody',
        from: 'outlasted && watched == 0 ? hf__one_slice_more(slices) : watched;',
        to: 'outlasted ? hf__one_slice_more(slices) : watched;',
    },
    {
        name: 'a successor that has slept looks as long as one that has just come',
        from: 'if (!is_next || slices > 0 || !turn_comes_soon(gate, self)) {',
        to: 'if (!is_next || !turn_comes_soon(gate, self)) {',
    },
    {
        name: 'the two reservations are mixed up',
        from: 'polls ? HF_POLLED_RESERVATION_NS : HF_RESERVATION_NS;',
        to: 'polls ? HF_RESERVATION_NS : HF_POLLED_RESERVATION_NS;',
    },
    {
        name: 'the two naps are mixed up',
        from: 'overtaken == NAPS_FROM ? FIRST_NAP_NS : SECOND_NAP_NS;',
        to: 'overtaken == NAPS_FROM ? SECOND_NAP_NS : FIRST_NAP_NS;',
    },
    {
        name: 'lock returns after its first sleep',
        foundIn: 'an unlock by a stranger, 2 workers',
        from: 'result = hf__gate_wait(gate, self, result, -1, amount, capacity);\n    }',
        to: 'result = hf__gate_wait(gate, self, result, -1, amount, capacity);\n        result = HF_OK;\n    }',
    },
    {
        name: 'a try never takes a reservation away',
        from: 'pass_now(gate, self, HF__BLOCKING, watched, amount, capacity);',
        to: 'pass_now(gate, self, HF__BLOCKING, 0, amount, capacity);',
    },
    {
        name: 'a try does not say whose call the gate is reserved by',
        from: 'HF__WAIT_MORE | (beside || word & CALLED ? number_of(word) : 0);',
        to: 'HF__WAIT_MORE | (beside ? number_of(word) : 0);',
    },
].map((mutant) => ({ ...mutant, file: GATE }));
