/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AGENT_PRESENCE_OFFSET,
    AGENTS_MOST,
    RESULT_OK,
    RWLOCK_CAPACITY,
    RWLOCK_MOST,
    RWLOCK_UPGRADABLE,
    THREAD_JS,
    THREAD_MARK,
    THREAD_RANDOM,
} from '../../js-glue/memory/layout.js';
import { Violation } from './violation.js';

/* A thread of the table of threads: a script of the calls that js-glue/thread/presence.js, js-glue/waiting/holder.js and
 * `recover()` make. The package itself would make too many states; tests/verification/agents-script.test.js compares the order of
 * the calls. */

/**
 * @typedef {import('./thread-call.js').Runner} Runner
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 * @typedef {import('../wasm/interpreter.js').Stop} Stop
 * @typedef {import('../wasm/interpreter.js').Value} Value
 *
 * @typedef {'locks' | 'leaves' | 'leaves inside' | 'arms too late' | 'declares dead'} Task of a thread that has joined. `locks`: or
 *     takes permits. It leaves as a window that is removed, and its thread lives on. `arms too late`: entries, when it has
 *     left. `declares dead`: the first agent, which lives on
 *
 * @typedef {object} Agent
 * @property {Task[]} does
 * @property {'joined' | 'inside'} [begins] its state when the other threads begin
 * @property {number} [amount] of permits that it takes; by default 1
 * @property {number} [depth] how often it locks the mutex, which is then a recursive mutex
 * @property {'upgradable' | 'upgrades' | 'exclusive'} [mode] of the reader-writer lock, which is there in place of the mutex
 * @property {boolean} [isDeclaredDead] whether another thread declares it dead; for the first agent
 * @property {boolean} [givesUp] whether it leaves an abandoned lock unrecovered
 * @property {'counts an entry before it arms it' | 'arms an entry after it has left'} [isWrong] a mistake that the judges have to find
 *
 * @typedef {{ table: number, first: number, mutex: number, permits: number, entries: number }} Circumstances `first`: slot.
 *     `permits`: of a semaphore with holds, which is there in place of the mutex; else 0. `entries`: how many a thread keeps
 *     pending
 *
 * @typedef {'join' | 'refused' | 'find slot' | 'may arm' | 'arm' | 'count' | 'join holds' | 'try' | 'look' | 'look at reader' | 'take over' |
 *     'note' | 'upgrade' | 'begin' | 'deepen' | 'measure' | 'surface' | 'inside' | 'leave' | 'declare dead' | 'done'} Stage `note` and
 *     `upgrade`: of an upgradable reader. `begin` to `surface`: of a recursive mutex
 *
 * @typedef {object} State
 * @property {Stage} at
 * @property {number} task
 * @property {number} self 0: none yet
 * @property {number} slot its address
 * @property {number} armed
 * @property {number} known the owner of the mutex, as last read
 * @property {number} left the amount in use of an abandoned mutex before the take-over
 * @property {number} depth its depth of the recursive mutex
 * @property {boolean} hasLeft whether it has left, or is about to
 * @property {'' | 'may arm' | 'arm' | 'count'} hears its step for an entry that was woken
 * @property {Stop | undefined} stop its position in a call
 *
 * @typedef {import('./thread-call.js').View & { self: number, hasLeft: boolean, isDeclaredDead: boolean,
 *     isBetween: boolean, isLooking: boolean, isJoining: boolean, begins: boolean, isHearing: boolean, call:
 *     string }} AgentView `isBetween`: it is between two calls, so it may handle a wake; `isLooking`: it is
 *     in a call that may probe; `begins`: such a call comes next, and is not its first; `call`: as text
 */

/** Names a step that is no atomic instruction. */
export const ARM = 'waitAsync';

export const HEARS = 'hears a wake';
const JOINS_AGAIN = 'joins again';

/** @type {Record<Task, Stage>} */
const FIRST_STAGE = {
    locks: 'try',
    leaves: 'leave',
    'leaves inside': 'try',
    'arms too late': 'may arm',
    'declares dead': 'declare dead',
};

/** @type {Stage[]} the lock is held here */
const HOLDING = ['note', 'upgrade', 'begin', 'deepen', 'measure', 'surface', 'inside'];

/** @type {Stage[]} */
const ARMING = ['may arm', 'arm', 'count'];

/** Any time long after the last probe (agents-machine.js). */
const NOW_MS = 1e9;

/** The identity of the first thread in the first slot. */
const FIRST_SELF = THREAD_JS | (AGENTS_MOST + 1) | 1;

/** @param {number} identity */
export function isAbandoned(identity) {
    return (identity & (THREAD_RANDOM | THREAD_MARK)) === (THREAD_JS | THREAD_MARK);
}

export class AgentThread {
    #runner;
    #options;
    #circumstances;

    /** @param {Runner} runner @param {Agent} options @param {Circumstances} circumstances */
    constructor(runner, options, circumstances) {
        this.#runner = runner;
        this.#options = options;
        this.#circumstances = circumstances;
    }

    /** @returns {State} */
    start() {
        return {
            ...{ at: 'join', task: 0, self: 0, slot: 0, armed: 0, known: 0, left: 0, depth: 0 },
            ...{ hasLeft: false, hears: '', stop: undefined },
        };
    }

    /** @param {State} state @returns {AgentView} */
    view(state) {
        const { at, hears, stop, self, hasLeft, known } = state;
        const looks = (at === 'look' || at === 'look at reader') && (known !== 0 || this.#hasHolds);
        const mayLook = !hears && (at === 'join' || looks);
        const [name, ...parameters] = this.#callOf(state) ?? [];
        return {
            atomic: this.#atomicOf(state),
            choices: at === 'refused' && !hears ? [{ input: JOINS_AGAIN, due: 'yes' }] : [],
            sleeps: '',
            has: HOLDING.includes(at) && (at !== 'inside' || hears || !stop) ? this.#amount : 0,
            isDone: at === 'done' && !hears,
            isBetween: !stop && !hears && self !== 0 && !ARMING.includes(at) && at !== 'note',
            isLooking: mayLook && stop !== undefined,
            isJoining: (at === 'join' && stop !== undefined) || at === 'find slot' || ARMING.includes(at),
            begins: !hears && !stop && (looks || at === 'refused'),
            isHearing: hears !== '',
            call: name ? `${name}(${parameters.join(', ')})` : at,
            ...{ self, hasLeft, isDeclaredDead: this.#options.isDeclaredDead === true },
        };
    }

    /** True if the thread still handles its entries. @param {State} state */
    listens({ hasLeft, stop }) {
        return !hasLeft || stop !== undefined || this.#options.isWrong === 'arms an entry after it has left';
    }

    /** @param {State} state @param {Value | string} input @returns {State} */
    after(state, input) {
        if (input === HEARS) {
            return { ...state, hears: 'may arm' };
        }
        if (input === JOINS_AGAIN) {
            return { ...state, at: 'join' };
        }
        const hasLeft = state.hasLeft || (state.at === 'leave' && !state.hears);
        const before = { ...state, hasLeft };
        if (isArming(state)) {
            return this.#afterArming(before);
        }
        const { stop = this.#begun(state) } = state;
        const next = this.#runner.resume(stop.atomic && stop.frames, /** @type {Value} */ (input));
        return next.atomic
            ? { ...before, stop: next }
            : this.#returned({ ...before, stop: undefined }, Number(next.value));
    }

    get #hasHolds() {
        return this.#circumstances.permits > 0;
    }

    get #amount() {
        return this.#options.amount ?? 1;
    }

    /**
     * The amount to ask for. A thread that takes the lock over asks for its identity.
     * @param {State} state
     */
    #asked({ self, left }) {
        return this.#options.mode === 'exclusive' || left !== 0 ? self : RWLOCK_UPGRADABLE;
    }

    get #countsFirst() {
        return this.#options.isWrong === 'counts an entry before it arms it';
    }

    /** @param {State} state @returns {Atomic | undefined} */
    #atomicOf(state) {
        if (isArming(state)) {
            return { name: ARM, address: state.slot + AGENT_PRESENCE_OFFSET, operands: [], look: '' };
        }
        return state.stop ? state.stop.atomic : this.#callOf(state) && this.#begun(state).atomic;
    }

    /** @param {State} state */
    #begun(state) {
        const [name, ...parameters] = this.#callOf(state) ?? [''];
        return this.#runner.call(name, parameters);
    }

    /** @param {State} state @returns {[name: string, ...parameters: number[]] | undefined} */
    #callOf(state) {
        const { at, hears, self, slot, known, left } = state;
        const { table, first, mutex, permits, entries } = this.#circumstances;
        switch (hears) {
            case 'may arm':
                return ['agent_arms', slot, self];
            case 'arm':
                return undefined;
            case 'count':
                return ['agent_credit', slot, self, 1];
        }
        if (this.#hasHolds) {
            switch (at) {
                case 'join holds':
                    return ['holds_join', mutex, self];
                case 'try':
                    return ['gate_try_after', mutex, self, 0, this.#amount, permits];
                case 'look':
                    return ['holds_look', mutex, table, self, NOW_MS];
                case 'inside':
                    return ['holds_leave', mutex, self, this.#amount];
            }
        }
        const { mode } = this.#options;
        if (mode) {
            switch (at) {
                case 'try':
                    return ['gate_try_after', mutex, self, 0, this.#asked(state), RWLOCK_CAPACITY];
                case 'look':
                    return ['owner_probe', mutex, table, known, NOW_MS];
                case 'look at reader':
                    return ['rwlock_probe_reader', mutex, table, known, NOW_MS];
                case 'note':
                    return ['rwlock_note_upgradable', mutex, self];
                case 'upgrade':
                    return ['rwlock_try_upgrade', mutex, self];
                case 'inside':
                    return ['rwlock_unlock', mutex, mode === 'upgrades' ? self : this.#asked(state)];
            }
        }
        switch (at) {
            case 'join':
                return ['agents_join', table, NOW_MS];
            case 'find slot':
                return ['agents_slot', table, self];
            case 'may arm':
                return ['agent_arms', slot, self];
            case 'count':
                return ['agent_credit', slot, self, entries];
            case 'try':
                return ['mutex_trylock', mutex, self];
            case 'look':
                return ['owner_probe', mutex, table, known, NOW_MS];
            case 'take over':
                return ['owned_take_over', mutex, self];
            case 'begin':
                return ['recursive_mutex_begin', mutex];
            case 'deepen':
                return ['recursive_mutex_again', mutex, self];
            case 'measure':
                return ['recursive_mutex_depth', mutex, self];
            case 'surface':
                return ['recursive_mutex_surface', mutex, self];
            case 'inside':
                return left !== 0 && this.#options.givesUp
                    ? ['gate_abandon', mutex, self, left]
                    : ['mutex_unlock', mutex, self];
            case 'leave':
                return ['agent_leave', slot, self];
            case 'declare dead':
                return ['agent_leave', first, FIRST_SELF];
            default:
                return undefined;
        }
    }

    /** @param {State} state @returns {State} */
    #afterArming(state) {
        if (state.hears) {
            return { ...state, hears: this.#countsFirst ? '' : 'count' };
        }
        const armed = state.armed + 1;
        return { ...state, armed, at: armed < this.#circumstances.entries ? 'arm' : 'count' };
    }

    /** @param {State} state @param {number} value @returns {State} */
    #returned(state, value) {
        const { at, hears } = state;
        const mayArm = value !== 0 || this.#options.isWrong === 'arms an entry after it has left';
        if (hears === 'may arm') {
            return { ...state, hears: !mayArm ? '' : this.#countsFirst ? 'count' : 'arm' };
        }
        if (hears) {
            return { ...state, hears: this.#countsFirst ? 'arm' : '' };
        }
        switch (at) {
            case 'join':
                return value === 0 ? { ...state, at: 'refused' } : { ...state, self: value, at: 'find slot' };
            case 'find slot':
                return { ...state, slot: value, at: 'may arm' };
            case 'may arm':
                return mayArm ? { ...state, at: 'arm' } : this.#next(state, state.task + 1);
            case 'count':
                return this.#hasHolds
                    ? { ...state, armed: 0, at: 'join holds' }
                    : this.#next({ ...state, armed: 0 }, state.hasLeft ? state.task + 1 : 0);
            case 'join holds':
                return this.#next(state, 0);
            case 'try':
                return value === RESULT_OK ? this.#entered(state) : { ...state, at: 'look' };
            case 'look': {
                if (this.#hasHolds) {
                    return { ...state, at: 'try' };
                }
                const owner = value >>> 0;
                if (this.#options.mode && owner <= RWLOCK_MOST) {
                    return { ...state, at: owner === 0 ? 'try' : 'look at reader' };
                }
                return isAbandoned(owner)
                    ? { ...state, known: 0, at: 'take over' }
                    : { ...state, known: owner, at: 'try' };
            }
            case 'take over':
                return value === 0 ? { ...state, at: 'try' } : this.#entered({ ...state, left: value });
            case 'look at reader':
                return { ...state, known: value >>> 0, at: 'try' };
            case 'note':
                return { ...state, at: this.#options.mode === 'upgrades' ? 'upgrade' : 'inside' };
            case 'upgrade':
                if (value !== RESULT_OK) {
                    throw new Violation(`an upgrade beside nobody comes to ${value}`);
                }
                return { ...state, at: 'inside' };
            case 'begin':
                return this.#deeper(state);
            case 'deepen':
                if (value !== RESULT_OK) {
                    throw new Violation(`the owner does not get the mutex again, but ${value}`);
                }
                return this.#deeper(state);
            case 'measure':
                if (value !== state.depth) {
                    throw new Violation(
                        `a thread that has locked it ${state.depth} times has depth ${value}`,
                    );
                }
                return { ...state, at: state.left !== 0 && this.#options.givesUp ? 'inside' : 'surface' };
            case 'surface': {
                const depth = state.depth - 1;
                if (value !== Number(depth > 0)) {
                    throw new Violation(`an unlock leaves depth ${depth}, and says ${value}`);
                }
                return { ...state, depth, at: depth > 0 ? 'surface' : 'inside' };
            }
            case 'inside': {
                const isReleased =
                    state.left !== 0 && this.#options.givesUp ? value === 1 : value === RESULT_OK;
                if (!isReleased && !this.#options.isDeclaredDead) {
                    throw new Violation('a thread inside has lost the lock');
                }
                return this.#next({ ...state, known: 0, left: 0, depth: 0 }, state.task + 1);
            }
            default:
                return this.#next(state, state.task + 1);
        }
    }

    /** @param {State} state @returns {State} */
    #entered(state) {
        if (this.#options.depth) {
            return { ...state, at: 'begin' };
        }
        const { mode } = this.#options;
        if (mode && mode !== 'exclusive' && state.left === 0) {
            return { ...state, at: 'note' };
        }
        return { ...state, at: this.#options.does[state.task] === 'leaves inside' ? 'leave' : 'inside' };
    }

    /** @param {State} before @returns {State} */
    #deeper(before) {
        const depth = before.depth + 1;
        return { ...before, depth, at: depth === this.#options.depth ? 'measure' : 'deepen' };
    }

    /** @param {State} state @param {number} task @returns {State} */
    #next(state, task) {
        const doing = this.#options.does[task];
        return { ...state, task, at: doing ? FIRST_STAGE[doing] : 'done' };
    }
}

/** @param {State} state */
function isArming({ at, hears }) {
    return hears ? hears === 'arm' : at === 'arm';
}
