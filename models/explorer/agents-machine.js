/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AGENT_BLOCKED_OFFSET,
    AGENT_BYTES,
    AGENT_LOOKED_OFFSET,
    AGENT_PRESENCE_OFFSET,
    AGENTS_COUNT_OFFSET,
    AGENTS_SLOTS_OFFSET,
    GATE_OWN_OFFSET,
    RECURSIVE_MUTEX_BYTES,
    RWLOCK_MOST,
    RWLOCK_UPGRADABLE,
} from '../../js-glue/memory/layout.js';
import {
    checkAgents,
    checkHolds,
    isLostTrackOf,
    isToBeHad,
    keptSlots,
    leftInGate,
    leftInSlots,
    ownerOf,
} from './agents-judge.js';
import { AgentThread, ARM, HEARS } from './agents-thread.js';
import { Locals } from './locals.js';
import { hex, isOwnersAccess, Memory } from './memory.js';
import { Violation } from './violation.js';

/* The table of threads, one mutex or another lock, and threads that may die anywhere: the protocol of c-src/agents.c on the shipped
 * bytes. The engine keeps the entries of each presence word, first in, first out. It removes those of a dead thread late, one by
 * one.
 *
 * Time: `looked` is always 0, and a change of it succeeds, so the module refuses no probe for coming too soon. The machine itself
 * keeps probes apart: one begins only when the engine has removed all entries of the dead, event loops have handled all wakes, and
 * no other thread probes. A `hasty` probe may begin at any time. */

/**
 * @typedef {import('./agents-thread.js').Agent} Agent
 * @typedef {import('./agents-thread.js').AgentView} AgentView
 * @typedef {import('./locals.js').Local & { view: AgentView }} Local
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 * @typedef {import('../wasm/interpreter.js').Value} Value
 *
 * @typedef {object} AgentsScenario
 * @property {string} name
 * @property {Agent[]} agents
 * @property {number} slots
 * @property {number} entries that a thread keeps pending
 * @property {number} hasty the number of probes that may begin at any time @property {number} [deaths] the
 *     most; by default 1
 * @property {number} [permits] of a semaphore with holds (c-src/holds.h), which is there in place of the mutex
 * @property {boolean} [diesAnywhere] whether threads may die where no engine ends one; then permits may be
 *     lost
 *
 * @typedef {object} World
 * @property {readonly Value[]} words
 * @property {readonly Local[]} locals
 * @property {readonly (readonly number[])[]} queues of each slot: the threads whose entries wait on its presence word
 * @property {readonly number[]} woken of each thread: the number of its woken entries that it has not handled
 * @property {number} deaths
 * @property {number} lost how many threads have died while they joined, probed, armed an entry or left
 * @property {number} hasty the number of hasty probes that are left
 *
 * @typedef {World & { words: Value[], locals: Local[], queues: number[][], woken: number[] }} Draft
 *
 * @typedef {{ thread: number, due: boolean, kind: 'step' | 'dies' | 'entry is removed', input?: string, slot?: number,
 *     place?: number }} Move `input`: a choice; `place` of an entry in the queue of a slot
 */

const DATA_BYTES = 4;
const LONG_BYTES = 8;
/** The agent's words for its waits and its name, which no step reads. */
const DATA_WORDS = (AGENT_BYTES - AGENT_BLOCKED_OFFSET) / 8;

/** @param {string} name @returns {import('./objects.js').Word} */
const word = (name) => ({ name, bytes: DATA_BYTES });

/** @param {string} name @returns {import('./objects.js').Word} */
const constant = (name) => ({ name, bytes: DATA_BYTES, isConstant: true });

/** @type {import('./objects.js').Word[]} */
const TABLE = [
    ...[constant('magic'), word('last'), constant('id'), constant('id, upper half')],
    ...[constant('count'), constant('slots')],
];

/** @type {import('./objects.js').Word[]} */
const SLOT = [
    ...[word('state'), word('credits'), constant('presence'), constant('looked')],
    ...Array.from(
        { length: DATA_WORDS },
        () => /** @type {const} */ ({ name: 'what it says of itself', bytes: 8 }),
    ),
];

/** @type {import('./objects.js').Word[]} */
const MUTEX = [{ name: '', bytes: 8 }, word('line'), word('own')];

/** @type {import('./objects.js').Word} */
const DEPTH = { ...word('depth'), isOwned: true };
const DEPTH_OFFSET = RECURSIVE_MUTEX_BYTES - 2 * DATA_BYTES;

/** @type {import('./objects.js').Word[]} */
const SEMAPHORE = [{ name: '', bytes: 8 }, word('line'), constant('own')];

/** @type {import('./objects.js').Word} */
const RECORD = { name: 'record', bytes: 8 };
const RECORDS_OFFSET = GATE_OWN_OFFSET + DATA_BYTES;

export class AgentsMachine {
    hasTellingCycles = false;
    #memory = new Memory();
    #scenario;
    #locals;
    #behaviours;
    #table;
    #slots;
    #mutex;
    #isRwLock;
    /** Places of the words of 32 bits that change. */
    #changing;
    #start;

    /** @param {import('./thread-call.js').Runner} runner @param {AgentsScenario} scenario */
    constructor(runner, scenario) {
        const { agents, slots, entries, permits = 0 } = scenario;
        const hasDepth = agents.some(({ depth }) => depth);
        this.#isRwLock = agents.some(({ mode }) => mode);
        this.#scenario = scenario;
        this.#table = this.#memory.place('table', TABLE);
        this.#slots = Array.from({ length: slots }, (_, at) => this.#memory.place(`slot ${at + 1}`, SLOT));
        this.#mutex = permits
            ? this.#memory.place('semaphore', [...SEMAPHORE, ...this.#slots.map(() => RECORD)])
            : this.#memory.place('mutex', hasDepth ? [...MUTEX, DEPTH] : MUTEX);
        const [first = 0] = this.#slots;
        const circumstances = { table: this.#table, first, mutex: this.#mutex, permits, entries };
        this.#behaviours = agents.map((agent) => new AgentThread(runner, agent, circumstances));
        this.#locals = new Locals(this.#behaviours, [], false);
        const inSlots = this.#slots.flatMap((slot) => [slot, slot + DATA_BYTES]);
        const inMutex = [
            ...(hasDepth ? [this.#mutex + DEPTH_OFFSET] : []),
            ...(this.#isRwLock ? [this.#mutex + GATE_OWN_OFFSET] : []),
        ];
        this.#changing = [this.#table + DATA_BYTES, ...inSlots, ...inMutex].map((address) =>
            this.#indexOf(address),
        );
        this.#start = this.#begun();
    }

    start() {
        return this.#start;
    }

    /** @param {number} address of 32 bits */
    #indexOf(address) {
        return this.#memory.indexOf({ name: 'i32', address, operands: [], look: '' });
    }

    /**
     * The first world. Threads with `begins` have already reached that state, one after the other.
     */
    #begun() {
        const words = this.#memory.zeros();
        words[this.#indexOf(this.#table + AGENTS_COUNT_OFFSET)] = this.#slots.length;
        words[this.#indexOf(this.#table + AGENTS_SLOTS_OFFSET)] = (this.#slots[0] ?? 0) - this.#table;
        words[this.#indexOf(this.#mutex + GATE_OWN_OFFSET)] = Math.max((this.#scenario.permits ?? 0) - 1, 0);
        /** @type {Draft} */
        const first = {
            words,
            locals: [],
            queues: this.#slots.map(() => []),
            woken: this.#behaviours.map(() => 0),
            deaths: 0,
            lost: 0,
            hasty: this.#scenario.hasty,
        };
        this.#behaviours.forEach((_, thread) => this.#put(first, this.#locals.start(thread)));
        /** @type {World} */
        let world = first;
        this.#scenario.agents.forEach(({ begins }, thread) => {
            const isThere = (/** @type {Local} */ { view, state }) =>
                begins === 'inside' ? view.has > 0 || state.at === 'leave' : view.isBetween;
            while (begins && !isThere(/** @type {Local} */ (world.locals[thread]))) {
                world = this.apply(world, { thread, due: true, kind: 'step' });
            }
        });
        return world;
    }

    /** @param {World} world */
    keyOf({ words, locals, queues, woken, deaths, lost, hasty }) {
        const changing = this.#changing.map((at) => words[at]);
        return [
            ...[locals.map(({ id }) => id), changing, this.#mutexWord(words), this.#records(words)],
            ...[woken, deaths, lost, hasty],
            queues.map((queue) => queue.join('')).join('.'),
        ].join(' ');
    }

    /** @param {readonly Value[]} words */
    #mutexWord(words) {
        return BigInt(this.#memory.wordAt(words, this.#mutex));
    }

    /** The identity of the holder, or of the upgradable reader. @param {readonly Value[]} words */
    #ownerIn(words) {
        const used = ownerOf(this.#mutexWord(words));
        const isUpgradable = this.#isRwLock && used >= RWLOCK_UPGRADABLE && used <= RWLOCK_MOST;
        return isUpgradable
            ? Number(this.#memory.wordAt(words, this.#mutex + GATE_OWN_OFFSET)) || used
            : used;
    }

    /**
     * @param {readonly Value[]} words
     * @returns {bigint[]} the amount that the thread of each slot holds, by its record
     */
    #records(words) {
        return this.#scenario.permits
            ? this.#slots.map((_, at) =>
                  BigInt(this.#memory.wordAt(words, this.#mutex + RECORDS_OFFSET + at * LONG_BYTES)),
              )
            : [];
    }

    /** @param {World} world */
    #slotsOf({ words, queues }) {
        return this.#slots.map((address, at) => ({
            state: Number(this.#memory.wordAt(words, address)),
            credits: Number(this.#memory.wordAt(words, address + DATA_BYTES)),
            queue: queues[at] ?? [],
        }));
    }

    /** @param {World} world */
    isDone({ locals, woken }) {
        return locals.every(({ view }, thread) => view.isDone && woken[thread] === 0);
    }

    /** True if all threads are done, except threads that still need a slot. @param {World} world */
    isServed(world) {
        const { locals, woken } = world;
        const slots = this.#slotsOf(world);
        const isFull =
            !slots.some((slot) => isToBeHad(slot, locals)) && keptSlots(slots, locals) <= world.lost;
        const isHeldForEver = this.#isHeldForEver(world, slots);
        return locals.every(
            ({ view }, thread) =>
                woken[thread] === 0 &&
                (view.isDone || (isFull && view.choices.length > 0) || (isHeldForEver && view.isBetween)),
        );
    }

    /**
     * True if the owner is dead and probes have used up all its entries, so that its death is never found.
     * @param {World} world
     * @param {import('./agents-judge.js').Slot[]} slots
     */
    #isHeldForEver({ words, locals }, slots) {
        const { hasty, entries } = this.#scenario;
        const owner = this.#ownerIn(words);
        return hasty >= entries && slots.some((slot) => isLostTrackOf(slot, owner, locals));
    }

    /** @param {World} world */
    leftBehind(world) {
        if (this.#scenario.permits && !this.#scenario.diesAnywhere) {
            return leftInGate(this.#mutexWord(world.words), this.#records(world.words), world.locals);
        }
        if (world.deaths > 0) {
            return '';
        }
        return this.#isRwLock && this.#ownerIn(world.words) !== 0
            ? 'all are done, but the lock is held'
            : leftInSlots(this.#slotsOf(world), world.locals, this.#scenario.entries);
    }

    /** @param {World} world @returns {Move[]} */
    movesOf(world) {
        const { locals, queues, woken, deaths } = world;
        const { deaths: mostDeaths = 1 } = this.#scenario;
        /** @type {Move[]} */
        const moves = [];
        locals.forEach(({ view }, thread) => {
            const mayGoOn = !view.begins || world.hasty > 0 || this.#isTime(world, thread);
            if (mayGoOn && view.atomic) {
                moves.push({ thread, due: true, kind: 'step' });
            }
            for (const { input } of mayGoOn ? view.choices : []) {
                moves.push({ thread, due: true, kind: 'step', input });
            }
            if (view.isBetween && Number(woken[thread]) > 0) {
                moves.push({ thread, due: true, kind: 'step', input: HEARS });
            }
            if (deaths < mostDeaths && !this.#isDead(world, thread) && this.#mayDie(view)) {
                moves.push({ thread, due: false, kind: 'dies' });
            }
        });
        queues.forEach((queue, slot) =>
            queue.forEach((thread, place) => {
                if (this.#isDead(world, thread)) {
                    moves.push({ thread, due: true, kind: 'entry is removed', slot, place });
                }
            }),
        );
        return moves;
    }

    /**
     * True if an engine may end the thread here. Engines do not end a thread between the changes of a record and of its
     * gate (I2 in c-src/holds.c), nor between those of `own` and of the gate of an upgradable reader (I6 in
     * c-src/rwlock.c). The scenarios leave out the one death that is never found: between the pass of an upgradable reader
     * and its note in `own`.
     * @param {AgentView} view
     */
    #mayDie({ call = '', atomic }) {
        if (this.#isRwLock && atomic) {
            const isNote = atomic.address === this.#mutex + GATE_OWN_OFFSET && atomic.name.endsWith('store');
            const leaves = /^rwlock_(?:unlock|probe_reader)/.test(call) && atomic.address === this.#mutex;
            return !isNote && !(leaves && atomic.name.endsWith('cmpxchg'));
        }
        if (!this.#scenario.permits || this.#scenario.diesAnywhere || !atomic) {
            return true;
        }
        const { address, name } = atomic;
        const passes = call.startsWith('gate_try_after') && address >= this.#mutex + RECORDS_OFFSET;
        const leaves = call.startsWith('holds_') && address >= this.#mutex && name.endsWith('cmpxchg');
        return !passes && !leaves;
    }

    /** @param {World} world @param {number} thread */
    #isDead({ locals }, thread) {
        return locals[thread] === this.#locals.dead(thread);
    }

    /**
     * True if the thread may probe or join again now, unless the probe is a hasty one.
     * @param {World} world
     * @param {number} thread
     */
    #isTime(world, thread) {
        const { locals, queues, woken } = world;
        const joins = !locals[thread]?.view.self;
        return (
            (!joins || this.#slotsOf(world).some((slot) => isToBeHad(slot, locals))) &&
            woken.every((entries) => entries === 0) &&
            !queues.some((queue) => queue.some((owner) => this.#isDead(world, owner))) &&
            !locals.some(({ view }, other) => other !== thread && (view.isLooking || view.isHearing))
        );
    }

    /** @param {World} world @param {Move} move @returns {World} */
    apply(world, move) {
        const { words, locals, queues, woken } = world;
        /** @type {Draft} */
        const next = {
            ...world,
            words: [...words],
            locals: [...locals],
            queues: queues.map((queue) => [...queue]),
            woken: [...woken],
        };
        this.#happen(next, move);
        if (this.#scenario.permits) {
            checkHolds(this.#mutexWord(next.words), this.#records(next.words), next.locals);
            checkAgents(this.#slotsOf(next), next.locals, 0);
            return next;
        }
        const [before, owner] = [words, next.words].map((some) => this.#ownerIn(some));
        const isTaken = this.#isRwLock && locals.every(({ view }) => view.self !== before); // takes the amount from a dead reader
        if (owner === 0 && before !== 0 && !isTaken && locals[move.thread]?.view.self !== before) {
            throw new Violation('a lock is free again, but its owner has not released it');
        }
        checkAgents(this.#slotsOf(next), next.locals, owner ?? 0);
        return next;
    }

    /** @param {Draft} world @param {Move} move */
    #happen(world, { thread, kind, input, slot = 0, place = 0 }) {
        const local = /** @type {Local} */ (world.locals[thread]);
        if (kind === 'dies') {
            world.deaths += 1;
            const { isJoining, isLooking, isHearing, call } = local.view;
            world.lost += Number(isJoining || isLooking || isHearing || call.startsWith('agent_leave'));
            world.woken[thread] = 0;
            world.locals[thread] = /** @type {Local} */ (this.#locals.dead(thread));
        } else if (kind === 'entry is removed') {
            world.queues[slot]?.splice(place, 1);
        } else {
            if (input !== HEARS && local.view.begins && !this.#isTime(world, thread)) {
                world.hasty -= 1;
            }
            world.woken[thread] = Number(world.woken[thread]) - Number(input === HEARS);
            this.#put(
                world,
                this.#locals.after(local, input ?? this.#resultOf(world, local, local.view.atomic)),
            );
        }
    }

    /**
     * Puts a thread into its new state, in which it has read all words that never change. But a call that may
     * probe stays before its first read, until its time comes (`#isTime`).
     * @param {Draft} world
     * @param {import('./locals.js').Local} local
     */
    #put(world, local) {
        let current = /** @type {Local} */ (local);
        while (current.view.atomic && !current.view.begins && this.#isConstant(current.view.atomic)) {
            const { atomic } = current.view;
            const index = this.#indexOf(atomic.address);
            current = /** @type {Local} */ (
                this.#locals.after(current, /** @type {Value} */ (world.words[index]))
            );
        }
        world.locals[local.thread] = current;
        if (!this.#behaviours[local.thread]?.listens(current.state)) {
            world.woken[local.thread] = 0;
        }
    }

    /** @param {Atomic} atomic */
    #isConstant({ name, address, operands }) {
        const isTime = this.#slots.includes(address - AGENT_LOOKED_OFFSET);
        return isTime || this.#memory.isConstant({ name, address, operands, look: '' });
    }

    /** @param {Draft} world @param {Local} local @param {Atomic | undefined} next @returns {Value} */
    #resultOf(world, { thread, view }, next) {
        const atomic = /** @type {Atomic} */ (next);
        const { name, address, operands } = atomic;
        const [first = 0, second = 0] = operands;
        const queue = world.queues[this.#slots.indexOf(address - AGENT_PRESENCE_OFFSET)];
        if (name === ARM) {
            queue?.push(thread);
            return 0;
        }
        if (name === 'memory.atomic.notify') {
            return this.#wake(world, queue?.splice(0, Number(first) >>> 0) ?? []);
        }
        const isOwners = isOwnersAccess(atomic);
        const index = isOwners ? this.#memory.ownedIndexOf(atomic) : this.#memory.indexOf(atomic);
        const before = /** @type {Value} */ (world.words[index]);
        if (isOwners && ownerOf(this.#mutexWord(world.words)) !== view.self) {
            throw new Violation(`T${thread} uses the depth, and does not hold the mutex`);
        }
        switch (name) {
            case 'i32.load':
                return before;
            case 'i32.store':
                world.words[index] = first;
                return 0;
            case 'i32.atomic.load':
            case 'i64.atomic.load':
                return before;
            case 'i32.atomic.store':
            case 'i64.atomic.store':
                world.words[index] = first;
                return 0;
            case 'i32.atomic.rmw.add':
                world.words[index] = (Number(before) + Number(first)) | 0;
                return before;
            case 'i32.atomic.rmw.cmpxchg':
            case 'i64.atomic.rmw.cmpxchg':
                world.words[index] = before === first ? second : before;
                return before;
            default:
                throw new Error(`the machine does not know ${name}`);
        }
    }

    /** @param {Draft} world @param {number[]} owners of the entries */
    #wake(world, owners) {
        for (const owner of owners) {
            const { state } = /** @type {Local} */ (world.locals[owner]);
            if (!this.#isDead(world, owner) && this.#behaviours[owner]?.listens(state)) {
                world.woken[owner] = Number(world.woken[owner]) + 1;
            }
        }
        return owners.length;
    }

    /** @param {World} world @param {Move} move */
    describe({ locals }, { thread, kind, input, slot }) {
        const { view } = /** @type {Local} */ (locals[thread]);
        if (kind !== 'step' || input) {
            return `T${thread} ${input ?? kind}${slot === undefined ? '' : ` from slot ${slot + 1}`}`;
        }
        const { name, address, operands } = /** @type {Atomic} */ (view.atomic);
        return `T${thread} ${view.call}: ${name} ${this.#memory.nameOf(address)} ${operands.map(hex).join(' ')}`.trimEnd();
    }

    /** @param {World} world @returns {string[]} */
    describeWorld(world) {
        const { words, locals, queues, woken } = world;
        const changing = this.#slotsOf(world).map(
            ({ state, credits }, at) =>
                `slot ${at + 1}: state ${hex(state)}, credits ${hex(credits)}, entries of ${queues[at]?.map((owner) => `T${owner}`).join(' ') || 'nobody'}`,
        );
        return [
            ...changing,
            `mutex ${hex(this.#mutexWord(words))}`,
            ...locals.map(({ view }, thread) => {
                const what = this.#isDead(world, thread) ? 'is dead' : view.isDone ? 'is done' : view.call;
                const self = view.self ? `, is ${hex(view.self)}` : '';
                return `T${thread} ${what}${self}${view.has ? ', has the lock' : ''}, has ${woken[thread]} wakes to hear`;
            }),
        ];
    }
}
