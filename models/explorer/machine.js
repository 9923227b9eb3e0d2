/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { describeMove, describeThreads, describeWaiting } from './describe.js';
import { usedIn } from './gate-word.js';
import { Locals } from './locals.js';
import { isOwnersAccess } from './memory.js';
import { DATA, LOOK, TELL, UNTIL } from './shipped-thread.js';
import { renamingsWithin } from './symmetry.js';
import { Violation } from './violation.js';
import { WaitingThreads } from './waiting-threads.js';
import { WorldKeys } from './world-keys.js';

/* Objects in one memory, the queue of waiters, and threads. The world also contains what the judges
 * (judges.js) remember. */

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 * @typedef {import('./waiting-threads.js').Move} Move
 * @typedef {import('./judges.js').Judge} Judge
 * @typedef {{ id: number, state: any }} Known what a judge knows, one object for each
 *
 * @typedef {object} World
 * @property {readonly Value[]} words
 * @property {readonly Known[]} known the knowledge of each judge
 * @property {readonly Local[]} locals
 * @property {readonly number[]} queue of entries, see queue-entry.js, in the order made
 * @property {number} deaths
 *
 * @typedef {World & { words: Value[], known: Known[], locals: Local[] }} Draft a world to be changed
 *
 * @typedef {{ name: string, kind: import('./objects.js').Kind, address: number }} Placed
 *
 * @typedef {object} Parts
 * @property {import('./memory.js').Memory} memory
 * @property {readonly Placed[]} objects in the order of their words
 * @property {readonly Value[]} firstWords
 * @property {readonly Value[]} endWords of the words that do not change
 * @property {readonly import('./thread-call.js').Behaviour<any>[]} behaviours
 * @property {readonly Judge[]} judges
 *
 * @typedef {object} OwnOptions
 * @property {number} [deaths] the most deaths; a thread may die wherever it holds nothing
 * @property {readonly number[]} [mortals] threads of which one may die while it sleeps or waits
 * @property {readonly string[]} [groups] of threads that do the same, by name
 * @property {boolean} [isOneWay] calls run on real threads (engine/), so no state is remembered
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
    #endWords;
    #keys;
    /** @type {Map<string, Known>} */
    #knowledge = new Map();

    /** @param {Parts} parts @param {MachineOptions} options */
    constructor({ memory, objects, firstWords, endWords, behaviours, judges }, options) {
        const { deaths: mostDeaths = 0, mortals = [], isOneWay = false, slices } = options;
        const { groups = behaviours.map((_, thread) => String(thread)) } = options;
        const renamings = renamingsWithin(groups);
        /**
         * True if a cycle of due moves shows a livelock. It does not if one state stands for several, since
         * then the moving thread is unclear; nor if slices are due, since one thread may re-check many times
         * before the slice of another one ends.
         */
        this.hasTellingCycles = renamings.length === 1 && slices !== 'surely';
        this.firstWords = firstWords;
        this.#memory = memory;
        this.#objects = objects;
        this.#endWords = endWords;
        this.#behaviours = behaviours;
        this.#judges = judges;
        this.#locals = new Locals(behaviours, renamings, isOneWay);
        this.#keys = new WorldKeys(groups, renamings, this.#locals, {
            words: (words, renaming) =>
                this.#perObject(words).flatMap(([{ kind }, own]) => kind.renamed?.(own, renaming) ?? own),
            known: (known, renaming) =>
                known.map(({ state }, at) => this.#known(at, this.#judges[at]?.renamed(state, renaming))),
        });
        this.#threads = new WaitingThreads(behaviours, this.#locals, memory, options, {
            access: (world, local, atomic) => this.#access(world, local, atomic),
            put: (world, local) => this.#put(world, local),
            mayDie: ({ deaths }, { thread, view }) =>
                mortals.includes(thread)
                    ? deaths === 0 && !view.atomic
                    : deaths < mostDeaths && view.has === 0,
            died: (world, thread) => this.#judge(world, (judge, state) => judge.died(state, thread)),
            hasToWait: ({ words }, { name, address, operands: [least = 0] }) =>
                name === UNTIL && Number(words[this.#dataAt(address)]) < Number(least),
        });
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

    /** @param {readonly Value[]} words @returns {[Placed, Value[]][]} */
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

    /** @param {World} world */
    keyOf(world) {
        return this.#keys.keyOf(world);
    }

    /** @param {World} world */
    isDone({ locals }) {
        return locals.every(({ view }) => view.isDone);
    }

    /** True if all threads are done, except those that may be busy. @param {World} world */
    isServed({ locals }) {
        return locals.every(({ view, thread }) => view.isDone || this.#behaviours[thread]?.isBusy);
    }

    /** The defect after all threads are done, or ''. @param {World} world */
    leftBehind({ words, known, deaths, locals }) {
        if (deaths > 0) {
            return '';
        }
        const ends = this.#perObject(this.#endWords);
        const isClean = this.#perObject(words).every(([{ kind }, own], at) =>
            kind.isLeftClean(own, ends[at]?.[1] ?? []),
        );
        if (!isClean) {
            return 'all threads are done, but the words are not at rest';
        }
        const kept = this.#behaviours.map((behaviour, thread) =>
            behaviour.leftBehind?.(locals[thread]?.state),
        );
        const judged = this.#judges.map((judge, at) => judge.leftBehind(known[at]?.state));
        return [...kept, ...judged].find(Boolean) ?? '';
    }

    /** @param {World} world */
    movesOf(world) {
        return this.#threads.movesOf(world);
    }

    /** @param {number} address */
    #dataAt(address) {
        return this.#memory.indexOf({ name: DATA, address, operands: [], look: '' });
    }

    /** @param {World} world @param {Move} move @returns {World} */
    apply(world, move) {
        const { words, locals, known } = world;
        const next = { ...world, words: [...words], locals: [...locals], known: [...known] };
        this.#threads.happen(next, move);
        return next;
    }

    /** @param {Draft} world @param {(judge: Judge, state: any) => any} judgement */
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
     * Puts a thread into its new state. Steps that no other thread can see or change are done at once.
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
            } else if (atomic && isOwnersAccess(atomic)) {
                current = this.#locals.after(current, this.#ownersAccess(world, thread, atomic));
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

    /**
     * Performs an access to a word that only the object's holder uses, so no other thread can observe when.
     * @param {Draft} world
     * @param {number} thread
     * @param {Atomic} access
     */
    #ownersAccess(world, thread, access) {
        const { address, name } = /** @type {Placed} */ (
            this.#objects.findLast((placed) => placed.address <= access.address)
        );
        const owner = usedIn(BigInt(this.#memory.wordAt(world.words, address)));
        if (owner !== this.#behaviours[thread]?.self) {
            throw new Violation(`${access.name} in ${name} by T${thread}, which does not hold it`);
        }
        const index = this.#memory.ownedIndexOf(access);
        const before = /** @type {Value} */ (world.words[index]);
        world.words[index] = access.operands[0] ?? before;
        return before;
    }

    /** @param {Draft} world @param {Atomic} read */
    #valueOf({ words }, read) {
        return /** @type {Value} */ (words[this.#memory.indexOf(read)]);
    }

    /** @param {Draft} world @param {Local} local @param {Atomic} atomic */
    #access(world, local, atomic) {
        this.#put(world, this.#afterAccess(world, local, atomic));
    }

    /** @param {Draft} world @param {Local} local @param {Atomic} atomic */
    #afterAccess(world, local, atomic) {
        const [first = 0, second = 0] = atomic.operands;
        switch (atomic.name) {
            case LOOK:
                return this.#locals.after(
                    local,
                    this.#memory.valueOfHalf(world.words, this.#memory.halfOf(atomic)),
                );
            case 'i32.atomic.load':
            case 'i64.atomic.load':
                return this.#locals.afterLooks(local, (read) => this.#valueOf(world, read));
            case 'i32.atomic.rmw.cmpxchg':
            case 'i64.atomic.rmw.cmpxchg': {
                const before = this.#valueOf(world, atomic);
                const after = this.#locals.after(local, before);
                if (before === first) {
                    this.#change(world, local, after, second);
                }
                return after;
            }
            case 'i32.atomic.rmw.add':
            case 'i32.atomic.rmw.and': {
                const before = Number(this.#valueOf(world, atomic));
                const after = this.#locals.after(local, before);
                const adds = atomic.name === 'i32.atomic.rmw.add';
                this.#change(
                    world,
                    local,
                    after,
                    adds ? (before + Number(first)) | 0 : before & Number(first),
                );
                return after;
            }
            case 'i32.atomic.store':
            case 'i64.atomic.store': {
                const after = this.#locals.after(local, 0);
                this.#change(world, local, after, first);
                return after;
            }
            case UNTIL:
                return this.#locals.after(local, 0);
            default:
                throw new Error(`the machine does not know ${atomic.name}`);
        }
    }

    /** @param {Draft} world @param {Local} local @param {Local} after @param {Value} value */
    #change(world, local, after, value) {
        const atomic = /** @type {Atomic} */ (local.view.atomic);
        const index = this.#memory.indexOf(atomic);
        const before = /** @type {Value} */ (world.words[index]);
        world.words[index] = value;
        const next = /** @type {(Atomic & { told?: any }) | undefined} */ (after.view.atomic);
        const ends = next?.name === TELL;
        const change = {
            ...{
                thread: local.thread,
                call: local.state.call,
                address: atomic.address,
                before,
                after: value,
            },
            ...{ ends, value: ends ? next.told.value : undefined },
            wordAt: (/** @type {number} */ address) => this.#memory.wordAt(world.words, address),
        };
        this.#judge(world, (judge, state) => judge.changed(state, change));
    }

    /** @param {World} world @param {Move} move */
    describe(world, move) {
        return describeMove(world, move, this.#memory);
    }

    /** @param {World} world */
    describeWorld(world) {
        return [
            `words: ${this.#memory.describe(world.words)}; ${describeWaiting(world, this.#memory)}`,
            ...world.known.map(({ state }) => `known: ${JSON.stringify(state)}`),
            ...describeThreads(world, this.#memory),
        ];
    }
}
