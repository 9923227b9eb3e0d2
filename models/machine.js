/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_LINE_OFFSET, GATE_OWN_OFFSET, GATE_TURN_OFFSET } from '../js-glue/memory/layout.js';
import { describeMove, describeThreads, describeWaiting } from './describe.js';
import { checkChange, checkSenior, isSettled, placeOf as placeInWord } from './gate-word.js';
import { Locals } from './locals.js';
import { hex } from './memory.js';
import { identityOf, renamingsWithin } from './symmetry.js';
import { GATE_ADDRESS } from './thread-call.js';
import { Violation } from './violation.js';
import { WaitingThreads } from './waiting-threads.js';
import { WorldKeys } from './world-keys.js';

/* One gate, the queue of those who wait on its words, and the threads. */

/**
 * @typedef {import('./locals.js').Behaviour} Behaviour
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('./waiting-threads.js').Move} Move
 * @typedef {import('./wasm-interpreter.js').Atomic} Atomic
 *
 * @typedef {object} GateWords
 * @property {bigint} word the gate's first two words, as a signed i64
 * @property {number} line its third word, as a signed i32: which event loop comes first
 * @property {number} own its last word
 *
 * @typedef {GateWords & import('./waiting-threads.js').Threads} World
 * @typedef {{ word: bigint, line: number, own: number } & import('./waiting-threads.js').Draft} Draft a world to be changed
 *
 * @typedef {object} OwnOptions
 * @property {number} [deaths] how many threads may die
 * @property {boolean} [isOneWay] nothing is ever taken back or done twice, so nothing is remembered: what runs the
 *     threads' calls is no pure function (engine/)
 * @property {number} [firstUsed] how much of the gate is in use at the start
 * @property {number} [firstOwn] the gate's own word at the start
 * @property {number} [endOwn] and when all are done; by default the same
 * @property {import('./gate-word.js').GateUse} [use] by default a mutex's
 * @property {readonly string[]} [groups] of threads that do the same, by name; none: all are different
 *
 * @typedef {OwnOptions & import('./waiting-threads.js').Circumstances} MachineOptions
 */

const HALF_BITS = 32;

/** @type {import('./gate-word.js').GateUse} */
const FOR_ONE = { capacity: 0, opensAt: 0 };

const WORD_NAMES = ['state', 'turn', 'line', 'own'];
const WORD_BYTES = 4;

/** Those of the words that are waited on, which come first. */
const PLACES = 3;

/** @type {import('./describe.js').Names} */
const NAMES = {
    wordAt: (address) => String(WORD_NAMES[(address - GATE_ADDRESS) / WORD_BYTES]),
    placeAt: (place) => String(WORD_NAMES[place]),
    callOf: ({ state }) => state.call?.name ?? '',
};

export class Machine {
    #behaviours;
    #reservationsEnd;
    #use;
    #endOwn;
    #renamings;
    #locals;
    #keys;
    #threads;

    /**
     * @param {Behaviour[]} behaviours
     * @param {MachineOptions} options
     */
    constructor(
        behaviours,
        {
            deaths: mostDeaths = 0,
            firstUsed = 0,
            firstOwn = 0,
            endOwn = firstOwn,
            use = FOR_ONE,
            groups = behaviours.map((_, thread) => String(thread)),
            isOneWay = false,
            ...circumstances
        },
    ) {
        this.#behaviours = behaviours;
        /** The gate's word and its own one at the start. */
        this.firstWord = BigInt(firstUsed);
        this.firstOwn = firstOwn;
        this.#endOwn = endOwn;
        this.#use = use;
        this.#renamings = renamingsWithin(groups);
        this.#locals = new Locals(behaviours, this.#renamings, isOneWay);
        this.#keys = new WorldKeys(groups, this.#renamings, this.#locals);
        /** @type {import('./waiting-threads.js').Words<World, Draft>} */
        const words = {
            placeOf,
            valueAt: ({ word, line }, place) =>
                place * WORD_BYTES === GATE_LINE_OFFSET ? line : halfOf(word, place),
            nameAt: asyncWordOf,
            access: (world, local, atomic) => this.#access(world, local, atomic),
            put: ({ locals }, local) => (locals[local.thread] = local),
            mayDie: ({ deaths }, { view }) => deaths < mostDeaths && view.has === 0,
        };
        this.#threads = new WaitingThreads(behaviours, this.#locals, words, circumstances);
        this.#reservationsEnd = this.#threads.mayOutlast || behaviours.some(({ outlasts }) => outlasts);
    }

    /**
     * Whether a cycle of due moves tells of a livelock. Where one state stands for several, whose move is whose along
     * a cycle is not known.
     */
    get hasTellingCycles() {
        return this.#renamings.length === 1 && this.#threads.hasTellingCycles;
    }

    /** @returns {World} */
    start() {
        return {
            word: this.firstWord,
            line: 0,
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
     * Everything that may happen next.
     * @param {World} world
     */
    movesOf(world) {
        return this.#threads.movesOf(world);
    }

    /**
     * The world after a move.
     * @param {World} world
     * @param {Move} move
     * @returns {World}
     * @throws {Violation}
     */
    apply(world, move) {
        const next = { ...world, locals: [...world.locals] };
        this.#threads.happen(next, move);
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
    leftBehind({ word, line, own, deaths }) {
        if (deaths > 0) {
            return '';
        }
        return isSettled(word) && line === 0 && own === this.#endOwn
            ? ''
            : 'all are done, but the words say that somebody is not';
    }

    /**
     * @param {Draft} world
     * @param {Local} local
     * @param {Atomic} atomic
     */
    #access(world, local, atomic) {
        const { thread } = local;
        const [first = 0, second = 0] = atomic.operands;
        switch (atomic.name) {
            case 'i64.atomic.load':
                world.locals[thread] = this.#locals.afterLooks(local, (look) => wholeWord(world, look));
                break;
            case 'i64.atomic.rmw.cmpxchg': {
                const before = wholeWord(world, atomic);
                if (before === first) {
                    world.word = BigInt(second);
                    const self = placeInWord(identityOf(thread), NAMES.callOf(local));
                    checkChange(before, world.word, self, this.#use, this.#reservationsEnd);
                    checkSenior(before, world.word, self, world.line, local.state.call);
                }
                world.locals[thread] = this.#locals.after(local, before);
                break;
            }
            case 'i32.atomic.load': {
                const value = isOfLine(atomic) ? world.line : ownWord(world, atomic);
                world.locals[thread] = this.#locals.after(local, value);
                break;
            }
            case 'i32.atomic.rmw.cmpxchg': {
                if (!isOfLine(atomic)) {
                    throw new Violation(`${atomic.name} at ${atomic.address}`);
                }
                const before = world.line;
                world.line = before === Number(first) ? Number(second) : before;
                world.locals[thread] = this.#locals.after(local, before);
                break;
            }
            case 'i32.atomic.store':
                ownWord(world, atomic);
                world.own = Number(first);
                world.locals[thread] = this.#locals.after(local, 0);
                break;
            default:
                throw new Error(`the machine does not know ${atomic.name}`);
        }
    }

    /**
     * @param {World} world
     * @param {Move} move
     */
    describe(world, move) {
        return describeMove(world, move, NAMES);
    }

    /** @param {World} world */
    describeWorld(world) {
        return [
            `word: ${hex(world.word)}; line: ${hex(world.line)}; ${describeWaiting(world, NAMES)}`,
            ...describeThreads(world, NAMES),
        ];
    }
}

/** @param {Atomic} atomic */
function isOfLine({ address }) {
    return address === GATE_ADDRESS + GATE_LINE_OFFSET;
}

/** @param {number} place */
function asyncWordOf(place) {
    return place === GATE_TURN_OFFSET / WORD_BYTES ? 'turn' : 'line';
}

/**
 * @param {{ word: bigint }} world
 * @param {Atomic} atomic
 */
function wholeWord({ word }, atomic) {
    if (atomic.address !== GATE_ADDRESS) {
        throw new Violation(`${atomic.name} at ${atomic.address}, which is not the gate's word`);
    }
    return word;
}

/**
 * @param {{ own: number }} world
 * @param {Atomic} atomic
 */
function ownWord({ own }, { name, address }) {
    if (address !== GATE_ADDRESS + GATE_OWN_OFFSET) {
        throw new Violation(`${name} at ${address}, which is not the gate's own word`);
    }
    return own;
}

/** @param {Atomic} atomic */
function placeOf({ name, address }) {
    const place = (address - GATE_ADDRESS) / WORD_BYTES;
    if (!(Number.isInteger(place) && place >= 0 && place < PLACES)) {
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
    return Number(half);
}
