/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_FOR_ONE,
    GATE_LINE_OFFSET,
    GATE_PATIENCE_MS,
    RESULT_BUSY,
    RESULT_DEADLOCK,
    RESULT_NOT_OWNER,
    RESULT_OK,
    RESULT_TIMEOUT,
    STEP_KIND_ASYNC,
    STEP_KIND_POLLING,
    STEP_TOKEN_AGE_SHIFT,
    STEP_TOKEN_LISTED,
    STEP_WAIT_MORE,
    THREAD_BITS,
    THREAD_MASK,
} from '../../js-glue/memory/layout.js';
import { outcomeOf } from '../../js-glue/waiting/outcome.js';
import { hasNapper, NAPPER } from '../explorer/gate-word.js';
import { FIRST_ADDRESS, hex } from '../explorer/memory.js';
import { identityOf } from '../explorer/symmetry.js';
import { ARMED, NOT_EQUAL, WAIT_ASYNC } from '../explorer/thread-call.js';
import { Violation } from '../explorer/violation.js';
import { liveLocals } from './live-locals.js';
import {
    reservationIn,
    nameOf,
    namesIn,
    NOBODY,
    NUMBER_MASK,
    numberIn,
    renamedHalf,
    renamedToken,
    renamedWordBy,
    SLICES_MOST,
} from './names.js';

/* The most general clients. A blocking thread makes any calls of a mutex, in any order, without end, with any
 * time limits; it also locks what it holds and unlocks what it does not hold. It may claim at any time that
 * it has watched any reservation for long enough. An event loop steps, tries, withdraws and makes entries at
 * any time, and gives any values for how long it has waited and what it has watched. So it makes every
 * decision that queue.js might make, with two rules: its entry on `line` comes before the step that announces
 * it, and it waits for what its last step returned. Whatever a program or the glue does by these calls, some
 * client does too. */

/**
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 * @typedef {import('../wasm/interpreter.js').Stop} Stop
 * @typedef {import('./names.js').Names} Names
 *
 * @typedef {object} Call under way
 * @property {string} name
 * @property {number[]} parameters behind the address and the thread's identity
 * @property {(Value | string)[]} inputs the results of its atomic instructions so far, by which it can be made again
 * @property {Stop} stop
 * @property {Wait} asleep
 * @property {bigint} seen the word as the thread last read or left it; 0n: unknown since a failed exchange
 * @property {number} watched the number of the reservation that it has watched for a whole wait; 0: none
 * @property {boolean} holds whether the call began with the lock held
 * @property {boolean} naps whether the thread has begun a nap by its last change of the word
 * @property {number} line the value of `line`, if read since the thread last read the word; else 0
 *
 * @typedef {'' | 'nap' | 'long'} Wait how a thread sleeps; a nap is sure to end
 *
 * @typedef {'turn' | 'line'} Entry
 * @typedef {Readonly<Record<Entry, boolean>>} Entries
 *
 * @typedef {object} Local the state of a thread; there is one object for each
 * @property {number} id
 * @property {number} self the number of its name
 * @property {'outside' | 'waits' | 'inside' | 'calls' | 'for its turn' | 'in line' | 'by the line'} at the
 *     last three are of a waiting event loop; `by the line`: it has not set its flag yet
 * @property {number} token of `waits`; what it expects `for its turn`
 * @property {boolean} loops
 * @property {Entries} entries of its event loop that are pending; a missing entry's wake may be on its way
 * @property {Call | undefined} call
 * @property {Map<Value | string, Local>} next
 * @property {Map<string, Local>} renamed
 * @property {readonly number[] | undefined} others the names of other threads that it knows
 */

export const LOW = FIRST_ADDRESS;
export const HIGH = FIRST_ADDRESS + 4;
export const LINE = FIRST_ADDRESS + GATE_LINE_OFFSET;

export const FELL_ASLEEP = 'fell asleep';
export { ARMED, NOT_EQUAL as REFUSED };
export const [WOKEN, CHANGED, TIMED_OUT] = [0, 1, 2];

/** @type {Wait} */
const NOT = '';

/** Shorter than any wait. */
export const SHORT_US = 1;
/** Time limits of `gate_wait`: none left, SHORT_US, and longer than any wait. */
const LIMITS = [0, SHORT_US, 60_000_000];
/** HAS_NAPPED of c-src/gate_word.h. */
const HAS_NAPPED = 2;
/** A token of a thread that waits on, was overtaken often enough, and has been the heir. */
const TOKEN_OF_SLICES = 0xf0000000;
/** ASYNC_WAITERS of the word. */
const LINE_FLAG = 1n << 30n;
export const NANOSECONDS_PER_US = 1000;
const NANOSECONDS_PER_MS = 1e6;

/** Code after an atomic instruction whose result is only compared with the expected value, or not used. */
const COMPARISON = /^(drop|i64\.eqz|(local\.get,)?i64\.(eq|ne))\b/;
const DROP = /^drop\b/;
const IF_ANY = /^(i32\.eqz|br_if|if)\b/;

/** The calls that a thread may make. @type {Record<string, [name: string, ...parameters: number[]]>} */
const ANYWHERE = {
    lock: ['mutex_lock_for_a_time'],
    try: ['mutex_trylock'],
    unlock: ['mutex_unlock'],
    'try after': ['gate_try_after', 0],
};
/** @type {typeof ANYWHERE} */
const OUTSIDE = Object.fromEntries(LIMITS.map((limit) => [`lock for ${limit}`, ['gate_wait', 0, limit]]));

/** The index of the token among the parameters. @type {Record<string, number>} */
const TOKEN_AT = { gate_wait: 0, gate_try_after: 0, gate_step: 1, gate_withdraw: 1 };

const RANKS = [0, 1, 2, 3];
/**
 * The abstraction merges age classes into two: for a step, whether it may displace an heir; for the oldest
 * waiter, whether it is lower.
 */
const [YOUNG, OLD] = [1, 3];
const [LOWER, NOT_LOWER] = [0, 3];
/** HF__AGE_DISPLACES of c-src/gate_word.h. */
export const RANK_DISPLACES = 2;

/**
 * Identities that no thread has: of the oldest waiter that a loop has watched, and of another oldest waiter.
 */
const [WATCHED_OLDEST, OTHER_OLDEST] = [identityOf(30), identityOf(31)];

/** The outcomes of an exchange of `line`, whatever its value was. */
const [EXCHANGED, NOT_EXCHANGED] = ['exchanged', 'not exchanged'];

/** The steps of an event loop, with all claims about time and about another thread. */
const STEPS = [STEP_KIND_ASYNC, STEP_KIND_POLLING].flatMap((kind) =>
    RANKS.flatMap((rank) =>
        [0, STEP_TOKEN_LISTED].flatMap((inLine) =>
            ['nothing', 'oldest', 'reservation', 'slot'].map((watched) => ({
                name: `step ${kind} ${rank} ${inLine ? 'in line' : 'by the line'} ${watched}`,
                ...{ kind, watched, token: inLine | (rank << STEP_TOKEN_AGE_SHIFT) },
            })),
        ),
    ),
);

/** @type {Entries} */
const NO_ENTRIES = { turn: false, line: false };
const ENTRIES = [
    NO_ENTRIES,
    { turn: true, line: false },
    { turn: false, line: true },
    { turn: true, line: true },
];

export class Clients {
    #module;
    #runner;
    #names;
    /** @type {Map<string, Local>} */
    #known = new Map();
    #loops = false;

    /** @param {import('../wasm/decoder.js').Module} module @param {import('../explorer/thread-call.js').Runner} runner @param {Names} names */
    constructor(module, runner, names) {
        this.#module = module;
        this.#runner = runner;
        this.#names = names;
    }

    get size() {
        return this.#known.size;
    }

    /** True if there are event loops, whose entries states need not count. */
    get loops() {
        return this.#loops;
    }

    /** @param {Pick<Local, 'self' | 'at' | 'token' | 'call' | 'loops' | 'entries'>} parts @returns {Local} */
    #local({ self, at, token, call, loops, entries }) {
        const has = ENTRIES.findIndex(({ turn, line }) => turn === entries.turn && line === entries.line);
        const key = `${self} ${at} ${token} ${loops ? has : ''} ${call ? this.#keyOf(call, self) : ''}`;
        let local = this.#known.get(key);
        if (local === undefined) {
            local = {
                ...{ id: this.#known.size, self, at, token, call, loops, entries },
                ...{ next: new Map(), renamed: new Map(), others: undefined },
            };
            this.#known.set(key, local);
        }
        return local;
    }

    /** @param {Local} local @param {Local['at']} at @param {number} [token] @param {Entries} [entries] */
    #put({ self, loops, entries: before }, at, token = 0, entries = before) {
        return this.#local({ self, at, token, call: undefined, loops, entries });
    }

    /** @param {number} self @param {boolean} loops */
    outside(self, loops) {
        this.#loops ||= loops;
        return this.#local({ self, at: 'outside', token: 0, call: undefined, loops, entries: NO_ENTRIES });
    }

    /**
     * The state after a wake of its entry that the event loop has not noticed yet.
     *
     * @param {Local} local
     * @param {Entry} entry
     */
    resolved(local, entry) {
        return local.entries[entry]
            ? this.#local({ ...local, entries: { ...local.entries, [entry]: false } })
            : local;
    }

    /**
     * The choices of a thread that makes no call.
     *
     * @param {Local} local
     * @param {readonly number[]} others whose reservations it may have met
     * @returns {string[]}
     */
    choicesOf({ at, loops }, others) {
        const met = others.flatMap((name) => [`try after ${name}`, `try after the slot of ${name}`]);
        if (loops) {
            const steps = STEPS.flatMap(({ name, watched }) =>
                watched === 'nothing' ? [name] : others.map((other) => `${name} ${other}`),
            );
            switch (at) {
                case 'outside':
                    return ['try', 'try after', ...met, ...steps];
                case 'inside':
                    return ['unlock'];
                case 'calls':
                    return [];
                default:
                    return [...steps, 'withdraw'];
            }
        }
        switch (at) {
            case 'outside':
                return [...Object.keys(ANYWHERE), ...Object.keys(OUTSIDE), ...met];
            case 'waits':
                return LIMITS.map(String);
            case 'inside':
                return [...Object.keys(ANYWHERE), ...met];
            default:
                return [];
        }
    }

    /** @param {Local} local @param {string} choice @returns {Local} */
    chosen(local, choice) {
        return this.#once(local, choice, () => this.#begin(local, ...this.callBy(local, choice)));
    }

    /** @param {Local} local @param {string} choice @returns {[name: string, ...parameters: number[]]} */
    callBy({ at, token }, choice) {
        if (at === 'waits') {
            return ['gate_wait', token, Number(choice)];
        }
        if (choice === 'withdraw') {
            return ['gate_withdraw', STEP_KIND_ASYNC, 0];
        }
        const step = STEPS.find(({ name }) => choice.startsWith(name));
        const other = Number(/\d+$/.exec(choice)?.[0] ?? NOBODY);
        if (step) {
            const number = step.watched === 'nothing' ? 0 : this.#numberBy(step.watched, other);
            return ['gate_step', step.kind, step.token | number];
        }
        if (other !== NOBODY && choice.startsWith('try after')) {
            return [
                'gate_try_after',
                this.#numberBy(choice.includes('slot') ? 'slot' : 'reservation', other),
            ];
        }
        return ANYWHERE[choice] ?? OUTSIDE[choice] ?? [choice];
    }

    /** @param {string} watched @param {number} other */
    #numberBy(watched, other) {
        return watched === 'oldest'
            ? ~identityOf(other) & NUMBER_MASK
            : this.#names.numberOf(other, NOBODY, watched === 'reservation');
    }

    /** @param {Local} local @param {Value | string} input @param {() => Local} make */
    #once(local, input, make) {
        let next = local.next.get(input);
        if (next === undefined) {
            next = make();
            local.next.set(input, next);
        }
        return next;
    }

    /** @param {Local} local that makes no call @param {string} name @param {number[]} parameters */
    #begin(local, name, ...parameters) {
        const identity = identityOf(local.self);
        const amounts = name === 'gate_withdraw' ? [GATE_FOR_ONE] : [identity, GATE_FOR_ONE];
        const all = name.startsWith('gate') ? [...parameters, ...amounts] : parameters;
        const stop = this.#runner.call(name, [FIRST_ADDRESS, identity, ...all]);
        const watched = numberIn(parameters[TOKEN_AT[name] ?? -1] ?? 0);
        const holds = local.at === 'inside';
        const call = {
            ...{ name, parameters, inputs: [], stop, asleep: NOT, seen: 0n },
            ...{ watched, holds, naps: false, line: 0 },
        };
        return this.#stopped(local, call);
    }

    /** @param {Local} local @param {Call} call @returns {Local} */
    #stopped(local, call) {
        if (call.stop.atomic) {
            return this.#local({ ...local, at: 'calls', token: 0, call });
        }
        const { name, holds } = call;
        if (name === 'gate_withdraw') {
            return this.#put(local, 'outside');
        }
        if (name === 'gate_step') {
            const { word, expected, watched, isOldest } = outcomeOf(BigInt(call.stop.value ?? 0), true);
            const [, used = NOBODY] = this.#names.reservations.get(numberIn(watched)) ?? [];
            if (!isOldest && used !== NOBODY) {
                throw new Violation('a step names a reservation while another thread is inside');
            }
            if (word === 'line') {
                const isSaid = (Number(call.parameters[1]) & STEP_TOKEN_LISTED) !== 0;
                return this.#put(local, isSaid ? 'in line' : 'by the line');
            }
            return word === 'turn' ? this.#put(local, 'for its turn', expected) : this.#put(local, 'inside');
        }
        const result = Number(call.stop.value);
        if (name === 'mutex_unlock') {
            if (result !== (holds ? RESULT_OK : RESULT_NOT_OWNER)) {
                throw new Violation(`a thread ${holds ? 'inside' : 'outside'} unlocks, and gets ${result}`);
            }
            return this.#put(local, 'outside');
        }
        if (result === RESULT_OK) {
            if (holds) {
                throw new Violation(`a thread inside gets the lock again by ${name}`);
            }
            return this.#put(local, 'inside');
        }
        const back = this.#put(local, holds ? 'inside' : 'outside');
        if (result === RESULT_BUSY || result === RESULT_TIMEOUT || (holds && result === RESULT_DEADLOCK)) {
            return back;
        }
        if ((result & STEP_WAIT_MORE) === 0) {
            throw new Violation(
                `${name} gives ${result} to a thread that ${holds ? 'is inside' : 'holds nothing'}`,
            );
        }
        const number = numberIn(result & ~STEP_WAIT_MORE);
        if (name === 'gate_try_after') {
            const [, used = NOBODY] = this.#names.reservations.get(number) ?? [];
            if (used !== NOBODY) {
                throw new Violation('a try names a reservation while another thread is inside');
            }
            return back;
        }
        if (number !== 0 && number !== call.watched) {
            throw new Violation('a reservation counts as watched that no whole wait has watched');
        }
        return this.#put(local, 'waits', result);
    }

    /**
     * @param {Local} local
     * @returns {Atomic | undefined} its next instruction, or one that it may choose, if it waits without an
     *     entry
     */
    atomicOf({ call, at, token, entries }) {
        if (call) {
            return call.asleep ? undefined : call.stop.atomic;
        }
        const entry = { name: WAIT_ASYNC, operands: [token], look: '' };
        return at === 'for its turn' && !entries.turn
            ? { ...entry, address: HIGH }
            : (at === 'in line' || at === 'by the line') && !entries.line
              ? { ...entry, address: LINE }
              : undefined;
    }

    /**
     * Values that `line` may have: any.
     *
     * @param {Local} local before it loads or exchanges it
     * @returns {number[]}
     */
    lineValues(local) {
        const { self, loops } = local;
        const { name, address, operands } = /** @type {Atomic} */ (this.atomicOf(local));
        if (address !== LINE) {
            throw new Error(`unexpected address of a ${name}: ${address}`);
        }
        const all = [identityOf(self), WATCHED_OLDEST, OTHER_OLDEST].flatMap((identity) =>
            [LOWER, NOT_LOWER].map((rank) => identity | (rank << STEP_TOKEN_AGE_SHIFT)),
        );
        const [expected = 0] = operands;
        // A failed exchange reveals only that it failed.
        return name !== 'i32.atomic.load' ? [Number(expected), ~Number(expected)] : loops ? [0, ...all] : [0];
    }

    /**
     * @param {Local} local
     * @param {Value | string} input the result of its atomic instruction, or FELL_ASLEEP
     */
    after(local, input) {
        return this.#once(local, input, () => {
            if (input === ARMED) {
                const entry = local.at === 'for its turn' ? 'turn' : 'line';
                // The entry comes first; the flag or the slot follows.
                const at = entry === 'turn' ? local.at : 'by the line';
                return this.#put(local, at, local.token, { ...local.entries, [entry]: true });
            }
            if (input === NOT_EQUAL) {
                return local;
            }
            const call = /** @type {Call} */ (local.call);
            if (input === FELL_ASLEEP) {
                return this.#local({ ...local, call: { ...call, asleep: lengthOf(call) } });
            }
            const { stop, inputs } = call;
            const frames = stop.atomic && stop.frames;
            const next = this.#runner.resume(frames, /** @type {Value} */ (input));
            return this.#stopped(local, {
                ...this.#learnt(call, /** @type {Value} */ (input)),
                inputs: [...inputs, toldBy(stop.atomic, /** @type {Value} */ (input))],
                stop: next,
                asleep: NOT,
            });
        });
    }

    /**
     * All reads in one round of a spin loop see the same value (shipped-module.js).
     * @param {Local} local before a load
     * @param {bigint} word
     */
    afterReading(local, word) {
        const round = this.atomicOf(local)?.look;
        let after = local;
        do {
            after = this.after(after, word);
        } while (round && this.atomicOf(after)?.look === round);
        return after;
    }

    /**
     * The state after a failed exchange, whose result is not used further.
     *
     * @param {Local} local before an exchange of the word
     */
    afterInVain(local) {
        this.#mustBeFollowedBy(local, COMPARISON);
        return this.after(local, ~BigInt(this.atomicOf(local)?.operands[0] ?? 0));
    }

    /**
     * The state after a wake. Of its count the code uses no more than whether it is 0.
     * @param {Local} local before it wakes some
     * @param {number} count
     */
    afterWaking(local, count) {
        const isUsed = this.usesCount(local);
        if (isUsed) {
            this.#mustBeFollowedBy(local, IF_ANY);
        }
        return this.after(local, isUsed && count > 0 ? 1 : 0);
    }

    /** True if a thread is about to wake others, and uses how many it wakes. @param {Local} local */
    usesCount(local) {
        return this.atomicOf(local)?.name === 'memory.atomic.notify' && !DROP.test(this.#codeAfter(local));
    }

    /**
     * The code may use the result of an atomic instruction in no other way.
     * @param {Local} local
     * @param {RegExp} next
     */
    #mustBeFollowedBy(local, next) {
        const code = this.#codeAfter(local);
        if (!next.test(code)) {
            throw new Error(
                `the result of ${local.call?.stop.atomic?.name} is used by unexpected instructions: ${code}`,
            );
        }
    }

    /** The two instructions after a thread's next atomic one. @param {Local} local */
    #codeAfter({ call }) {
        const frames = call?.stop.atomic ? call.stop.frames : [];
        const { code, at } = /** @type {import('../wasm/interpreter.js').Frame} */ (frames.at(-1));
        const all = /** @type {import('../wasm/decoder.js').Module['functions'][number]} */ (
            this.#module.functions[code]
        );
        return all.instructions
            .slice(at + 1, at + 3)
            .map(({ name }) => name)
            .join();
    }

    /**
     * The knowledge of a call about the word and reservations.
     * @param {Call} call
     * @param {Value} input
     * @returns {Call}
     */
    #learnt(call, input) {
        const { name = '', operands = [], address = 0 } = call.stop.atomic ?? {};
        switch (name) {
            case 'i32.atomic.load':
                return address === LINE ? { ...call, line: Number(input) } : call;
            case 'i64.atomic.load':
                return { ...call, seen: BigInt(input), line: 0 };
            case 'i64.atomic.rmw.cmpxchg': {
                const seen = BigInt((input === operands[0] && operands[1]) || 0);
                return { ...call, seen, naps: hasNapper(seen) && !hasNapper(BigInt(input)), line: 0 };
            }
            case 'memory.atomic.wait32': {
                const isWhole = lengthOf(call) === 'long' && !isCut(call);
                const outlasted = address === LOW && input === TIMED_OUT && isWhole;
                return { ...call, watched: outlasted ? reservationIn(this.#names, call.seen) : 0 };
            }
            default:
                return call;
        }
    }

    /**
     * Renames a client: makes its call again, with the same inputs and other names.
     *
     * @param {Local} local
     * @param {readonly number[]} to the new names
     * @returns {Local}
     */
    renamed(local, to) {
        const key = to.join();
        let renamed = local.renamed.get(key);
        if (renamed === undefined) {
            renamed = this.#renamed(local, to);
            local.renamed.set(key, renamed);
        }
        return renamed;
    }

    /** @param {Local} local @param {readonly number[]} to @returns {Local} */
    #renamed(local, to) {
        const { at, token, call } = local;
        const self = to[local.self] ?? local.self;
        if (!call) {
            const renamed =
                at === 'for its turn' ? renamedHalf(token, to) : renamedToken(this.#names, token, to);
            return this.#local({ ...local, self, token: renamed });
        }
        const { name, inputs, asleep, holds } = call;
        const oldest = oldestIn(call);
        const parameters = call.parameters.map((value, place) =>
            place !== TOKEN_AT[name]
                ? value
                : name === 'gate_step'
                  ? this.#renamedStep(value, oldest, to)
                  : renamedToken(this.#names, value, to),
        );
        const [, said = 0] = call.parameters;
        const before = this.#local({
            ...local,
            self,
            at: holds ? 'inside' : 'outside',
            token: 0,
            call: undefined,
        });
        let renamed = this.#begin(before, name, ...parameters);
        for (const input of inputs) {
            const { address = 0, operands = [] } = this.atomicOf(renamed) ?? {};
            const [expected = 0] = operands;
            renamed = this.after(
                renamed,
                typeof input === 'bigint'
                    ? renamedWordBy(input, to)
                    : input === EXCHANGED
                      ? expected
                      : input === NOT_EXCHANGED
                        ? ~Number(expected)
                        : address === LINE
                          ? lineBy(
                                Number(input),
                                rankIn(said),
                                identityOf(local.self),
                                oldest,
                                identityOf(self),
                            )
                          : input,
            );
        }
        return asleep ? this.after(renamed, FELL_ASLEEP) : renamed;
    }

    /** @param {number} token @param {number} oldest @param {readonly number[]} to */
    #renamedStep(token, oldest, to) {
        const renamed = oldest
            ? (token & ~NUMBER_MASK) | (~WATCHED_OLDEST & NUMBER_MASK)
            : renamedToken(this.#names, token, to);
        return withRank(renamed, rankIn(token) >= RANK_DISPLACES ? OLD : YOUNG);
    }

    /**
     * The names that it knows besides its own, in an order that does not depend on the names.
     *
     * @param {Local} local
     * @returns {readonly number[]}
     */
    othersOf(local) {
        local.others ??= this.#othersOf(local);
        return local.others;
    }

    /** @param {Local} local */
    #othersOf(local) {
        const told = this.#toldTo(local);
        const kept = this.#keptBy(local).filter((name) => told.includes(name));
        const forgotten = told.filter((name) => !kept.includes(name));
        if (forgotten.length === 0) {
            return kept;
        }
        const spare = this.#names.all.filter((name) => name !== local.self && !told.includes(name));
        const to = this.#names.all.map((name) => {
            const [at, of] = [forgotten.indexOf(name), spare.indexOf(name)];
            return at >= 0 ? spare[at] : of >= 0 ? forgotten[of] : name;
        });
        // A name in an unknown form would make it a different client.
        return this.renamed(local, /** @type {number[]} */ (to.map((name, at) => name ?? at))) === local
            ? kept
            : [...kept, ...forgotten];
    }

    /** All values that the thread has read in this call. @param {Local} local @returns {number[]} */
    #toldTo({ self, token, call }) {
        const tokens = [token, ...(call?.parameters ?? [])].flatMap((value) => this.#namesIn(value));
        const told = new Set([...tokens, ...(call?.inputs ?? []).flatMap((input) => this.#namesIn(input))]);
        told.delete(self);
        return this.#names.all.filter((name) => told.has(name));
    }

    /**
     * The values that distinguish its state from others, in order.
     *
     * @param {Local} local
     * @returns {number[]}
     */
    #keptBy({ self, token, call }) {
        const frames = call?.stop.atomic
            ? /** @type {import('../wasm/interpreter.js').Frame[]} */ (call.stop.frames)
            : [];
        const values = frames.flatMap(({ code, at, locals, stack }) => {
            const live = liveLocals(this.#module, code, at);
            return [...locals.filter((_, index) => live.has(index)), ...stack];
        });
        const calls = call ? [call.watched, this.#reservationSeenBy(call)] : [];
        const all = [token, ...calls, ...values].flatMap((value) => this.#namesIn(value));
        return [...new Set([...all, ...this.#comparedBy(call)])].filter((name) => name !== self);
    }

    /** The name in the half of the word with which it sleeps. The half may look like a token of slices. @param {Call} [call] */
    #comparedBy(call) {
        const { name, operands: [half = 0] = [] } = call?.stop.atomic ?? {};
        const compared = nameOf(Number(half) & THREAD_MASK);
        return name === 'memory.atomic.wait32' && compared >= 0 ? [compared] : [];
    }

    /** The number of the reservation that it watches if it sleeps now. @param {Call} call */
    #reservationSeenBy({ stop, seen }) {
        return stop.atomic?.name === 'memory.atomic.wait32' ? reservationIn(this.#names, seen) : 0;
    }

    /**
     * Names in a value: as parts of a word, or as the number of a reservation.
     * @param {Value | string} value
     * @returns {number[]}
     */
    #namesIn(value) {
        if (typeof value === 'string' || isTokenOfSlices(value)) {
            return [];
        }
        const number =
            typeof value === 'bigint' ? numberIn(Number((value >> 35n) & 0xfffffffn)) : numberIn(value);
        const [heir = NOBODY, used = NOBODY] = this.#names.reservations.get(number) ?? [];
        const parts = typeof value === 'bigint' ? namesIn(value) : [nameOf(value & THREAD_MASK)];
        return [...parts, heir, used].filter((name) => name >= 0 && name < this.#names.unused);
    }

    /** A call's key: its future depends on nothing else. @param {Call} call @param {number} self */
    #keyOf(call, self) {
        const { name, parameters, stop, asleep, seen, watched, holds, naps, line } = call;
        const frames = stop.atomic
            ? /** @type {import('../wasm/interpreter.js').Frame[]} */ (stop.frames)
            : [];
        const token = parameters[TOKEN_AT[name] ?? -1] ?? 0;
        let isLive = false;
        const all = frames.map(({ code, at, locals, stack, blocks }) => {
            const live = liveLocals(this.#module, code, at);
            isLive ||= locals.some((value, index) => live.has(index) && value === token);
            return `${code} ${at} ${locals.map((value, index) => (live.has(index) ? value : '')).join()} ${stack.join()} ${blocks.join(';')}`;
        });
        if (name === 'gate_step' && stop.atomic?.name === 'i64.atomic.rmw.cmpxchg' && !isLive) {
            throw new Error('a step has lost its token, which its changes are checked by');
        }
        const isSaid = name === 'gate_step' && (seen & LINE_FLAG) !== 0n;
        return [
            name,
            // The other parameters are in the frames, if they are read again.
            name === 'gate_step' && (token & STEP_TOKEN_LISTED) !== 0,
            holds,
            asleep,
            watched,
            naps,
            line,
            isSaid,
            name === 'gate_step' && namesIn(seen)[1] === self,
            this.#reservationSeenBy(call),
            ...all,
        ].join('|');
    }

    /** The address on which it sleeps. @param {Local} local */
    asleepAt({ call }) {
        return call?.asleep ? call.stop.atomic?.address : undefined;
    }

    /** @param {Local} local */
    describe({ self, at, token, call, loops, entries }) {
        const calls = call && `${call.name}(${call.parameters.map((each) => hex(each)).join(', ')})`;
        const atomic = call?.stop.atomic;
        const next =
            atomic && `${atomic.name} ${placeOf(atomic.address)} ${atomic.operands.map(hex).join(' ')}`;
        const has = loops
            ? ` (a loop${entries.turn ? ', its turn' : ''}${entries.line ? ', its line' : ''})`
            : '';
        return `${self}${has}: ${calls ?? at}${token ? ` ${hex(token)}` : ''}${call?.asleep ? ` asleep (${call.asleep})` : ''}${next ? `, before ${next}` : ''}`;
    }
}

/**
 * Returns whether the value is the token of a blocking thread that has been the heir and has counted slices. Such a token
 * has the bits of the first thread's identity, and must not be renamed as one.
 *
 * @param {Value} value
 */
function isTokenOfSlices(value) {
    const counted = typeof value === 'bigint' ? 0 : (value >>> 0) - TOKEN_OF_SLICES;
    return counted > 0 && counted <= SLICES_MOST;
}

/**
 * The input as the client keeps it: of an exchange of `line`, only whether it succeeded.
 * @param {Atomic | undefined} atomic
 * @param {Value} input
 */
function toldBy(atomic, input) {
    return atomic?.name !== 'i32.atomic.rmw.cmpxchg'
        ? input
        : input === atomic.operands[0]
          ? EXCHANGED
          : NOT_EXCHANGED;
}

/** The identity of the oldest waiter that a step claims to have watched, or 0. @param {Call} call */
function oldestIn({ name, parameters }) {
    // The complement of an identity (gate_async.h).
    const identity = ~(Number(parameters[1]) & NUMBER_MASK) & THREAD_MASK;
    return name === 'gate_step' && identity >= identityOf(0) && identity <= OTHER_OLDEST ? identity : 0;
}

/**
 * True if an event loop with an entry on `line` also has its flag set: the word had the flag when the loop
 * last read it, in this step or the last.
 *
 * @param {Local} local
 */
export function isSaidBy({ at, call, entries }) {
    const isInLine =
        call?.name === 'gate_step' && (Number(call.parameters[1]) & STEP_TOKEN_LISTED) !== 0
            ? (call.seen & LINE_FLAG) !== 0n
            : at === 'in line';
    return entries.line && isInLine;
}

/**
 * True if an event loop with an entry was the heir when it last read the word.
 *
 * @param {Local} local
 */
export function isNextBy({ at, self, call, entries }) {
    const isNext = call?.name === 'gate_step' ? namesIn(call.seen)[1] === self : at === 'for its turn';
    return entries.turn && isNext;
}

/** The age class in a token of a step, or in `line`. @param {number} token */
export function rankIn(token) {
    return token >>> STEP_TOKEN_AGE_SHIFT;
}

/** @param {number} token @param {number} rank */
function withRank(token, rank) {
    return (token & ~(-1 << STEP_TOKEN_AGE_SHIFT)) | (rank << STEP_TOKEN_AGE_SHIFT);
}

/**
 * Renames the oldest in `line`. Only three cases matter: the thread itself, the waiter that the thread has
 * watched, or another waiter. Of its age only one thing matters: whether it is younger than the thread.
 *
 * @param {number} line
 * @param {number} rank of the thread
 * @param {number} self
 * @param {number} oldest that it has watched
 * @param {number} newSelf
 */
function lineBy(line, rank, self, oldest, newSelf) {
    const identity = line & THREAD_MASK;
    if (line === 0) {
        return 0;
    }
    const renamed = identity === self ? newSelf : identity === oldest ? WATCHED_OLDEST : OTHER_OLDEST;
    return withRank(renamed, rankIn(line) < rank ? LOWER : NOT_LOWER);
}

/** @param {number} address */
function placeOf(address) {
    return address === LOW
        ? 'word'
        : address === HIGH
          ? 'upper half'
          : address === LINE
            ? 'line'
            : `${address}`;
}

/** True if a wait ends by the caller's time limit. @param {Pick<Call, 'stop'>} call */
function isCut({ stop }) {
    return Number(stop.atomic?.operands[1]) === SHORT_US * NANOSECONDS_PER_US;
}

/**
 * The kind of the sleep. A time limit is sure to end, as a nap is, but no thread may rely on that. A nap cut
 * short stays a nap.
 *
 * @param {Call} call
 * @returns {Wait}
 */
function lengthOf({ parameters, stop, naps }) {
    const { address, operands = [] } = stop.atomic ?? {};
    const [expected, nanoseconds] = operands;
    const milliseconds = Number(nanoseconds) / NANOSECONDS_PER_MS;
    const hasNapped = stageIn(Number(parameters[0])) === HAS_NAPPED;
    const isNap = isCut({ stop })
        ? address === LOW && (Number(expected) & Number(NAPPER)) !== 0 && (naps || hasNapped)
        : milliseconds >= 0 && milliseconds < GATE_PATIENCE_MS;
    return isNap ? 'nap' : 'long';
}

/** The stage of a blocking thread, by its token. @param {number} token */
function stageIn(token) {
    return (token >>> THREAD_BITS) & 3;
}
