/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_LINE_OFFSET, GATE_OWN_OFFSET, GATE_TURN_OFFSET } from '../js-glue/layout.js';
import { ARMED, NOT_EQUAL, resolved, WAIT_ASYNC } from './event-loop.js';
import { describeMove, describeWorld, WORD_BYTES, WORD_NAMES } from './describe.js';
import { isDead, Locals } from './locals.js';
import { checkChange, isSettled } from './gate-word.js';
import { entryOf, isAsync, NOBODY_IN_PARTICULAR, threadOf, wordOf } from './queue-entry.js';
import { identityOf, renamingsWithin } from './symmetry.js';
import { FELL_ASLEEP, GATE_ADDRESS } from './thread-call.js';
import { Violation } from './violation.js';
import {
    CHANGED,
    DUE_END_OF,
    isDue,
    mayTimeOut,
    NOBODY,
    takenFrom,
    TIMED_OUT,
    whoMayBeWoken,
    withAsync,
    WOKEN,
} from './wait-queue.js';
import { WorldKeys } from './world-keys.js';

/* One gate, the queue of those who wait on its words, and the threads. The machine performs the threads' atomic
 * instructions and says what may happen next. */

/**
 * @typedef {import('./locals.js').Behaviour} Behaviour
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('./wasm-interpreter.js').Value} Value
 *
 * @typedef {object} World
 * @property {bigint} word the gate's first two words, as a signed i64
 * @property {number} own its last word
 * @property {readonly Local[]} locals
 * @property {readonly number[]} queue of entries, see queue-entry.js, in the order made
 * @property {number} deaths
 *
 * @typedef {object} Move something that may happen next
 * @property {number} thread
 * @property {'atomic' | 'choice' | 'wait ends' | 'entry ends' | 'dies' | 'dies with its entries'} kind
 * @property {string} input of a choice
 * @property {number} entry
 * @property {boolean} due it will happen if nothing else does
 *
 * @typedef {object} MachineOptions
 * @property {'never' | 'perhaps' | 'surely'} [slices] whether waits are re-checked: not at all, so that every wake
 *     is needed; or they may be, but nothing may depend on it; or they are, and wakes may be lost
 * @property {number} [deaths] how many threads may die
 * @property {boolean} [isOneWay] nothing is ever taken back or done twice, so nothing is remembered: what runs the
 *     threads' calls is no pure function (engine/)
 * @property {number} [firstUsed] how much of the gate is in use at the start
 * @property {number} [firstOwn] the gate's own word at the start
 * @property {number} [endOwn] and when all are done; by default the same
 * @property {import('./gate-word.js').GateUse} [use] by default a mutex's
 * @property {boolean} [wakesAny] a wake for one may go to any that waits; else it goes to the first
 * @property {readonly string[]} [groups] of threads that do the same, by name; none: all are different
 */

const HALF_BITS = 32;

/** @type {import('./gate-word.js').GateUse} */
const FOR_ONE = { capacity: 0, opensAt: 0 };

/** A round has as many looks as the compiler put into it, which are few. */
const MOST_LOOKS = 64;

/** @param {number} word */
function asyncWordOf(word) {
    return word === GATE_TURN_OFFSET / WORD_BYTES ? 'turn' : 'line';
}

export class Machine {
    #behaviours;
    #slices;
    #mostDeaths;
    #someBusy;
    #watchesEnd;
    #reservationsEnd;
    #wakesAny;
    #use;
    #endOwn;
    #renamings;
    #locals;
    #keys;

    /**
     * @param {Behaviour[]} behaviours
     * @param {MachineOptions} options
     */
    constructor(
        behaviours,
        {
            slices = 'never',
            deaths = 0,
            firstUsed = 0,
            firstOwn = 0,
            endOwn = firstOwn,
            use = FOR_ONE,
            wakesAny = false,
            groups,
            isOneWay = false,
        },
    ) {
        this.#behaviours = behaviours;
        this.#slices = slices;
        this.#mostDeaths = deaths;
        /** The gate's word and its own one at the start. */
        this.firstWord = BigInt(firstUsed);
        this.firstOwn = firstOwn;
        this.#endOwn = endOwn;
        this.#use = use;
        this.#someBusy = behaviours.some(({ isBusy }) => isBusy);
        this.#watchesEnd = slices !== 'never' || this.#someBusy;
        this.#reservationsEnd = this.#watchesEnd || behaviours.some(({ outlasts }) => outlasts);
        this.#wakesAny = wakesAny;
        const allGroups = groups ?? behaviours.map((_, thread) => String(thread));
        this.#renamings = renamingsWithin(allGroups);
        this.#locals = new Locals(behaviours, this.#renamings, isOneWay);
        this.#keys = new WorldKeys(allGroups, this.#renamings, this.#locals);
    }

    /**
     * Whether a cycle of due moves tells of a livelock. Where one state stands for several, whose move is whose along
     * a cycle is not known; and where slices are due, a thread may look again and again before a shorter time ends.
     */
    get hasTellingCycles() {
        return this.#renamings.length === 1 && this.#slices !== 'surely';
    }

    /** @returns {World} */
    start() {
        return {
            word: this.firstWord,
            own: this.firstOwn,
            locals: this.#behaviours.map((_, thread) => this.#locals.start(thread)),
            queue: [],
            deaths: 0,
        };
    }

    /**
     * Worlds with the same key are the same, but for the identities of threads that do the same.
     * @param {World} world
     */
    keyOf(world) {
        return this.#keys.keyOf(world);
    }

    /** @param {World} world */
    isDone({ locals }) {
        return locals.every(({ view }) => view.isDone);
    }

    /**
     * Whether all have come to their end but those that may be busy.
     * @param {World} world
     */
    isServed({ locals }) {
        return locals.every(({ view, thread }) => view.isDone || this.#behaviours[thread]?.isBusy);
    }

    /** @param {import('./thread-call.js').Due} due */
    #isDue(due) {
        return isDue(due, { someBusy: this.#someBusy, wakesGetLost: this.#slices === 'surely' });
    }

    /**
     * Everything that may happen next.
     * @param {World} world
     */
    movesOf({ locals, queue, deaths }) {
        /** @type {Move[]} */
        const moves = [];
        const sliced = this.#slices !== 'never';
        const ends = { nap: true, limit: true, watch: this.#watchesEnd, slice: sliced };
        locals.forEach(({ view }, thread) => {
            if (view.atomic) {
                const woken = this.#wakesAny ? whoMayBeWoken(queue, view.atomic, placeOf) : NOBODY;
                for (const entry of woken) {
                    moves.push({ thread, kind: 'atomic', input: '', entry, due: true });
                }
            }
            for (const { input, due } of view.choices) {
                moves.push({
                    thread,
                    kind: 'choice',
                    input,
                    entry: NOBODY_IN_PARTICULAR,
                    due: this.#isDue(due),
                });
            }
            if (view.sleeps && ends[view.sleeps]) {
                const due = this.#isDue(DUE_END_OF[view.sleeps]);
                moves.push({ thread, kind: 'wait ends', input: '', entry: NOBODY_IN_PARTICULAR, due });
            }
            if (deaths < this.#mostDeaths && view.has === 0 && !view.isDone) {
                moves.push({ thread, kind: 'dies', input: '', entry: NOBODY_IN_PARTICULAR, due: false });
                if (queue.some((entry) => threadOf(entry) === thread)) {
                    moves.push({
                        thread,
                        kind: 'dies with its entries',
                        input: '',
                        entry: NOBODY_IN_PARTICULAR,
                        due: false,
                    });
                }
            }
        });
        for (const entry of sliced ? mayTimeOut(queue, locals) : []) {
            moves.push({
                ...{ thread: threadOf(entry), kind: 'entry ends', input: '', entry },
                due: this.#isDue('late'),
            });
        }
        return moves;
    }

    /**
     * The world after a move.
     * @param {World} world
     * @param {Move} move
     * @returns {World}
     * @throws {Violation}
     */
    apply(world, { thread, kind, input, entry }) {
        const local = /** @type {Local} */ (world.locals[thread]);
        const next = { ...world, locals: [...world.locals] };
        switch (kind) {
            case 'atomic':
                this.#performAtomic(next, local, entry);
                break;
            case 'choice':
                this.#set(next, this.#locals.after(local, input));
                break;
            case 'wait ends':
                next.queue = world.queue.filter((other) => isAsync(other) || threadOf(other) !== thread);
                this.#set(next, this.#locals.after(local, TIMED_OUT));
                break;
            case 'entry ends':
                next.queue = world.queue.filter((other) => other !== entry);
                this.#set(next, this.#locals.after(local, resolved(asyncWordOf(wordOf(entry)))));
                break;
            case 'dies with its entries':
                next.queue = world.queue.filter((other) => threadOf(other) !== thread);
                this.#die(next, thread);
                break;
            case 'dies':
                this.#die(next, thread);
        }
        this.#checkSections(next);
        return next;
    }

    /**
     * Whoever is inside has it alone, or all of them together have no more than there is.
     * @param {World} world
     */
    #checkSections({ locals }) {
        let [sections, amount] = [0, 0];
        for (const { view } of locals) {
            for (const each of view.owns) {
                sections += 1;
                amount += each;
            }
        }
        if (sections > 1 && amount > this.#use.capacity) {
            throw new Violation('those who are inside have more than there is');
        }
    }

    /**
     * What is wrong with the words when all threads are done; '' if nothing is.
     * @param {World} world
     */
    leftBehind({ word, own, deaths }) {
        if (deaths > 0) {
            return '';
        }
        return isSettled(word) && own === this.#endOwn
            ? ''
            : 'all are done, but the words say that somebody is not';
    }

    /**
     * @param {{ locals: Local[] }} world
     * @param {Local} local
     */
    #set({ locals }, local) {
        locals[local.thread] = local;
    }

    /**
     * @param {{ locals: Local[], deaths: number }} world
     * @param {number} thread
     */
    #die(world, thread) {
        world.deaths += 1;
        world.locals[thread] = this.#locals.dead(thread);
    }

    /**
     * @param {{ word: bigint, own: number, locals: Local[], queue: readonly number[] }} world
     * @param {Local} local
     * @param {number} wakes the entry that a wake goes to, or nobody in particular
     */
    #performAtomic(world, local, wakes) {
        const atomic = /** @type {import('./wasm-interpreter.js').Atomic} */ (local.view.atomic);
        const [first = 0, second = 0] = atomic.operands;
        switch (atomic.name) {
            case 'i64.atomic.load': {
                let after = this.#locals.after(local, wholeWord(world, atomic));
                // Looks of one round of a spin loop that follow each other see the same (shipped-module.js).
                let next = after.view.atomic;
                for (let looks = 1; atomic.look && next?.look === atomic.look; looks += 1) {
                    if (looks > MOST_LOOKS) {
                        throw new Violation('a round of looks has no end');
                    }
                    after = this.#locals.after(after, wholeWord(world, next));
                    next = after.view.atomic;
                }
                this.#set(world, after);
                break;
            }
            case 'i64.atomic.rmw.cmpxchg': {
                const before = wholeWord(world, atomic);
                if (before === first) {
                    world.word = BigInt(second);
                    checkChange(
                        before,
                        world.word,
                        identityOf(local.thread),
                        this.#use,
                        this.#reservationsEnd,
                    );
                }
                this.#set(world, this.#locals.after(local, before));
                break;
            }
            case 'i32.atomic.load':
                this.#set(world, this.#locals.after(local, ownWord(world, atomic)));
                break;
            case 'i32.atomic.store':
                ownWord(world, atomic);
                world.own = Number(first);
                this.#set(world, this.#locals.after(local, 0));
                break;
            case 'memory.atomic.wait32': {
                const word = placeOf(atomic);
                const sleeps = halfOf(world.word, word) === first;
                if (sleeps) {
                    world.queue = [...world.queue, entryOf(local.thread, word, false)];
                }
                this.#set(world, this.#locals.after(local, sleeps ? FELL_ASLEEP : CHANGED));
                break;
            }
            case 'memory.atomic.notify': {
                const woken = this.#wake(world, placeOf(atomic), Number(first) >>> 0, wakes);
                // A thread may wake an entry of its own, so what it is now counts.
                const waker = /** @type {Local} */ (world.locals[local.thread]);
                this.#set(world, this.#locals.after(waker, woken));
                break;
            }
            case WAIT_ASYNC: {
                const word = placeOf(atomic);
                const pends = halfOf(world.word, word) === first;
                if (pends) {
                    world.queue = withAsync(world.queue, entryOf(local.thread, word, true));
                }
                this.#set(world, this.#locals.after(local, pends ? ARMED : NOT_EQUAL));
                break;
            }
            default:
                throw new Error(`the machine does not know ${atomic.name}`);
        }
    }

    /**
     * Wakes the first that wait on a word, or that one.
     * @param {{ locals: Local[], queue: readonly number[] }} world
     * @param {number} word
     * @param {number} most
     * @param {number} chosen
     * @returns {number} how many entries that took, those of dead threads too
     */
    #wake(world, word, most, chosen) {
        const { left, taken } = takenFrom(world.queue, word, most, chosen);
        world.queue = left;
        for (const entry of taken) {
            const sleeper = /** @type {Local} */ (world.locals[threadOf(entry)]);
            if (!isDead(sleeper)) {
                const input = isAsync(entry) ? resolved(asyncWordOf(word)) : WOKEN;
                this.#set(world, this.#locals.after(sleeper, input));
            }
        }
        return taken.length;
    }

    /**
     * @param {World} world
     * @param {Move} move
     */
    describe(world, move) {
        return describeMove(world, move);
    }

    /** @param {World} world */
    describeWorld(world) {
        return describeWorld(world);
    }
}

/**
 * @param {{ word: bigint }} world
 * @param {import('./wasm-interpreter.js').Atomic} atomic
 */
function wholeWord({ word }, atomic) {
    if (atomic.address !== GATE_ADDRESS) {
        throw new Violation(`${atomic.name} at ${atomic.address}, which is not the gate's word`);
    }
    return word;
}

/**
 * @param {{ own: number }} world
 * @param {import('./wasm-interpreter.js').Atomic} atomic
 */
function ownWord({ own }, { name, address }) {
    if (address !== GATE_ADDRESS + GATE_OWN_OFFSET) {
        throw new Violation(`${name} at ${address}, which is not the gate's own word`);
    }
    return own;
}

/** @param {import('./wasm-interpreter.js').Atomic} atomic */
function placeOf({ name, address }) {
    const place = (address - GATE_ADDRESS) / WORD_BYTES;
    if (WORD_NAMES[place] === undefined) {
        throw new Violation(`${name} at ${address}, which is none that is waited on`);
    }
    return place;
}

/**
 * @param {bigint} word
 * @param {number} place
 */
function halfOf(word, place) {
    const half = BigInt.asIntN(HALF_BITS, word >> BigInt(HALF_BITS * place));
    return place * WORD_BYTES < GATE_LINE_OFFSET ? Number(half) : 0;
}
