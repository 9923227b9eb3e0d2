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
        from: 'return overtaken_of(token) ? SLEEPERS : 0;',
        to: 'return 0;',
    },
    {
        name: 'a woken event loop does not set the flag again for the line',
        foundIn: '3 loops',
        file: MUTEX,
        from: 'return token & HF__TOKEN_IN_LINE ? LINE : 0;',
        to: 'return 0;',
    },
    {
        name: 'who withdraws does not pass its wake on',
        foundIn: 'a time limit, 2 workers, one with 2 rounds',
        file: MUTEX,
        from: '} else if (woken_from_state && next == HF__MUTEX_FREE) {',
        to: '} else if (0) {',
    },
    {
        name: 'who withdraws does not set the flag for the others',
        foundIn: 'a time limit, 2 workers, one with 2 rounds',
        file: MUTEX,
        from: 'if (woken_from_state && next != HF__MUTEX_FREE) {',
        to: 'if (0) {',
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
        from: 'return successor | RESERVED | (word & (SLEEPERS | LINE)) |',
        to: 'return successor | RESERVED | (word & LINE) |',
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
        name: 'an event loop that waits no more keeps the wake of its entry in the line',
        foundIn: 'a try, 3 loops: one polls, one with aborts',
        react(state, event) {
            const reaction = react(state, event);
            const actions = reaction.actions.filter(
                (action) => !(action.type === 'withdraw' && action.inLine),
            );
            return { ...reaction, actions };
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
