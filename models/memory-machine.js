/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { describeMove, describeThreads, describeWaiting } from './describe.js';
import { Locals } from './locals.js';
import { addressOfHalf } from './memory.js';
import { DATA, TELL, UNTIL } from './program-thread.js';
import { renamingsWithin } from './symmetry.js';
import { WaitingThreads } from './waiting-threads.js';

/* Several objects in one memory, the queue of those who wait on their words, and threads that run programs. Those who
 * judge what happens (judges.js) keep what they know of the past in the world. */

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('./wasm-interpreter.js').Value} Value
 * @typedef {import('./wasm-interpreter.js').Atomic} Atomic
 * @typedef {import('./waiting-threads.js').Move} Move
 * @typedef {import('./judges.js').Judge} Judge
 *
 * @typedef {object} Known what a judge knows, one object for each
 * @property {number} id
 * @property {any} state
 *
 * @typedef {object} Remembered
 * @property {readonly Value[]} words
 * @property {readonly Known[]} known by each of the judges
 *
 * @typedef {Remembered & import('./waiting-threads.js').Threads} World the words of its queue are halves
 * @typedef {{ words: Value[], known: Known[] } & import('./waiting-threads.js').Draft} Draft a world to be changed
 *
 * @typedef {object} OwnOptions
 * @property {readonly number[]} [mortals] threads of which one may die, where it sleeps or waits
 *
 * @typedef {OwnOptions & import('./waiting-threads.js').Circumstances} MemoryMachineOptions
 */

export class MemoryMachine {
    #memory;
    #behaviours;
    #judges;
    #locals;
    #threads;
    #names;
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
    constructor({ memory, firstWords, isLeftClean, behaviours, judges }, { mortals = [], ...circumstances }) {
        this.#memory = memory;
        this.#firstWords = firstWords;
        this.#isLeftClean = isLeftClean;
        this.#behaviours = behaviours;
        this.#judges = judges;
        const groups = behaviours.map((_, thread) => String(thread));
        this.#locals = new Locals(behaviours, renamingsWithin(groups), false);
        /** @type {import('./waiting-threads.js').Words<World, Draft>} */
        const words = {
            placeOf: (atomic) => memory.halfOf(atomic),
            valueAt: ({ words }, half) => memory.valueOfHalf(words, half),
            nameAt: addressOfHalf,
            access: (world, local, atomic) => this.#access(world, local, atomic),
            put: (world, local) => this.#put(world, local),
            mayDie: ({ deaths }, { thread, view }) =>
                deaths === 0 && mortals.includes(thread) && !view.atomic,
            died: (world, thread) => this.#judge(world, (judge, state) => judge.died(state, thread)),
            hasToWait: ({ words }, atomic) => this.#hasToWait(words, atomic),
        };
        this.#threads = new WaitingThreads(behaviours, this.#locals, words, circumstances);
        /** @type {import('./describe.js').Names} */
        this.#names = {
            wordAt: (address) => memory.nameOf(address),
            placeAt: (half) => memory.nameOf(addressOfHalf(half)),
            callOf: ({ state: { call } }) =>
                call ? `${call.name}(${[call.on, ...call.parameters].join(', ')})` : '',
        };
    }

    get hasTellingCycles() {
        return this.#threads.hasTellingCycles;
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
    isDone(world) {
        return this.#threads.isDone(world);
    }

    /**
     * Whether all have come to their end but those that may be busy.
     * @param {World} world
     */
    isServed(world) {
        return this.#threads.isServed(world);
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

    /**
     * Everything that may happen next.
     * @param {World} world
     */
    movesOf(world) {
        return this.#threads.movesOf(world);
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
     * @throws {import('./violation.js').Violation}
     */
    apply(world, move) {
        /** @type {Draft} */
        const next = {
            ...world,
            words: [...world.words],
            locals: [...world.locals],
            known: [...world.known],
        };
        this.#threads.happen(next, move);
        return next;
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
     * @param {Atomic} atomic
     */
    #access(world, local, atomic) {
        const [first = 0, second = 0] = atomic.operands;
        const valueOf = (/** @type {Atomic} */ read) =>
            /** @type {Value} */ (world.words[this.#memory.indexOf(read)]);
        switch (atomic.name) {
            case 'i32.atomic.load':
            case 'i64.atomic.load':
                this.#put(world, this.#locals.afterLooks(local, valueOf));
                break;
            case 'i32.atomic.rmw.cmpxchg':
            case 'i64.atomic.rmw.cmpxchg': {
                const before = valueOf(atomic);
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
            default:
                throw new Error(`the machine does not know ${atomic.name}`);
        }
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
     * @param {World} world
     * @param {Move} move
     */
    describe(world, move) {
        return describeMove(world, move, this.#names);
    }

    /** @param {World} world */
    describeWorld(world) {
        return [
            `words: ${this.#memory.describe(world.words)}; ${describeWaiting(world, this.#names)}`,
            ...world.known.map(({ state }) => `known: ${JSON.stringify(state)}`),
            ...describeThreads(world, this.#names),
        ];
    }
}
