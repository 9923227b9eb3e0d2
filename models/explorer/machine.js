/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { describeMove, describeThreads, describeWaiting } from './describe.js';
import { Locals } from './locals.js';
import { addressOfHalf } from './memory.js';
import { DATA, LOOK, TELL, UNTIL } from './shipped-thread.js';
import { renamingsWithin } from './symmetry.js';
import { WaitingThreads } from './waiting-threads.js';
import { WorldKeys } from './world-keys.js';

/* Objects in one memory, the queue of those who wait on their words, and threads. Those who judge what happens
 * (judges.js) keep what they know of the past in the world. */

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
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
 * @typedef {object} Placed an object in its place
 * @property {string} name
 * @property {import('./objects.js').Kind} kind
 * @property {number} address
 *
 * @typedef {object} Parts
 * @property {import('./memory.js').Memory} memory
 * @property {readonly Placed[]} objects in the order of their words
 * @property {readonly Value[]} firstWords
 * @property {readonly Value[]} endWords what words that stay as they are have to be at the end
 * @property {readonly import('./thread-call.js').Behaviour<any>[]} behaviours
 * @property {readonly Judge[]} judges
 *
 * @typedef {object} OwnOptions
 * @property {number} [deaths] how many threads may die, wherever they have taken nothing
 * @property {readonly number[]} [mortals] threads of which one may die, where it sleeps or waits
 * @property {readonly string[]} [groups] of threads that do the same, by name; none: all are different
 * @property {boolean} [isOneWay] nothing is ever taken back or done twice, so nothing is remembered: what runs the
 *     threads' calls is no pure function (engine/)
 *
 * @typedef {OwnOptions & import('./waiting-threads.js').Circumstances} MachineOptions
 */

export class Machine {
    #memory;
    #objects;
    #behaviours;
    #judges;
    #locals;
    #threads;
    #names;
    #endWords;
    #keys;
    #renamings;
    /** @type {Map<string, Known>} */
    #knowledge = new Map();

    /** @param {Parts} parts @param {MachineOptions} options */
    constructor({ memory, objects, firstWords, endWords, behaviours, judges }, options) {
        const { deaths: mostDeaths = 0, mortals = [], isOneWay = false, ...circumstances } = options;
        const { groups = behaviours.map((_, thread) => String(thread)) } = options;
        this.#memory = memory;
        this.#objects = objects;
        this.firstWords = firstWords;
        this.#endWords = endWords;
        this.#behaviours = behaviours;
        this.#judges = judges;
        this.#renamings = renamingsWithin(groups);
        this.#locals = new Locals(behaviours, this.#renamings, isOneWay);
        this.#keys = new WorldKeys(groups, this.#renamings, this.#locals, {
            words: (words, renaming) =>
                this.#perObject(words).flatMap(([{ kind }, own]) => kind.renamed(own, renaming)),
            known: (known, renaming) =>
                known.map(({ state }, at) => this.#known(at, this.#judges[at]?.renamed(state, renaming))),
        });
        /** @type {import('./waiting-threads.js').Words<World, Draft>} */
        const words = {
            placeOf: (atomic) => memory.halfOf(atomic),
            valueAt: ({ words }, half) => memory.valueOfHalf(words, half),
            nameAt: addressOfHalf,
            access: (world, local, atomic) => this.#access(world, local, atomic),
            put: (world, local) => this.#put(world, local),
            mayDie: ({ deaths }, { thread, view }) =>
                mortals.includes(thread)
                    ? deaths === 0 && !view.atomic
                    : deaths < mostDeaths && view.has === 0,
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

    /**
     * Whether a cycle of due moves tells of a livelock. Where one state stands for several, whose move is whose along a
     * cycle is not known.
     */
    get hasTellingCycles() {
        return this.#renamings.length === 1 && this.#threads.hasTellingCycles;
    }

    /** @returns {World} */
    start() {
        /** @type {Draft} */
        const world = {
            words: [...this.firstWords],
            locals: [],
            queue: [],
            known: this.#judges.map((judge, at) => this.#known(at, judge.start())),
            deaths: 0,
        };
        this.#behaviours.forEach((_, thread) => this.#put(world, this.#locals.start(thread)));
        return world;
    }

    /** The objects and their words. @param {readonly Value[]} words @returns {[Placed, Value[]][]} */
    #perObject(words) {
        let at = 0;
        return this.#objects.map((placed) => {
            const from = at;
            at += placed.kind.words.length;
            return [placed, words.slice(from, at)];
        });
    }

    /** @param {number} judge @param {any} state */
    #known(judge, state) {
        const text = `${judge} ${JSON.stringify(state)}`;
        let known = this.#knowledge.get(text);
        if (!known) {
            known = { id: this.#knowledge.size, state };
            this.#knowledge.set(text, known);
        }
        return known;
    }

    /**
     * Worlds with the same key are the same, but for the identities of threads that do the same.
     * @param {World} world
     */
    keyOf(world) {
        return this.#keys.keyOf(world);
    }

    /** @param {World} world */
    isDone(world) {
        return this.#threads.isDone(world);
    }

    /** Whether all have come to their end but those that may be busy. @param {World} world */
    isServed(world) {
        return this.#threads.isServed(world);
    }

    /** What is wrong when all threads are done; '' if nothing is. @param {World} world */
    leftBehind({ words, known, deaths, locals }) {
        if (deaths > 0) {
            return '';
        }
        const ends = this.#perObject(this.#endWords);
        if (
            !this.#perObject(words).every(([{ kind }, own], at) => kind.isLeftClean(own, ends[at]?.[1] ?? []))
        ) {
            return 'all are done, but the words say that somebody is not';
        }
        const kept = this.#behaviours.map((behaviour, thread) =>
            behaviour.leftBehind?.(locals[thread]?.state),
        );
        const judged = this.#judges.map((judge, at) => judge.leftBehind(known[at]?.state));
        return [...kept, ...judged].find(Boolean) ?? '';
    }

    /** Everything that may happen next. @param {World} world */
    movesOf(world) {
        return this.#threads.movesOf(world);
    }

    /** @param {readonly Value[]} words @param {Atomic} atomic */
    #hasToWait(words, { name, address, operands: [least = 0] }) {
        return name === UNTIL && Number(words[this.#dataAt(address)]) < Number(least);
    }

    /** @param {number} address */
    #dataAt(address) {
        return this.#memory.indexOf({ name: DATA, address, operands: [], look: '' });
    }

    /** The world after a move. @param {World} world @param {Move} move @returns {World} */
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

    /** @param {Draft} world @param {(judge: Judge, state: any) => any} judgement what the judge knows then */
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
     * A thread is in that state now. What no other thread can see, or change, it does at once.
     * @param {Draft} world @param {Local} local
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
            } else if (atomic && this.#memory.isConstant(atomic)) {
                current = this.#locals.after(current, this.#valueOf(world, atomic));
            } else {
                world.locals[thread] = current;
                return;
            }
        }
    }

    /** @param {Draft} world @param {Atomic} atomic */
    #add(world, { address, operands: [adds = 0] }) {
        const index = this.#dataAt(address);
        const before = Number(world.words[index]);
        world.words[index] = before + Number(adds);
        return before;
    }

    /** @param {Draft} world @param {Atomic} read */
    #valueOf({ words }, read) {
        return /** @type {Value} */ (words[this.#memory.indexOf(read)]);
    }

    /** @param {Draft} world @param {Local} local @param {Atomic} atomic */
    #access(world, local, atomic) {
        const [first = 0, second = 0] = atomic.operands;
        switch (atomic.name) {
            case LOOK:
                this.#put(
                    world,
                    this.#locals.after(
                        local,
                        this.#memory.valueOfHalf(world.words, this.#memory.halfOf(atomic)),
                    ),
                );
                break;
            case 'i32.atomic.load':
            case 'i64.atomic.load':
                this.#put(
                    world,
                    this.#locals.afterLooks(local, (read) => this.#valueOf(world, read)),
                );
                break;
            case 'i32.atomic.rmw.cmpxchg':
            case 'i64.atomic.rmw.cmpxchg': {
                const before = this.#valueOf(world, atomic);
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
        const change = {
            ...{ thread: local.thread, call, address: atomic.address, before, after: value },
            ...{ ends, value: ends ? next.told.value : undefined },
            wordAt: (/** @type {number} */ address) => this.#memory.wordAt(world.words, address),
        };
        this.#judge(world, (judge, state) => judge.changed(state, change));
    }

    /** @param {World} world @param {Move} move */
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
