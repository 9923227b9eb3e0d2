/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_LINE_OFFSET } from '../../js-glue/memory/layout.js';
import { Machine } from '../explorer/machine.js';
import { FIRST_ADDRESS as GATE_ADDRESS } from '../explorer/memory.js';
import { fromWindow } from './order-sites.js';
import { Violation } from '../explorer/violation.js';

/* The mutex with only the orders that C11 guarantees: threads may read old words, and the data written in one
 * section need not be visible in the next. Everything else is Machine's, which gets the old word when a
 * thread reads one.
 *
 * Only compare-exchanges change the word, so its values form a list, the modification order. Each thread has
 * seen the list up to some place, and may read any value from there on. A compare-exchange that succeeds has
 * read the last value; a failed one may have read an older value.
 *
 * The data that the lock protects is one place, which each section reads and writes without an atomic. Each
 * thread and each value of the word is `current` or not. A thread is current if the last write of the data
 * happens before its next step; a value, if that write happens before the steps of a thread that acquires it.
 * A section that begins in a thread that is not current is a data race. A release makes its value current if
 * the thread is; any other change keeps the state of the value before (the release sequence); an acquire of a
 * current value makes the thread current.
 *
 * The platform's queue of waiters is one object, the same for all threads. It has two guarantees, about the
 * word only: a wait after a wake compares a value no older than the waker had seen, and a woken thread reads
 * no older value. */

/**
 * @typedef {import('../explorer/machine.js').World} World
 *
 * @typedef {{ value: bigint, current: boolean }} Version of the word
 * @typedef {{ seen: number, current: boolean }} Knowledge of a thread. `seen`: its place in the list;
 *     `current`: whether it knows the last write of the data
 *
 * @typedef {object} WeakWorld
 * @property {World} inner
 * @property {Version[]} versions the values that a thread may still read
 * @property {Knowledge[]} known
 * @property {readonly number[]} woken for each queue, the latest word that a waker had seen
 *
 * @typedef {import('../explorer/waiting-threads.js').Move & { version: number }} WeakMove `version`: the word that is
 *     read
 *
 * @typedef {object} Rules of the machine, which tests switch off to show that they are needed
 * @property {boolean} [releaseSequences]
 * @property {boolean} [wakesOrderWaits] the first guarantee of the queue
 * @property {boolean} [wokenSeeTheWord] the second one
 * @property {boolean} [onlyWaitsReadOld] WebAssembly: all orders are seq_cst, but a wait compares half of a word that
 *     is changed whole, and its memory model promises little of accesses in different widths
 * @property {number} [relaxed] the number of a site (order-sites.js)
 */

const LOADS = 'i64.atomic.load';
const COMPARES = 'i64.atomic.rmw.cmpxchg';
const WAKES = 'memory.atomic.notify';
const NONE = -1;

const QUEUES = 3;
const QUEUE_BYTES = 4;

const ACQUIRING = new Set(['acquire', 'acq_rel', 'seq_cst']);
const RELEASING = new Set(['release', 'acq_rel', 'seq_cst']);

/** @type {Rules} */
const AS_THEY_ARE = { releaseSequences: true, wakesOrderWaits: true, wokenSeeTheWord: true };

export const RULES = /** @type {const} */ (['releaseSequences', 'wakesOrderWaits', 'wokenSeeTheWord']);

/**
 * Performs accesses on the real words; the window says the order.
 * @template S
 * @param {import('../explorer/thread-call.js').Behaviour<S>} behaviour of a thread that runs a module with windows
 * @param {number} [relaxed] a site
 * @returns {import('../explorer/thread-call.js').Behaviour<S>}
 */
function throughWindows(behaviour, relaxed) {
    return {
        ...{ isBusy: behaviour.isBusy ?? false, blocks: behaviour.blocks ?? false },
        start: () => behaviour.start(),
        after: (state, input) => behaviour.after(state, input),
        view(state) {
            const view = behaviour.view(state);
            return view.atomic
                ? { ...view, atomic: { ...view.atomic, ...fromWindow(view.atomic.address, relaxed) } }
                : view;
        },
    };
}

export class WeakMachine {
    /** A thread may read the same stale word for ever. */
    hasTellingCycles = false;
    #machine;
    #rules;
    #isHadAtFirst;
    /** @type {Map<bigint, number>} */
    #values = new Map();

    /**
     * @param {import('../explorer/machine.js').Parts} parts
     * @param {import('../explorer/machine.js').MachineOptions & Rules} options
     */
    constructor(parts, options) {
        const behaviours = parts.behaviours.map((each) => throughWindows(each, options.relaxed));
        this.#machine = new Machine({ ...parts, behaviours }, options);
        this.#rules = { ...AS_THEY_ARE, ...options };
        this.#isHadAtFirst = wordOf(parts.firstWords) !== 0n;
    }

    /** @returns {WeakWorld} */
    start() {
        const inner = this.#machine.start();
        // The first holder of the lock has written the data. Before that write, every thread was up to date.
        return {
            inner,
            versions: [{ value: wordOf(inner.words), current: !this.#isHadAtFirst }],
            known: inner.locals.map(({ view }) => ({
                seen: 0,
                current: view.has > 0 || !this.#isHadAtFirst,
            })),
            woken: new Array(QUEUES).fill(0),
        };
    }

    /** @param {WeakWorld} world */
    keyOf({ inner, versions, known, woken }) {
        const codes = [...woken, ...known.map(({ seen, current }) => seen * 2 + Number(current))];
        for (const { value, current } of versions) {
            let id = this.#values.get(value);
            if (id === undefined) {
                id = this.#values.size;
                this.#values.set(value, id);
            }
            codes.push(id * 2 + Number(current));
        }
        return `${this.#machine.keyOf(inner)}|${String.fromCharCode(...codes)}`;
    }

    /** @param {WeakWorld} world */
    isDone({ inner }) {
        return this.#machine.isDone(inner);
    }

    /** @param {WeakWorld} world */
    isServed({ inner }) {
        return this.#machine.isServed(inner);
    }

    /** @param {WeakWorld} world */
    leftBehind({ inner }) {
        return this.#machine.leftBehind(inner);
    }

    /** @param {WeakWorld} world @returns {WeakMove[]} */
    movesOf(world) {
        return this.#machine.movesOf(world.inner).flatMap((move) => {
            const places = this.#readable(world, move);
            return places.length === 0
                ? [{ ...move, version: NONE }]
                : places.map((version) => ({ ...move, version }));
        });
    }

    /**
     * The indices of the versions that a move may read.
     * @param {WeakWorld} world
     * @param {import('../explorer/waiting-threads.js').Move} move
     */
    #readable({ inner, versions, known, woken }, { thread, kind }) {
        const atomic = inner.locals[thread]?.view.atomic;
        const seen = known[thread]?.seen ?? 0;
        // Reads of `line` give the last value: an old value has the same effects as a race.
        const readsWord = atomic && atomic.address < GATE_ADDRESS + GATE_LINE_OFFSET;
        if (kind !== 'atomic' || !readsWord || atomic.name === WAKES) {
            return [];
        }
        const isWait = atomic.name !== LOADS && atomic.name !== COMPARES;
        const last = versions.length - 1;
        const oldest = this.#rules.onlyWaitsReadOld && !isWait ? last : seen;
        const from =
            isWait && this.#rules.wakesOrderWaits ? Math.max(seen, woken[queueOf(atomic)] ?? 0) : oldest;
        return Array.from(versions.keys()).filter((at) => {
            const wouldSucceed = atomic.name === COMPARES && versions[at]?.value === atomic.operands[0];
            return at === last || (at >= from && !wouldSucceed);
        });
    }

    /** @param {WeakWorld} world @param {WeakMove} move @returns {WeakWorld} */
    apply(world, move) {
        const { thread, version } = move;
        const local = world.inner.locals[thread];
        const shown = world.versions[version];
        const inner = this.#machine.apply(shown ? withWord(world.inner, shown.value) : world.inner, move);
        const next = { ...world, inner, known: [...world.known], versions: world.versions };
        const atomic = move.kind === 'atomic' ? local?.view.atomic : undefined;
        if (atomic && shown) {
            this.#read(next, move, /** @type {WeakAtomic} */ (atomic));
        } else if (atomic?.name === WAKES) {
            this.#wake(next, world.inner, queueOf(atomic), world.known[thread]?.seen ?? 0);
        }
        if (inner.locals[thread]?.view.has && !local?.view.has) {
            enterSection(next, thread);
        }
        return withoutTheUnreadable(next);
    }

    /**
     * A thread reads a word: adds to its knowledge, and to the list of versions.
     * @param {WeakWorld} world
     * @param {WeakMove} move
     * @param {WeakAtomic} atomic
     */
    #read(world, { thread, version }, { name, operands, order: ownOrder }) {
        const order = this.#rules.onlyWaitsReadOld ? 'seq_cst' : ownOrder;
        const { versions, known } = world;
        const read = /** @type {Version} */ (versions[version]);
        const before = /** @type {Knowledge} */ (known[thread]);
        const succeeds = name === COMPARES && read.value === operands[0];
        const acquires = (succeeds || name === LOADS) && ACQUIRING.has(order);
        const releases = succeeds && RELEASING.has(order);
        known[thread] = {
            seen: succeeds ? version + 1 : version,
            current: before.current || (acquires && read.current),
        };
        if (succeeds) {
            const inherited = this.#rules.releaseSequences && read.current;
            const current = inherited || (releases && before.current);
            world.versions = [...versions, { value: BigInt(operands[1] ?? 0), current }];
        }
    }

    /** @param {WeakWorld} world @param {World} before @param {number} queue @param {number} seen by the waker */
    #wake(world, before, queue, seen) {
        world.woken = world.woken.map((from, at) => (at === queue ? Math.max(from, seen) : from));
        if (this.#rules.wokenSeeTheWord) {
            world.known = world.known.map((thread, at) =>
                world.inner.locals[at] === before.locals[at]
                    ? thread
                    : { ...thread, seen: Math.max(thread.seen, seen) },
            );
        }
    }

    /** @param {WeakWorld} world @param {WeakMove} move */
    describe({ inner, versions }, move) {
        const atomic = /** @type {WeakAtomic | undefined} */ (inner.locals[move.thread]?.view.atomic);
        const age = versions.length - 1 - move.version;
        const order = atomic?.name === COMPARES ? `, ${atomic.order}` : '';
        const reads =
            move.version === NONE
                ? ''
                : `${order}; reads ${age === 0 ? 'the last word' : `a word ${age} older`}`;
        return `${this.#machine.describe(inner, move)}${reads}`;
    }

    /** @param {WeakWorld} world */
    describeWorld({ inner, known }) {
        const stale = known.flatMap(({ current }, thread) => (current ? [] : [`T${thread}`]));
        return [
            ...this.#machine.describeWorld(inner),
            `the last section's data has not reached: ${stale.join(', ') || 'nobody'}`,
        ];
    }
}

/** @param {readonly import('../wasm/interpreter.js').Value[]} words */
function wordOf([word = 0n]) {
    return BigInt(word);
}

/** @param {World} world @param {bigint} word */
function withWord(world, word) {
    return { ...world, words: [word, ...world.words.slice(1)] };
}

/** @typedef {import('../wasm/interpreter.js').Atomic & { order: import('./order-sites.js').Order }} WeakAtomic */

/** @param {{ address: number }} atomic */
function queueOf({ address }) {
    return (address - GATE_ADDRESS) / QUEUE_BYTES;
}

/** The section reads the data and writes it. @param {WeakWorld} world @param {number} thread */
function enterSection(world, thread) {
    if (!world.known[thread]?.current) {
        throw new Violation(
            `data race: T${thread} is inside, but does not see what was written inside before`,
        );
    }
    world.known = world.known.map(({ seen }, other) => ({ seen, current: other === thread }));
    world.versions = world.versions.map(({ value }) => ({ value, current: false }));
}

/**
 * Drops versions that no thread can read any more, so that equal situations are equal worlds.
 * @param {WeakWorld} world
 * @returns {WeakWorld}
 */
function withoutTheUnreadable(world) {
    const { inner, versions, known, woken } = world;
    const last = versions.length - 1;
    const kept = known.map((thread, at) =>
        inner.locals[at]?.view.isDone ? { seen: last, current: false } : thread,
    );
    const oldest = Math.min(...kept.map(({ seen }) => seen));
    const word = /** @type {Version} */ (versions[last]).value;
    return {
        inner: wordOf(inner.words) === word ? inner : withWord(inner, word),
        versions: oldest > 0 ? versions.slice(oldest) : versions,
        known: kept.map(({ seen, current }) => ({ seen: seen - oldest, current })),
        woken: woken.map((from) => Math.max(from - oldest, 0)),
    };
}
