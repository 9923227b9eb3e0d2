/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { ARMED, NOT_EQUAL, WAIT_ASYNC } from './event-loop.js';
import { isDead, Locals } from './locals.js';
import { addressOfHalf, hex } from './memory.js';
import { DATA, resolvedAt, TELL, UNTIL } from './program-thread.js';
import { entryOf, isAsync, NOBODY_IN_PARTICULAR, threadOf, wordOf } from './queue-entry.js';
import { renamingsWithin } from './symmetry.js';
import { FELL_ASLEEP } from './thread-call.js';
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

/* Several objects in one memory, the queue of those who wait on their words, and threads that run programs. Those who
 * judge what happens (judges.js) keep what they know of the past in the world. */

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('./wasm-interpreter.js').Value} Value
 * @typedef {import('./wasm-interpreter.js').Atomic} Atomic
 * @typedef {import('./judges.js').Judge} Judge
 *
 * @typedef {object} Known what a judge knows, one object for each
 * @property {number} id
 * @property {any} state
 *
 * @typedef {object} World
 * @property {readonly Value[]} words
 * @property {readonly Local[]} locals
 * @property {readonly number[]} queue of entries, see queue-entry.js, in the order made; their words are halves
 * @property {readonly Known[]} known by each of the judges
 * @property {number} deaths
 *
 * @typedef {object} Move something that may happen next
 * @property {number} thread
 * @property {'atomic' | 'choice' | 'wait ends' | 'entry ends' | 'dies' | 'dies with its entries'} kind
 * @property {string} input of a choice
 * @property {number} entry
 * @property {boolean} due it will happen if nothing else does
 *
 * @typedef {object} MemoryMachineOptions
 * @property {'never' | 'perhaps' | 'surely'} [slices] whether waits are re-checked: not at all, so that every wake
 *     is needed; or they may be, but nothing may depend on it; or they are, and wakes may be lost
 * @property {readonly number[]} [mortals] threads of which one may die, where it sleeps or waits
 * @property {boolean} [wakesAny] a wake for one may go to any that waits; else it goes to the first
 */

/** A round has as many looks as the compiler put into it, which are few. */
const MOST_LOOKS = 64;

/** @typedef {{ words: Value[], locals: Local[], queue: readonly number[], known: Known[], deaths: number }} Draft */

export class MemoryMachine {
    #memory;
    #behaviours;
    #judges;
    #slices;
    #mortals;
    #wakesAny;
    #someBusy;
    #locals;
    #firstWords;
    #isLeftClean;
    /** @type {Map<string, Known>} */
    #knowledge = new Map();
    /** @type {Map<Value, number>} */
    #values = new Map();

    /**
     * @param {object} parts
     * @param {import('./memory.js').Memory} parts.memory
     * @param {readonly Value[]} parts.firstWords
     * @param {(words: readonly Value[]) => boolean} parts.isLeftClean
     * @param {import('./thread-call.js').Behaviour<any>[]} parts.behaviours
     * @param {readonly Judge[]} parts.judges
     * @param {MemoryMachineOptions} options
     */
    constructor(
        { memory, firstWords, isLeftClean, behaviours, judges },
        { slices = 'never', mortals = [], wakesAny = false },
    ) {
        this.#memory = memory;
        this.#firstWords = firstWords;
        this.#isLeftClean = isLeftClean;
        this.#behaviours = behaviours;
        this.#judges = judges;
        this.#slices = slices;
        this.#mortals = mortals;
        this.#wakesAny = wakesAny;
        this.#someBusy = behaviours.some(({ isBusy }) => isBusy);
        const groups = behaviours.map((_, thread) => String(thread));
        this.#locals = new Locals(behaviours, renamingsWithin(groups), false);
    }

    /** Where slices are due, a thread may look again and again before a shorter time ends. */
    get hasTellingCycles() {
        return this.#slices !== 'surely';
    }

    /** @returns {World} */
    start() {
        /** @type {Draft} */
        const world = {
            words: [...this.#firstWords],
            locals: [],
            queue: [],
            known: this.#judges.map((judge, at) => this.#known(at, judge.start())),
            deaths: 0,
        };
        this.#behaviours.forEach((_, thread) => this.#put(world, this.#locals.start(thread)));
        return world;
    }

    /**
     * @param {number} judge
     * @param {any} state
     */
    #known(judge, state) {
        const text = `${judge} ${JSON.stringify(state)}`;
        let known = this.#knowledge.get(text);
        if (!known) {
            known = { id: this.#knowledge.size, state };
            this.#knowledge.set(text, known);
        }
        return known;
    }

    /** @param {World} world */
    keyOf({ words, locals, queue, known, deaths }) {
        let key = String.fromCharCode(deaths);
        for (const word of words) {
            let value = this.#values.get(word);
            if (value === undefined) {
                value = this.#values.size;
                this.#values.set(word, value);
            }
            key += String.fromCharCode(value);
        }
        for (const { id } of [...known, ...locals]) {
            key += String.fromCharCode(id & 0xffff, id >>> 16);
        }
        for (const entry of queue) {
            key += String.fromCharCode(entry);
        }
        return key;
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

    /**
     * What is wrong when all threads are done; '' if nothing is.
     * @param {World} world
     */
    leftBehind({ words, known, deaths }) {
        if (deaths > 0) {
            return '';
        }
        if (!this.#isLeftClean(words)) {
            return 'all are done, but the words say that somebody is not';
        }
        return this.#judges.map((judge, at) => judge.leftBehind(known[at]?.state)).find(Boolean) ?? '';
    }

    /** @param {import('./thread-call.js').Due} due */
    #isDue(due) {
        return isDue(due, { someBusy: this.#someBusy, wakesGetLost: this.#slices === 'surely' });
    }

    /**
     * Everything that may happen next.
     * @param {World} world
     */
    movesOf({ words, locals, queue, deaths }) {
        /** @type {Move[]} */
        const moves = [];
        const sliced = this.#slices !== 'never';
        const ends = { nap: true, limit: true, watch: sliced || this.#someBusy, slice: sliced };
        const nobody = { input: '', entry: NOBODY_IN_PARTICULAR };
        const halfOf = (/** @type {Atomic} */ atomic) => this.#memory.halfOf(atomic);
        locals.forEach(({ view }, thread) => {
            if (view.atomic && !this.#hasToWait(words, view.atomic)) {
                const woken = this.#wakesAny ? whoMayBeWoken(queue, view.atomic, halfOf) : NOBODY;
                for (const entry of woken) {
                    moves.push({ thread, kind: 'atomic', input: '', entry, due: true });
                }
            }
            for (const { input, due } of view.choices) {
                moves.push({ ...nobody, thread, kind: 'choice', input, due: this.#isDue(due) });
            }
            if (view.sleeps && ends[view.sleeps]) {
                const due = this.#isDue(DUE_END_OF[view.sleeps]);
                moves.push({ ...nobody, thread, kind: 'wait ends', due });
            }
            if (deaths === 0 && this.#mortals.includes(thread) && !view.atomic && !view.isDone) {
                moves.push({ ...nobody, thread, kind: 'dies', due: false });
                if (queue.some((entry) => threadOf(entry) === thread)) {
                    moves.push({ ...nobody, thread, kind: 'dies with its entries', due: false });
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
     * @param {readonly Value[]} words
     * @param {Atomic} atomic
     */
    #hasToWait(words, { name, address, operands: [least = 0] }) {
        return name === UNTIL && Number(words[this.#dataAt(address)]) < Number(least);
    }

    /** @param {number} address */
    #dataAt(address) {
        return this.#memory.indexOf({ name: DATA, address, operands: [], look: '' });
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
        /** @type {Draft} */
        const next = {
            ...world,
            words: [...world.words],
            locals: [...world.locals],
            known: [...world.known],
        };
        switch (kind) {
            case 'atomic':
                this.#performAtomic(next, local, entry);
                break;
            case 'choice':
                this.#put(next, this.#locals.after(local, input));
                break;
            case 'wait ends':
                next.queue = world.queue.filter((other) => isAsync(other) || threadOf(other) !== thread);
                this.#put(next, this.#locals.after(local, TIMED_OUT));
                break;
            case 'entry ends':
                next.queue = world.queue.filter((other) => other !== entry);
                this.#put(next, this.#locals.after(local, resolvedOf(entry)));
                break;
            case 'dies with its entries':
                next.queue = world.queue.filter((other) => threadOf(other) !== thread);
                this.#die(next, thread);
                break;
            case 'dies':
                this.#die(next, thread);
        }
        return next;
    }

    /**
     * @param {Draft} world
     * @param {number} thread
     */
    #die(world, thread) {
        world.deaths += 1;
        world.locals[thread] = this.#locals.dead(thread);
        this.#judge(world, (judge, state) => judge.died(state, thread));
    }

    /**
     * @param {Draft} world
     * @param {(judge: Judge, state: any) => any} judgement what the judge knows then
     */
    #judge(world, judgement) {
        this.#judges.forEach((judge, at) => {
            const { state } = /** @type {Known} */ (world.known[at]);
            const after = judgement(judge, state);
            if (after !== state) {
                world.known[at] = this.#known(at, after);
            }
        });
    }

    /**
     * A thread is in that state now. What no other thread can see, it does at once.
     * @param {Draft} world
     * @param {Local} local
     */
    #put(world, local) {
        const { thread } = local;
        let current = local;
        for (;;) {
            const atomic = /** @type {(Atomic & { told?: any }) | undefined} */ (current.view.atomic);
            if (atomic?.name === TELL) {
                this.#judge(world, (judge, state) => judge.told(state, thread, atomic.told));
                current = this.#locals.after(current, 0);
            } else if (atomic?.name === DATA) {
                current = this.#locals.after(current, this.#add(world, atomic));
            } else {
                world.locals[thread] = current;
                return;
            }
        }
    }

    /**
     * @param {Draft} world
     * @param {Atomic} atomic
     */
    #add(world, { address, operands: [adds = 0] }) {
        const index = this.#dataAt(address);
        const before = Number(world.words[index]);
        world.words[index] = before + Number(adds);
        return before;
    }

    /**
     * @param {Draft} world
     * @param {Local} local
     * @param {number} wakes the entry that a wake goes to, or nobody in particular
     */
    #performAtomic(world, local, wakes) {
        const atomic = /** @type {Atomic} */ (local.view.atomic);
        const [first = 0, second = 0] = atomic.operands;
        switch (atomic.name) {
            case 'i32.atomic.load':
            case 'i64.atomic.load':
                this.#put(world, this.#looked(world, local, atomic));
                break;
            case 'i32.atomic.rmw.cmpxchg':
            case 'i64.atomic.rmw.cmpxchg': {
                const before = /** @type {Value} */ (world.words[this.#memory.indexOf(atomic)]);
                const after = this.#locals.after(local, before);
                if (before === first) {
                    this.#change(world, local, after, second);
                }
                this.#put(world, after);
                break;
            }
            case 'i32.atomic.store':
            case 'i64.atomic.store': {
                const after = this.#locals.after(local, 0);
                this.#change(world, local, after, first);
                this.#put(world, after);
                break;
            }
            case UNTIL:
                this.#put(world, this.#locals.after(local, 0));
                break;
            case 'memory.atomic.wait32': {
                const half = this.#memory.halfOf(atomic);
                const sleeps = this.#memory.valueOfHalf(world.words, half) === first;
                if (sleeps) {
                    world.queue = [...world.queue, entryOf(local.thread, half, false)];
                }
                this.#put(world, this.#locals.after(local, sleeps ? FELL_ASLEEP : CHANGED));
                break;
            }
            case 'memory.atomic.notify': {
                const woken = this.#wake(world, this.#memory.halfOf(atomic), Number(first) >>> 0, wakes);
                // A thread may wake an entry of its own, so what it is now counts.
                const waker = /** @type {Local} */ (world.locals[local.thread]);
                this.#put(world, this.#locals.after(waker, woken));
                break;
            }
            case WAIT_ASYNC: {
                const half = this.#memory.halfOf(atomic);
                const pends = this.#memory.valueOfHalf(world.words, half) === first;
                if (pends) {
                    world.queue = withAsync(world.queue, entryOf(local.thread, half, true));
                }
                this.#put(world, this.#locals.after(local, pends ? ARMED : NOT_EQUAL));
                break;
            }
            default:
                throw new Error(`the machine does not know ${atomic.name}`);
        }
    }

    /**
     * Looks of one round of a spin loop that follow each other see the same (shipped-module.js).
     * @param {Draft} world
     * @param {Local} local
     * @param {Atomic} atomic
     */
    #looked(world, local, atomic) {
        const value = /** @type {Value} */ (world.words[this.#memory.indexOf(atomic)]);
        let after = this.#locals.after(local, value);
        for (let looks = 1; atomic.look && after.view.atomic?.look === atomic.look; looks += 1) {
            if (looks > MOST_LOOKS) {
                throw new Violation('a round of looks has no end');
            }
            after = this.#locals.after(after, value);
        }
        return after;
    }

    /**
     * @param {Draft} world
     * @param {Local} local of the thread that changes a word
     * @param {Local} after the same after the change
     * @param {Value} value
     */
    #change(world, local, after, value) {
        const atomic = /** @type {Atomic} */ (local.view.atomic);
        const index = this.#memory.indexOf(atomic);
        const before = /** @type {Value} */ (world.words[index]);
        world.words[index] = value;
        const { call } = local.state;
        const next = /** @type {(Atomic & { told?: any }) | undefined} */ (after.view.atomic);
        const ends = next?.name === TELL;
        const change = { thread: local.thread, call, address: atomic.address, before, after: value };
        this.#judge(world, (judge, state) =>
            judge.changed(state, { ...change, ends, value: ends ? next.told.value : undefined }),
        );
    }

    /**
     * Wakes the first that wait on a word, or that one.
     * @param {Draft} world
     * @param {number} half
     * @param {number} most
     * @param {number} chosen
     * @returns {number} how many entries that took, those of dead threads too
     */
    #wake(world, half, most, chosen) {
        const { left, taken } = takenFrom(world.queue, half, most, chosen);
        world.queue = left;
        for (const entry of taken) {
            const sleeper = /** @type {Local} */ (world.locals[threadOf(entry)]);
            if (!isDead(sleeper)) {
                this.#put(world, this.#locals.after(sleeper, isAsync(entry) ? resolvedOf(entry) : WOKEN));
            }
        }
        return taken.length;
    }

    /**
     * @param {World} world
     * @param {Move} move
     */
    describe({ locals }, { thread, kind, input, entry }) {
        const local = /** @type {Local} */ (locals[thread]);
        const { atomic } = local.view;
        const call = this.#callText(local);
        switch (kind) {
            case 'atomic': {
                const whom = entry === NOBODY_IN_PARTICULAR ? '' : ` wakes T${threadOf(entry)}`;
                return `T${thread} ${[call, atomic && this.#atomicText(atomic)].filter(Boolean).join(': ')}${whom}`;
            }
            case 'choice':
                return `T${thread} ${input}`;
            case 'entry ends':
                return `T${thread} has its waitAsync on ${this.#nameOf(entry)} time out`;
            case 'wait ends':
                return `T${thread} ${call}: its wait times out`;
            default:
                return `T${thread} ${kind}`;
        }
    }

    /** @param {number} entry */
    #nameOf(entry) {
        return this.#memory.nameOf(addressOfHalf(wordOf(entry)));
    }

    /** @param {Local} local */
    #callText({ state }) {
        const { call } = state;
        return call ? `${call.name}(${[call.on, ...call.parameters].join(', ')})` : '';
    }

    /** @param {Atomic} atomic */
    #atomicText({ name, address, operands }) {
        return `${name} ${this.#memory.nameOf(address)} ${operands.map(hex).join(' ')}`.trimEnd();
    }

    /** @param {World} world */
    describeWorld({ words, locals, queue, known }) {
        const waiting = queue.map((entry) => `T${threadOf(entry)} on ${this.#nameOf(entry)}`);
        return [
            `words: ${this.#memory.describe(words)}; waiting: ${waiting.join(', ') || 'nobody'}`,
            ...known.map(({ state }) => `known: ${JSON.stringify(state)}`),
            ...locals.map((local, thread) => `T${thread} ${this.#standing(local)}`),
        ];
    }

    /** @param {Local} local */
    #standing(local) {
        const { view } = local;
        if (isDead(local)) {
            return 'is dead';
        }
        if (view.isDone) {
            return 'is done';
        }
        if (view.sleeps) {
            return `sleeps in ${this.#callText(local)}`;
        }
        const next = view.atomic ? [this.#atomicText(view.atomic)] : view.choices.map(({ input }) => input);
        return `is next: ${next.join(' or ') || 'nothing'}`;
    }
}

/** @param {number} entry */
function resolvedOf(entry) {
    return resolvedAt(addressOfHalf(wordOf(entry)));
}
