/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { react } from '../js-glue/waiting.js';

/* Mistakes that one could make, each in one place. The explorer has to find every one of them: a search that finds
 * nothing in a wrong lock says nothing about a right one. */

/**
 * @typedef {object} Mutant
 * @property {string} name
 * @property {string} foundIn the scenario that has to find it
 *
 * @typedef {Mutant & { file: string, from: string, to: string }} SourceMutant
 * @typedef {Mutant & { react: typeof react }} ReactMutant
 */

const MUTEX = 'c-src/mutex.c';

/** @type {SourceMutant[]} */
export const SOURCE_MUTANTS = [
    {
        name: 'a time limit that ends takes the lock as if nobody waited behind it',
        foundIn: 'a time limit, 2 workers, one with 2 rounds',
        file: MUTEX,
        from: 'take_now(mutex, self, 0, others_of(HF__BLOCKING, token))',
        to: 'take_now(mutex, self, 0, 0)',
    },
    {
        name: 'a release wakes no sleeper',
        foundIn: '3 workers',
        file: MUTEX,
        from: 'if ((word & SLEEPERS) && (successor_of',
        to: 'if (0 && (successor_of',
    },
    {
        name: 'a release does not wake the successor',
        foundIn: '1 worker, 2 loops',
        file: MUTEX,
        from: 'if (successor_of(word) != 0) {\n        hf__wake',
        to: 'if (0) {\n        hf__wake',
    },
    {
        name: 'a release does not wake the line',
        foundIn: '3 loops',
        file: MUTEX,
        from: 'if (word & LINE) {',
        to: 'if (0) {',
    },
    {
        name: 'a woken sleeper does not set the flag again for the others',
        foundIn: '3 workers',
        file: MUTEX,
        from: 'return kind == HF__BLOCKING && overtaken_of(token) ? SLEEPERS : 0;',
        to: 'return 0;',
    },
    {
        name: 'an event loop that stands in the line does not set its flag',
        foundIn: '3 loops',
        file: MUTEX,
        from: 'return token & HF__TOKEN_IN_LINE ? LINE : 0;',
        to: 'return 0;',
    },
    {
        name: 'a hand-over does not wake the line',
        foundIn: '3 loops',
        file: MUTEX,
        from: 'if (word & LINE) {',
        to: 'if ((word & LINE) && successor_of(word) == 0) {',
    },
    {
        name: 'a release that leaves the lock free does not wake the line',
        foundIn: 'a try, 3 loops: one polls, one with aborts',
        file: MUTEX,
        from: 'if (word & LINE) {',
        to: 'if ((word & LINE) && successor_of(word) != 0) {',
    },
    {
        name: 'a release wakes only one of the line',
        foundIn: 'a holder, 1 loop, 2 busy loops',
        file: MUTEX,
        from: 'if (word & LINE) {\n        hf__wake(&mutex->line, HF__WAKE_ALL);',
        to: 'if (word & LINE) {\n        hf__wake(&mutex->line, 1);',
    },
    {
        name: 'a release wakes only one of the line, and the next one may be blocked in this lock',
        foundIn: '1 loop, 1 busy loop, 1 busy loop that blocks too',
        file: MUTEX,
        from: 'if (word & LINE) {\n        hf__wake(&mutex->line, HF__WAKE_ALL);',
        to: 'if (word & LINE) {\n        hf__wake(&mutex->line, 1);',
    },
    {
        name: 'who withdraws wakes only one of the line',
        foundIn: 'a holder, 2 loops, one with aborts, 1 busy loop',
        file: MUTEX,
        from: 'if (word & LINE & ~next) {\n        hf__wake(&mutex->line, HF__WAKE_ALL);',
        to: 'if (word & LINE & ~next) {\n        hf__wake(&mutex->line, 1);',
    },
    {
        name: 'who withdraws does not wake the line',
        foundIn: '3 loops with aborts',
        file: MUTEX,
        from: 'if (word & LINE & ~next) {',
        to: 'if (0) {',
    },
    {
        name: 'a release wakes only one entry of the successor',
        foundIn: '1 worker with 2 rounds, 1 loop, 1 busy loop with aborts',
        file: MUTEX,
        from: 'hf__wake(turn_of(mutex), HF__WAKE_ALL);',
        to: 'hf__wake(turn_of(mutex), 1);',
    },
    {
        name: 'a hand-over to an event loop keeps no sleeper awake',
        foundIn: 'a holder, a time limit, 1 worker, 1 busy loop',
        file: MUTEX,
        from: '(successor_of(word) == 0 || (word & SUCCESSOR_ASYNC))',
        to: '(successor_of(word) == 0)',
    },
    {
        name: 'who withdraws while it watches leaves nobody who watches',
        foundIn: 'a holder, a time limit, 1 worker, 1 busy loop',
        file: MUTEX,
        from: 'if (others && (next == HF__MUTEX_FREE || is_reserved(next))) {',
        to: 'if (others && next == HF__MUTEX_FREE) {',
    },
    {
        name: 'who withdraws does not pass its wake on',
        foundIn: 'a time limit, 2 workers, one with 2 rounds',
        file: MUTEX,
        from: 'if (others && (next == HF__MUTEX_FREE || is_reserved(next))) {',
        to: 'if (0) {',
    },
    {
        name: 'who withdraws does not set the flag for the others',
        foundIn: 'a time limit, 2 workers, one with 2 rounds',
        file: MUTEX,
        from: 'next |= next == HF__MUTEX_FREE ? 0 : others;',
        to: '',
    },
    {
        name: 'who withdraws keeps its place as successor',
        foundIn: '1 worker, 2 loops with aborts',
        file: MUTEX,
        from: 'kept = leaves_place ?',
        to: 'kept = 0 ?',
    },
    {
        name: 'a reservation forgets that others sleep',
        foundIn: '2 time limits, 1 worker',
        file: MUTEX,
        from: 'return successor | RESERVED | (word & SLEEPERS) |',
        to: 'return successor | RESERVED |',
    },
    {
        name: 'a reservation is never taken away',
        foundIn: '3 workers, a death',
        file: MUTEX,
        from: '(owner == self || owner == watched)',
        to: 'owner == self',
    },
    {
        name: 'who watched a reservation takes the lock also when it is held',
        foundIn: '2 workers with 2 rounds, slices',
        file: MUTEX,
        from: '(is_reserved(word) && (owner == self || owner == watched))',
        to: '(owner == watched || (is_reserved(word) && owner == self))',
    },
    {
        name: 'who takes its turn stays the successor',
        foundIn: '3 workers, slices',
        file: MUTEX,
        from: 'return successor_of(word) == self ? without_successor(taken) : taken;',
        to: 'return taken;',
    },
    {
        name: 'anybody may unlock',
        foundIn: 'an unlock by a stranger, 2 workers',
        file: MUTEX,
        from: 'if ((word & (OWNER | RESERVED)) != self) {',
        to: 'if (0) {',
    },
];

/** @type {ReactMutant[]} */
export const REACT_MUTANTS = [
    {
        name: 'an event loop announces itself in the line before it stands there',
        foundIn: '1 worker, 2 loops',
        react(state, event) {
            if (event.type === 'armed') {
                return { state, actions: [] };
            }
            const reaction = react(state, event);
            const actions = reaction.actions.map((action) =>
                action.type === 'step' ? { ...action, inLine: true } : action,
            );
            return { ...reaction, actions };
        },
    },
    {
        name: 'an event loop that stands in the line watches no reservation',
        foundIn: 'a holder, 1 loop, 2 busy loops',
        react(state, event) {
            const inLine = event.type === 'stepped' && event.next === 'line';
            return react(state, inLine ? { ...event, watched: 0 } : event);
        },
    },
    {
        name: 'an event loop whose requests were all given up stays the successor',
        foundIn: '1 worker, 2 loops with aborts',
        react(state, event) {
            const reaction = react(state, event);
            return event.type === 'emptied' ? { ...reaction, actions: [] } : reaction;
        },
    },
];
