/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { THREAD_MASK } from '../../js-glue/memory/layout.js';
import {
    checkChange,
    checkOldest,
    identityAt,
    hasNapper,
    NAPPER,
    SLEEPERS,
    OF_LOOP,
    usedIn,
    withIdentityAt,
} from '../explorer/gate-word.js';
import { identityOf } from '../explorer/symmetry.js';
import { WAIT_ASYNC } from '../explorer/thread-call.js';
import { Violation } from '../explorer/violation.js';
import {
    isNextBy,
    isSaidBy,
    ARMED,
    CHANGED,
    FELL_ASLEEP,
    HIGH,
    LINE,
    LOW,
    RANK_DISPLACES,
    rankIn,
    REFUSED,
    TIMED_OUT,
    WOKEN,
} from './client.js';
import { reservationIn, NOBODY, nameOf, namesWith, renamedWordBy } from './names.js';

/* A state of any number of threads that use one mutex: its word, by roles; how many threads sleep, up to two;
 * and the duties to wake them. Sets of actors (fixpoint.js) have the possible states of each thread: the
 * owner, the heir, or any number of other threads, the ambient set. README.md says why the abstraction loses
 * no behaviour. */

/**
 * @typedef {import('./client.js').Local} Local
 * @typedef {import('./client.js').Clients} Clients
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 *
 * @typedef {0 | 1 | 2} Count none, one, or more; of naps and of the async wait list, 1 means one or more
 * @typedef {'long' | 'naps' | 'high' | 'line'} Sleep `long`: on the lower half until woken; `naps`: there for
 *     a nap; `high`: on the upper half, though not the heir; `line`: on `line`, by an event loop that has set
 *     its flag
 * @typedef {Readonly<Record<Sleep, Count>>} Counts
 * @typedef {number} Duties a set of WAKE_SLEEPER, WAKE_HEIR, WAKE_LIST, NAPS and HANDS_OVER
 * @typedef {0 | 1 | 2} Role OWNER, HEIR, AMBIENT
 * @typedef {0 | 1 | 2 | 3} Standing of the heir: awake; awake with a pending entry of its event loop; asleep;
 *     awake with an entry, and it has read that it is the heir
 *
 * @typedef {object} State
 * @property {bigint} word with the names of roles
 * @property {Standing} heir
 * @property {boolean} said whether the heir has set the flag of the async wait list
 * @property {Counts} asleep of the ambient set
 * @property {readonly [Duties, Duties]} owes the duties of the owner, and of the heir
 * @property {Duties} owed by one or several threads of the ambient set
 *
 * @typedef {object} Actor
 * @property {Local} local by the names of the ambient set
 * @property {Role} role
 * @property {Duties} duties of its own: as the state has them for its role, or some of those of the ambient
 *     set
 *
 * @typedef {object} Move
 * @property {string} what
 * @property {State} state
 * @property {Actor} came the thread after the move
 * @property {Duties} most the duties that the thread has, as far as another thread needs them
 * @property {boolean} isDemoted whether the move makes the heir one of the ambient set
 * @property {boolean} isOwn whether the move depends only on the word, and changes only the actor
 *
 * @typedef {object} Draft
 * @property {State} before
 * @property {bigint} word
 * @property {Local} local of the actor, by the name of its role
 * @property {Role} role that it had
 * @property {Standing} heir
 * @property {boolean} said
 * @property {Counts} asleep
 * @property {Duties} owed by others of the ambient set than the actor
 * @property {Duties} duties of the actor
 */

export const OWNER = 0;
export const HEIR = 1;
export const AMBIENT = 2;
const ROLES_IN_WORD = /** @type {Role[]} */ ([OWNER, HEIR]);
const FIRST_STALE = 3;
/**
 * Stands for another thread whose reservation this one may have watched. The next step tries each identity that
 * the thread may have.
 */
const SOMEBODY = [FIRST_STALE];

/**
 * Duties: to wake a sleeper, or to answer for the sleepers; to wake the heir; to wake the async wait list; to
 * answer for the sleepers after a nap; to wake the next napper, or to be it.
 */
export const WAKE_SLEEPER = 1;
export const WAKE_HEIR = 2;
export const WAKE_LIST = 4;
export const NAPS = 8;
export const HANDS_OVER = 16;
export const DUTIES = [WAKE_SLEEPER, WAKE_HEIR, WAKE_LIST, NAPS, HANDS_OVER];

/** The parts of a word that are identities. */
const NAMED = withIdentityAt(withIdentityAt(0n, 0n, THREAD_MASK), 32n, THREAD_MASK);
const LINE_FLAG = 1n << 30n;
export const ASYNC = 1n << 61n;
const POLLS = 1n << 62n;
const RESERVED = 1n << 63n;
const ENTRIES = /** @type {const} */ (['turn', 'line']);
const USE = { capacity: 0, opensAt: 0 };

const NONE = /** @type {const} */ (0);
export const AWAKE = /** @type {const} */ (0);
const HAS_ENTRY = /** @type {const} */ (1);
const ASLEEP = /** @type {const} */ (2);
const SURE = /** @type {const} */ (3);

/** @param {Sleep} sleep @param {Count} count @returns {Count} */
function more(sleep, count) {
    return (sleep === 'long' || sleep === 'high') && count > 0 ? 2 : 1;
}

/** @param {Sleep} sleep @param {Count} count @returns {Count[]} */
function fewer(sleep, count) {
    if (sleep === 'naps' || sleep === 'line') {
        return count === 0 ? [] : [1, 0];
    }
    return count === 2 ? [2, 1] : count === 1 ? [0] : [];
}

/** The queue in which a thread sleeps, if any. @param {Local} local @returns {Sleep | undefined} */
export function sleepOf({ at, call, entries }) {
    if (call) {
        return !call.asleep
            ? undefined
            : call.stop.atomic?.address === HIGH
              ? 'high'
              : call.asleep === 'nap'
                ? 'naps'
                : 'long';
    }
    return at === 'for its turn' && entries.turn
        ? 'high'
        : at === 'in line' && entries.line
          ? 'line'
          : undefined;
}

/** A word without its names; it keeps which names are absent, since that matters. @param {bigint} word */
export function patternOf(word) {
    const [isOwned, hasNext] = [partOf(word, OWNER) !== NOBODY, partOf(word, HEIR) !== NOBODY];
    return (word & ~NAMED) | (isOwned ? 1n : 0n) | (hasNext ? 1n << 32n : 0n);
}

/**
 * The kinds of sleep under which a state counts the thread. An event loop with an entry counts as asleep from the
 * moment at which it has read in the word that it is listed, or the heir, though it is still awake.
 *
 * @param {Local} local
 * @returns {Sleep[]}
 */
export function countedAs(local) {
    const sleep = local.call?.asleep ? sleepOf(local) : undefined;
    /** @type {Sleep[]} */
    const counted = sleep ? [sleep] : [];
    if (isSaidBy(local)) {
        counted.push('line');
    }
    if (isNextBy(local)) {
        counted.push('high');
    }
    return counted;
}

/** The standing of an heir. @param {Local} local @returns {Standing} */
export function standingOf(local) {
    return sleepOf(local) ? ASLEEP : isNextBy(local) ? SURE : local.entries.turn ? HAS_ENTRY : AWAKE;
}

/**
 * @param {bigint} word
 * @param {Role} role OWNER or HEIR
 * @returns {number} the name of the thread in that role, or NOBODY
 */
function partOf(word, role) {
    return nameOf(role === OWNER ? usedIn(word) : identityAt(word, 32n));
}

/** @type {State} */
export const START = {
    ...{ word: 0n, heir: AWAKE, said: false, asleep: { long: 0, naps: 0, high: 0, line: 0 } },
    ...{ owes: [0, 0], owed: 0 },
};

/** @param {State} state */
export function keyOf({ word, heir, said, asleep: { long, naps, high, line }, owes, owed }) {
    return `${word} ${heir}${Number(said)} ${long}${naps}${high}${line} ${owes} ${owed}`;
}

/** Returns the defect of the state, or ''. @param {State} state */
export function whatIsWrong({ word, heir, said, asleep, owes, owed }) {
    const waits = asleep.long > 0 || asleep.high > 0 || asleep.line > 0 || heir === ASLEEP;
    const isOwned = partOf(word, OWNER) !== NOBODY;
    const isNext = partOf(word, HEIR) !== NOBODY;
    const due = owed | owes[OWNER] | owes[HEIR];
    const moves = due !== 0 || asleep.naps > 0 || isOwned || (isNext && heir !== ASLEEP);
    if (waits && !moves) {
        return 'somebody waits, and nobody has to move';
    }
    if ((napIn(word) & ~due) !== 0) {
        return 'nobody naps or is woken to, though the flag of the napper is set';
    }
    if (asleep.long > 0 && !isAnswered(word) && (due & WAKE_SLEEPER) === 0) {
        return 'the flag is clear, and nobody has woken or answers for one that sleeps'; // I2
    }
    if ((asleep.line > 0 || said) && (word & LINE_FLAG) === 0n && (due & WAKE_LIST) === 0) {
        return 'the flag is clear, and nobody wakes the async wait list'; // I2
    }
    const isReserved = (word & RESERVED) !== 0n;
    // c-src/gate_async.h: a displaced thread sleeps until the gate is reserved for the event loop, or the
    // loop gives the slot back.
    const mayLie = (word & ASYNC) !== 0n && !isReserved;
    const isToBeWoken = (heir === ASLEEP && isReserved) || (asleep.high > 0 && !mayLie);
    return isToBeWoken && (due & WAKE_HEIR) === 0
        ? 'nobody wakes the heir, for which the gate is reserved'
        : '';
}

export class Abstraction {
    #clients;
    #names;
    #all;
    /** @type {Map<number, Local>} */
    #plain = new Map();
    /** @type {Map<string, Local[]>} */
    #met = new Map();

    /** @param {Clients} clients @param {import('./names.js').Names} names */
    constructor(clients, names) {
        this.#clients = clients;
        this.#names = names;
        this.#all = names.all;
    }

    /** @param {boolean} loops @returns {Local} */
    first(loops) {
        return this.#clients.outside(AMBIENT, loops);
    }

    /**
     * The moves that an actor may make in a state. It may have watched reservations of the threads that have
     * roles.
     *
     * @param {State} state
     * @param {Actor} actor
     * @returns {Iterable<Move>}
     */
    *movesOf(state, { local, role, duties }) {
        for (const met of this.#metIn(state.word, local, role)) {
            const { word, heir, said, asleep, owed } = state;
            yield* this.#moves({
                ...{ before: state, word, local: met, role, heir, said, asleep },
                ...{ owed: role === AMBIENT ? owed & ~duties : owed, duties },
            });
        }
    }

    /**
     * Names the threads that it has watched: the owner, the heir, or neither. The names matter only if it
     * reads or compares the word.
     *
     * @param {bigint} word
     * @param {Local} local
     * @param {Role} role
     * @returns {Local[]}
     */
    #metIn(word, local, role) {
        const there = ROLES_IN_WORD.filter((each) => each !== role && partOf(word, each) === each);
        const key = `${local.id} ${role} ${there}`;
        let met = this.#met.get(key);
        if (met === undefined) {
            met = this.#meeting(there, local, role);
            this.#met.set(key, met);
        }
        return met;
    }

    /** @param {Role[]} there @param {Local} local @param {Role} role @returns {Local[]} */
    #meeting(there, local, role) {
        const { name = '', operands: [expected] = [] } = this.#clients.atomicOf(local) ?? {};
        const others = this.#clients.othersOf(local);
        const stale = others.map((_, at) => FIRST_STALE + at);
        /** @type {number[][]} the names of the identities */
        let all = [stale];
        if (name === 'i64.atomic.rmw.cmpxchg') {
            // Two words are the same if they have the same names, or neither has any.
            const parts = there.map((each) => partOf(/** @type {bigint} */ (expected), each));
            const named = others.map((other, at) => there[parts.indexOf(other)] ?? FIRST_STALE + at);
            all = named.every((to, at) => to === stale[at]) ? all : [stale, named];
        } else if (['i64.atomic.load', 'memory.atomic.wait32', WAIT_ASYNC].includes(name)) {
            all = others.reduce(
                (some, _, at) =>
                    some.flatMap((names) => [
                        [...names, FIRST_STALE + at],
                        ...there.filter((each) => !names.includes(each)).map((each) => [...names, each]),
                    ]),
                /** @type {number[][]} */ ([[]]),
            );
        }
        return all.map((names) => {
            const given = new Map(others.map((other, at) => [other, names[at] ?? NOBODY]));
            return this.#clients.renamed(local, namesWith(this.#all, given.set(AMBIENT, role)));
        });
    }

    /**
     * The forms that another thread's wake may give to an actor: a sleeper goes on, and an event loop has an entry
     * less. A thread woken on the lower half answers for the other sleepers, and may be the next napper.
     *
     * @param {Actor} actor
     * @returns {Actor[]}
     */
    wokenAs({ local, role, duties }) {
        if (!local.call?.asleep || role === OWNER) {
            return ENTRIES.map((entry) => ({ local: this.#clients.resolved(local, entry), role, duties }));
        }
        const woken = { local: this.#clients.after(local, WOKEN), role, duties };
        return role === AMBIENT && sleepOf(local) !== 'high'
            ? [woken, { ...woken, duties: duties | WAKE_SLEEPER | HANDS_OVER }]
            : [woken];
    }

    /**
     * Returns the pattern of the one word that lets a thread's next step change other threads; '': it does
     * not depend on the word; undefined: unknown.
     *
     * @param {Local} local
     * @returns {bigint | '' | undefined}
     */
    dependsOn(local) {
        const { name = '', operands: [expected] = [] } = this.#clients.atomicOf(local) ?? {};
        if (name === 'i64.atomic.rmw.cmpxchg') {
            return patternOf(/** @type {bigint} */ (expected));
        }
        return name === '' || name.startsWith('i32') ? '' : undefined;
    }

    /** @param {Draft} draft @returns {Iterable<Move>} */
    *#moves(draft) {
        const { local, role } = draft;
        const sleep = sleepOf(local);
        let drafts = [draft];
        for (const counted of role === AMBIENT ? countedAs(local) : []) {
            drafts = drafts.flatMap((each) =>
                fewer(counted, each.asleep[counted]).map((count) => ({
                    ...each,
                    asleep: { ...each.asleep, [counted]: count },
                })),
            );
        }
        const atomic = this.#clients.atomicOf(local);
        for (const each of drafts) {
            if (sleep && local.call) {
                yield this.#settled(
                    { ...each, local: this.#clients.after(local, TIMED_OUT) },
                    'its time is up',
                );
            }
            for (const choice of this.#clients.choicesOf(local, SOMEBODY)) {
                const chosen = { ...each, local: this.#clients.chosen(local, choice) };
                yield this.#alone(chosen, choice);
            }
            if (atomic) {
                yield* this.#performed(each, atomic);
            }
        }
    }

    /** @param {Draft} draft @param {Atomic} atomic @returns {Iterable<Move>} */
    *#performed(draft, atomic) {
        const { word, local } = draft;
        const { name, address, operands } = atomic;
        const after = (/** @type {Value | string} */ input) => ({
            ...draft,
            local: this.#clients.after(local, input),
        });
        switch (name) {
            case 'i32.atomic.load':
            case 'i32.atomic.rmw.cmpxchg':
                for (const value of this.#clients.lineValues(local)) {
                    yield this.#alone(after(value), 'meets line'); // any value
                }
                return;
            case 'i64.atomic.load':
                yield this.#alone(
                    {
                        ...draft,
                        local: this.#clients.afterReading(local, word),
                        duties: draft.duties & ~endedBy(word),
                    },
                    'reads',
                );
                return;
            case 'i64.atomic.rmw.cmpxchg': {
                const [expected, replacement] = /** @type {[bigint, bigint]} */ (operands);
                if (expected !== word) {
                    yield this.#alone(
                        { ...draft, local: this.#clients.afterInVain(local) },
                        'compares in vain',
                    );
                    return;
                }
                checkChangeBy(this.#names, local, word, replacement);
                const duties = (draft.duties | dutiesBy(word, replacement)) & ~endedBy(replacement);
                yield this.#settled({ ...after(word), word: replacement, duties }, 'changes the word');
                return;
            }
            case 'memory.atomic.wait32':
                yield isEqualIn(word, address, Number(operands[0]))
                    ? this.#settled(after(FELL_ASLEEP), 'falls asleep')
                    : this.#alone(after(CHANGED), 'does not sleep');
                return;
            case WAIT_ASYNC:
                if (address === LINE || isEqualIn(word, address, Number(operands[0]))) {
                    yield this.#settled(after(ARMED), 'makes an entry');
                }
                if (address === LINE || !isEqualIn(word, address, Number(operands[0]))) {
                    yield this.#alone(after(REFUSED), 'makes no entry');
                }
                return;
            case 'memory.atomic.notify': {
                yield* this.#wakes(draft, address, Number(operands[0]) === 1);
                return;
            }
            default:
                throw new Error(`the abstraction does not know ${name}`);
        }
    }

    /**
     * @param {Draft} draft of a thread that wakes others
     * @param {number} address
     * @param {boolean} isForOne
     * @returns {Iterable<Move>}
     */
    *#wakes(draft, address, isForOne) {
        if (address === LOW && isForOne) {
            yield* this.#wakesOne(draft);
            return;
        }
        draft = { ...draft, local: this.#clients.afterWaking(draft.local, 0) };
        if (address === HIGH) {
            yield* isForOne ? this.#wakesOneHigh(draft) : this.#wakesHigh(draft);
        } else if (address === LOW) {
            yield* this.#wakesAll(draft);
        } else {
            yield* isForOne ? this.#wakesOneOfLine(draft) : this.#wakesLine(draft);
        }
    }

    /** @param {Draft} draft @returns {Iterable<Move>} */
    *#wakesHigh({ ...draft }) {
        draft.asleep = { ...draft.asleep, high: NONE };
        draft.duties &= ~WAKE_HEIR;
        draft.heir = AWAKE;
        draft.local = this.#clients.resolved(draft.local, 'turn');
        yield this.#settled(draft, 'wakes the heir');
    }

    /** Wakes one thread on the upper half: no shipped release does that. @param {Draft} draft @returns {Iterable<Move>} */
    *#wakesOneHigh({ ...draft }) {
        const { asleep, heir, local } = draft;
        draft.duties &= ~WAKE_HEIR;
        if (heir !== AWAKE) {
            yield this.#settled({ ...draft, heir: AWAKE }, 'wakes the heir only');
        }
        for (const rest of fewer('high', asleep.high)) {
            yield this.#settled({ ...draft, asleep: { ...asleep, high: rest } }, 'wakes one that was next');
        }
        if (local.entries.turn) {
            yield this.#settled({ ...draft, local: this.#clients.resolved(local, 'turn') }, 'wakes itself');
        }
        if (this.#clients.loops || (asleep.high === 0 && heir === AWAKE)) {
            yield this.#settled(draft, 'wakes nobody, or one that does not wait');
        }
    }

    /** @param {Draft} draft @returns {Iterable<Move>} */
    *#wakesOne(draft) {
        const { asleep, local, duties } = draft;
        for (const sleep of /** @type {const} */ (['long', 'naps'])) {
            for (const rest of fewer(sleep, asleep[sleep])) {
                // The woken thread answers for the other sleepers, and takes over the nap.
                const woken = {
                    ...draft,
                    local: this.#clients.afterWaking(local, 1),
                    duties: duties & ~(WAKE_SLEEPER | HANDS_OVER),
                    asleep: { ...asleep, [sleep]: rest },
                    owed: draft.owed | WAKE_SLEEPER | (duties & HANDS_OVER),
                };
                yield this.#settled(woken, `wakes one (${sleep})`);
            }
        }
        if (asleep.long === 0 && asleep.naps === 0) {
            yield this.#settled(
                {
                    ...draft,
                    local: this.#clients.afterWaking(local, 0),
                    duties: duties & ~WAKE_SLEEPER,
                },
                'wakes nobody',
            );
        }
    }

    /** Wakes all sleepers: no shipped release does that. @param {Draft} draft @returns {Iterable<Move>} */
    *#wakesAll({ ...draft }) {
        const { asleep } = draft;
        draft.duties &= ~WAKE_SLEEPER;
        draft.owed |= asleep.long > 0 || asleep.naps > 0 ? WAKE_SLEEPER : 0;
        draft.asleep = { ...asleep, long: NONE, naps: NONE };
        yield this.#settled(draft, 'wakes all');
    }

    /** @param {Draft} draft @returns {Iterable<Move>} */
    *#wakesLine({ ...draft }) {
        draft.asleep = { ...draft.asleep, line: NONE };
        draft.duties &= ~WAKE_LIST;
        draft.said = false;
        draft.local = this.#clients.resolved(draft.local, 'line');
        yield this.#settled(draft, 'wakes the line');
    }

    /** Wakes one event loop of the async wait list: no shipped release does that. @param {Draft} draft @returns {Iterable<Move>} */
    *#wakesOneOfLine({ ...draft }) {
        draft.duties &= ~WAKE_LIST;
        for (const rest of [draft.asleep.line, ...fewer('line', draft.asleep.line)]) {
            yield this.#settled(
                { ...draft, asleep: { ...draft.asleep, line: rest } },
                'wakes one of the line',
            );
        }
        yield this.#settled({ ...draft, said: false }, 'wakes the heir in the line');
    }

    /** The thread, with the names of the ambient set. @param {Local} local @returns {Local} */
    plainly(local) {
        let plain = this.#plain.get(local.id);
        if (plain === undefined) {
            const given = new Map(
                this.#clients.othersOf(local).map((other, at) => [other, FIRST_STALE + at]),
            );
            plain = this.#clients.renamed(local, namesWith(this.#all, given.set(local.self, AMBIENT)));
            this.#plain.set(local.id, plain);
        }
        return plain;
    }

    /**
     * For a move that changes only the actor. The state changes too if the actor begins or stops being
     * counted, or is an heir whose standing changes.
     *
     * @param {Draft} draft
     * @param {string} what
     * @returns {Move}
     */
    #alone(draft, what) {
        const { before, asleep, local } = draft;
        const move = this.#settled(draft, what);
        const { heir, said } = move.state;
        const isSameHeir = heir === before.heir && said === before.said;
        const isOwn = isSameHeir && countedAs(local).length === 0 && asleep === before.asleep;
        return { ...move, isOwn };
    }

    /** @param {Draft} draft @param {string} what @returns {Move} */
    #settled(draft, what) {
        const { word, local } = draft;
        const { self } = local;
        const role = partOf(word, OWNER) === self ? OWNER : partOf(word, HEIR) === self ? HEIR : AMBIENT;
        if (role === OWNER && partOf(word, HEIR) === self) {
            throw new Violation('a thread is next for what it has');
        }
        if (role === HEIR && local.loops !== ((word & ASYNC) !== 0n)) {
            throw new Violation('the heir is of another kind than the word says');
        }
        checkPart(local, role);
        const { before } = draft;
        const hadHeir = partOf(before.word, HEIR) === HEIR;
        const isDemoted = hadHeir && draft.role !== HEIR && partOf(word, HEIR) !== HEIR;
        const asleep = { ...draft.asleep };
        const exchanged = new Map([
            [self, role],
            [role, self],
        ]);
        const newWord = renamedWordBy(word, namesWith(this.#all, exchanged));
        if (!ROLES_IN_WORD.every((each) => [each, NOBODY].includes(partOf(newWord, each)))) {
            throw new Violation('the word names a thread that is neither the owner nor the heir');
        }
        if (isDemoted && (draft.heir === ASLEEP || draft.heir === SURE)) {
            asleep.high = more('high', asleep.high);
        }
        if (isDemoted && draft.said) {
            asleep.line = more('line', asleep.line);
        }
        for (const counted of role === AMBIENT ? countedAs(local) : []) {
            asleep[counted] = more(counted, asleep[counted]);
        }
        const isAnother = isDemoted || partOf(newWord, HEIR) === NOBODY;
        const heir = role === HEIR ? standingOf(local) : isAnother ? AWAKE : draft.heir;
        const said = role === HEIR ? isSaidBy(local) : !isAnother && draft.said;
        const needs = needsIn({ word: newWord, asleep, heir, said });
        const most = mayAct(local) ? draft.duties : 0;
        const duties = most & needs;
        const others = draft.owed | (isDemoted ? before.owes[HEIR] : 0);
        const owesAs = (/** @type {0 | 1} */ each) =>
            each === role
                ? duties
                : each !== draft.role && partOf(newWord, each) === each && !(each === HEIR && isDemoted)
                  ? before.owes[each] & needs
                  : 0;
        return {
            what: `${draft.role}: ${what}`,
            state: {
                ...{
                    word: newWord,
                    heir,
                    said,
                    asleep,
                    owes: [owesAs(OWNER), owesAs(HEIR)],
                },
                owed: (others & needs) | (role === AMBIENT ? duties : 0),
            },
            came: { local: this.plainly(local), role, duties },
            most,
            isDemoted,
            isOwn: false,
        };
    }
}

/**
 * The duties that some thread needs now. A duty lasts while it is needed.
 *
 * @param {Pick<State, 'word' | 'asleep' | 'heir' | 'said'>} state
 * @returns {Duties}
 */
export function needsIn({ word, asleep, heir, said }) {
    return (
        (asleep.long > 0 && !isAnswered(word) ? WAKE_SLEEPER : 0) |
        napIn(word) |
        (heir !== AWAKE || asleep.high > 0 ? WAKE_HEIR : 0) |
        ((asleep.line > 0 || said) && (word & LINE_FLAG) === 0n ? WAKE_LIST : 0)
    );
}

/** True if a flag is set by which the sleepers are woken some time. @param {bigint} word */
function isAnswered(word) {
    return (word & (SLEEPERS | NAPPER)) !== 0n;
}

/** The duty that some thread has by NAPPER. @param {bigint} word @returns {Duties} */
function napIn(word) {
    return (word & NAPPER) === 0n ? 0 : hasNapper(word) ? NAPS : HANDS_OVER;
}

/** The duties that a thread has no longer once it reads or leaves this word. @param {bigint} word */
function endedBy(word) {
    return (NAPS | HANDS_OVER) & ~napIn(word);
}

/** @param {bigint} word @param {number} address @param {number} expected */
export function isEqualIn(word, address, expected) {
    return BigInt.asIntN(32, address === HIGH ? word >> 32n : word) === BigInt(expected);
}

/** True if the thread is certain to take another step. @param {Local} local */
export function mayAct(local) {
    return (
        (local.at === 'calls' && (!local.call?.asleep || local.call.asleep === 'nap')) || local.at === 'waits'
    );
}

/**
 * The duties of a thread that changes the word in this way.
 * @param {bigint} before
 * @param {bigint} after
 * @returns {Duties}
 */
export function dutiesBy(before, after) {
    const dropped = before & ~after;
    const isGivenBack = (dropped & (ASYNC | RESERVED)) === ASYNC; // I5
    return (
        (isAnswered(before) && !isAnswered(after) ? WAKE_SLEEPER : 0) |
        (napIn(after) & ~napIn(before)) |
        ((after & ~before & RESERVED) !== 0n || isGivenBack ? WAKE_HEIR : 0) |
        ((dropped & LINE_FLAG) === 0n ? 0 : WAKE_LIST)
    );
}

/**
 * Checks the gate's order, from the view of the thread that changes its word.
 *
 * @param {import('./names.js').Names} names
 * @param {Local} local
 * @param {bigint} before
 * @param {bigint} after
 */
export function checkChangeBy(names, local, before, after) {
    const self = identityOf(local.self);
    const call = /** @type {import('./client.js').Call} */ (local.call);
    const isOfLoop = call.name === 'gate_step' || call.name === 'gate_withdraw';
    const slot = self + (isOfLoop ? OF_LOOP : 0);
    checkChange(before, after, slot, USE, true);
    const [token = 0] = call.name === 'gate_step' ? call.parameters.slice(1) : [];
    checkOldest(before, after, slot, call.line, { token, line: call.line });
    const [was, is] = [usedIn(before), usedIn(after)];
    if (was !== is && !(was === 0 && is === self) && !(was === self && is === 0)) {
        throw new Violation('what another thread holds is taken or given back');
    }
    const heir = identityAt(before, 32n);
    const losesSlot = heir !== 0 && heir !== self && identityAt(after, 32n) !== heir;
    const number = reservationIn(names, before);
    const isDisplaced =
        isOfLoop &&
        (before & (ASYNC | POLLS | RESERVED)) === 0n &&
        identityAt(after, 32n) === self &&
        rankIn(token) >= RANK_DISPLACES;
    if (losesSlot && !isDisplaced && (number === 0 || call.watched !== number)) {
        throw new Violation('an heir loses its slot to a thread that has not watched its reservation');
    }
}

/** The states of an heir: in any other state it would delay the threads behind it. @type {Local['at'][]} */
const WAITS = ['calls', 'waits', 'for its turn'];

/** Checks that a thread has the role that the word gives it. @param {Local} local @param {Role} role */
export function checkPart(local, role) {
    const isInside = local.at === 'inside';
    if (local.at !== 'calls' && isInside !== (role === OWNER)) {
        throw new Violation('a thread is inside that does not hold it, or the other way round');
    }
    if (role === HEIR && !WAITS.includes(local.at)) {
        throw new Violation('an heir does not wait');
    }
    const sleep = sleepOf(local);
    if (sleep && (role === OWNER || (role === HEIR && sleep !== 'high'))) {
        throw new Violation('the owner sleeps, or the heir sleeps where the others do'); // I3
    }
}
