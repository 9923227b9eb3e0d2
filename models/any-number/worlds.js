/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { usedIn, identityAt } from '../explorer/gate-word.js';
import { WAIT_ASYNC } from '../explorer/thread-call.js';
import {
    AMBIENT,
    AWAKE,
    WAKE_HEIR,
    checkChangeBy,
    checkPart,
    countedAs,
    dutiesBy,
    HANDS_OVER,
    isEqualIn,
    WAKE_LIST,
    mayAct,
    needsIn,
    OWNER,
    standingOf,
    HEIR,
    WAKE_SLEEPER,
    whatIsWrong,
} from './abstraction.js';
import {
    ARMED,
    CHANGED,
    FELL_ASLEEP,
    HIGH,
    isSaidBy,
    LINE,
    LOW,
    REFUSED,
    TIMED_OUT,
    WOKEN,
} from './client.js';
import { NOBODY, nameOf, namesWith, renamedWordBy } from './names.js';

/* A few threads, one by one, that do what the clients do. The abstraction must contain them. */

/**
 * @typedef {import('./client.js').Local} Local
 * @typedef {import('./abstraction.js').Duties} Duties
 * @typedef {import('./abstraction.js').Count} Count
 * @typedef {import('./abstraction.js').Sleep} Sleep
 * @typedef {import('./abstraction.js').Role} Role
 * @typedef {import('./abstraction.js').State} State
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 *
 * @typedef {{ local: Local, duties: Duties }} Thread
 * @typedef {{ word: bigint, line: number, threads: readonly Thread[] }} World
 * @typedef {{ what: string, choice?: string, thread: number, apply: () => World }} Step that may come next
 */

export class Worlds {
    #clients;
    #names;
    #loops;

    /**
     * @param {import('./client.js').Clients} clients
     * @param {import('./names.js').Names} names
     * @param {readonly boolean[]} loops of each thread, whether it is an event loop
     */
    constructor(clients, names, loops) {
        this.#clients = clients;
        this.#names = names;
        this.#loops = loops;
    }

    /** @param {number} [holder] the thread that holds the mutex at the start @returns {World} */
    start(holder = NOBODY) {
        const threads = this.#loops.map((loops, name) => ({
            local: this.#clients.outside(name, loops),
            duties: 0,
        }));
        /** @type {World} */
        let world = { word: 0n, line: 0, threads };
        for (; (world.threads[holder]?.local.at ?? 'inside') !== 'inside';) {
            world =
                this.localOf(world, holder).at === 'outside'
                    ? this.chosen(world, holder, 'try')
                    : this.performed(world, holder);
        }
        return world;
    }

    /** @param {World} world */
    keyOf({ word, line, threads }) {
        return `${word} ${line} ${threads.map(({ local, duties }) => `${local.id} ${duties}`)}`;
    }

    /**
     * All steps that may happen next.
     * @param {World} world
     * @param {number} [only] of this thread; absent: of all threads
     * @returns {Step[]}
     */
    stepsOf(world, only) {
        return world.threads.flatMap(({ local }, thread) => {
            if (thread !== (only ?? thread)) {
                return [];
            }
            if (local.call?.asleep) {
                return [{ what: 'its time is up', thread, apply: () => this.ended(world, thread) }];
            }
            const choices = this.choicesOf(local, thread).map((choice) => ({
                ...{ what: choice, choice, thread, apply: () => this.chosen(world, thread, choice) },
            }));
            const atomic = this.#clients.atomicOf(local);
            if (!atomic) {
                return choices;
            }
            if (atomic.name === WAIT_ASYNC) {
                // The client does not say which value of `line` it expects.
                const fits =
                    atomic.address === LINE
                        ? [true, false]
                        : [isEqualIn(world.word, HIGH, Number(atomic.operands[0]))];
                return [
                    ...choices,
                    ...fits.map((isMade) => ({
                        ...{ what: isMade ? ARMED : REFUSED, thread },
                        apply: () => this.askedForEntry(world, thread, isMade),
                    })),
                ];
            }
            const sleepers = this.#waitingAt(world, atomic.address);
            const isForOne = atomic.name === 'memory.atomic.notify' && Number(atomic.operands[0]) === 1;
            const woken = isForOne && sleepers.length > 0 ? sleepers : [undefined];
            return [
                ...choices,
                ...woken.map((one) => ({
                    ...{ what: one === undefined ? atomic.name : `wakes ${one}`, thread },
                    apply: () => this.performed(world, thread, one),
                })),
            ];
        });
    }

    /** @param {Local} local @param {number} thread that it is */
    choicesOf(local, thread) {
        return this.#clients.choicesOf(
            local,
            this.#loops.flatMap((_, name) => (name === thread ? [] : [name])),
        );
    }

    /** @param {World} world @param {number} name */
    localOf({ threads }, name) {
        return (threads[name] ?? raise()).local;
    }

    /** The world after a thread's wait has ended by time. @param {World} world @param {number} name */
    ended(world, name) {
        return this.#with(world, name, this.#clients.after(this.localOf(world, name), TIMED_OUT));
    }

    /** @param {World} world @param {number} name @param {boolean} isMade */
    askedForEntry(world, name, isMade) {
        return this.#with(
            world,
            name,
            this.#clients.after(this.localOf(world, name), isMade ? ARMED : REFUSED),
        );
    }

    /** @param {World} world @param {number} name @param {string} choice */
    chosen(world, name, choice) {
        return this.#with(world, name, this.#clients.chosen(this.localOf(world, name), choice));
    }

    /**
     * Performs a thread's next atomic instruction.
     *
     * @param {World} world
     * @param {number} name
     * @param {number} [woken] whom a wake for one goes to
     * @returns {World}
     */
    performed(world, name, woken) {
        const local = this.localOf(world, name);
        const { word } = world;
        const atomic = /** @type {Atomic} */ (this.#clients.atomicOf(local));
        const { operands, address } = atomic;
        const after = (/** @type {any} */ input) =>
            this.#with(world, name, this.#clients.after(local, input));
        switch (atomic.name) {
            case 'i32.atomic.load':
                return after(world.line);
            case 'i32.atomic.rmw.cmpxchg': {
                const line = operands[0] === world.line ? Number(operands[1]) : world.line;
                return { ...after(world.line), line };
            }
            case 'i64.atomic.load':
                return this.#with(world, name, this.#clients.afterReading(local, word));
            case 'i64.atomic.rmw.cmpxchg':
                return operands[0] === word
                    ? this.#changed(world, name, /** @type {bigint} */ (operands[1]))
                    : after(word);
            case 'memory.atomic.wait32':
                return after(isEqualIn(word, address, Number(operands[0])) ? FELL_ASLEEP : CHANGED);
            default:
                return this.#notified(world, name, woken === undefined ? undefined : [woken]);
        }
    }

    /** @param {World} world @param {number} address @returns {number[]} */
    #waitingAt({ threads }, address) {
        return threads.flatMap(({ local }, at) =>
            this.#clients.asleepAt(local) === address ||
            (address === HIGH && local.entries.turn) ||
            (address === LINE && local.entries.line)
                ? [at]
                : [],
        );
    }

    /** @param {World} world @param {number} name @param {number[]} [chosen] whom a wake for one goes to */
    #notified(world, name, chosen) {
        const local = this.localOf(world, name);
        const { address } = /** @type {Atomic} */ (this.#clients.atomicOf(local));
        const woken = chosen ?? this.#waitingAt(world, address);
        const handed = address === LOW && woken.length > 0 ? HANDS_OVER : 0;
        const paid = address === HIGH ? WAKE_HEIR : address === LOW ? WAKE_SLEEPER | handed : WAKE_LIST;
        const given = WAKE_SLEEPER | ((world.threads[name] ?? raise()).duties & handed);
        const threads = world.threads.map((thread, at) => {
            const before = at === name ? this.#clients.afterWaking(local, woken.length) : thread.local;
            const duties = at === name ? thread.duties & ~paid : thread.duties;
            if (!woken.includes(at)) {
                return { local: before, duties };
            }
            return address === LOW
                ? { local: this.#clients.after(before, WOKEN), duties: duties | given }
                : before.call?.asleep
                  ? { local: this.#clients.after(before, WOKEN), duties }
                  : { local: this.#clients.resolved(before, address === HIGH ? 'turn' : 'line'), duties };
        });
        return this.#checked({ ...world, threads }, name);
    }

    /** @param {World} world @param {number} name @param {Local} local @returns {World} */
    #with(world, name, local) {
        const threads = world.threads.map((thread, at) => (at === name ? { ...thread, local } : thread));
        return this.#checked({ ...world, threads }, name);
    }

    /** @param {World} world @param {number} name @param {bigint} word @returns {World} */
    #changed(world, name, word) {
        const { local, duties } = world.threads[name] ?? raise();
        checkChangeBy(this.#names, local, world.word, word);
        const after = {
            local: this.#clients.after(local, world.word),
            duties: duties | dutiesBy(world.word, word),
        };
        const threads = world.threads.map((thread, at) => (at === name ? after : thread));
        return this.#checked({ ...world, word, threads }, name);
    }

    /**
     * A duty lasts while some thread needs it.
     * @param {World} world
     * @param {number} actor
     * @returns {World}
     */
    #checked(world, actor) {
        const { rolesOf, ...parts } = this.#partsOf(world);
        checkPart(this.localOf(world, actor), rolesOf(actor));
        const needs = needsIn({ word: world.word, ...parts });
        return {
            ...world,
            threads: world.threads.map(({ local, duties }) => ({
                local,
                duties: mayAct(local) ? duties & needs : 0,
            })),
        };
    }

    /**
     * The number of threads that wait on the upper half though they are not, or no longer, the heir.
     * @param {World} world
     */
    highIn(world) {
        const { rolesOf } = this.#partsOf(world);
        return world.threads.filter(
            ({ local }, name) => rolesOf(name) === AMBIENT && countedAs(local).includes('high'),
        ).length;
    }

    /** @param {World} world */
    #partsOf({ word, threads }) {
        const [owner, nextOne] = [nameOf(usedIn(word)), nameOf(identityAt(word, 32n))];
        /** @returns {Role} */
        const rolesOf = (/** @type {number} */ name) =>
            name === owner ? OWNER : name === nextOne ? HEIR : AMBIENT;
        const count = (/** @type {Sleep} */ sleep, /** @type {number} */ most) => {
            const all = threads.filter(
                ({ local }, name) => rolesOf(name) === AMBIENT && countedAs(local).includes(sleep),
            );
            return /** @type {Count} */ (Math.min(all.length, most));
        };
        const asleep = {
            ...{ long: count('long', 2), naps: count('naps', 1) },
            ...{ high: count('high', 2), line: count('line', 1) },
        };
        const next = threads[nextOne];
        return {
            ...{ owner, nextOne, rolesOf, asleep, heir: next ? standingOf(next.local) : AWAKE },
            said: next ? isSaidBy(next.local) : false,
        };
    }

    /** Returns the defect of a world, or ''. @param {World} world */
    wrongIn(world) {
        return whatIsWrong(this.abstracted(world).state);
    }

    /**
     * Abstracts a world to its state and each thread's actor.
     *
     * @param {World} world
     */
    abstracted(world) {
        const { word, threads } = world;
        const { owner, nextOne, rolesOf, asleep, heir, said } = this.#partsOf(world);
        /** @type {Map<number, number>} */
        const given = new Map();
        if (nextOne !== NOBODY) {
            given.set(nextOne, HEIR);
        }
        if (owner !== NOBODY) {
            given.set(owner, OWNER);
        }
        const ambient = threads.filter((_, name) => rolesOf(name) === AMBIENT);
        /** @type {State} */
        const state = {
            word: renamedWordBy(word, namesWith(this.#names.all, given)),
            ...{ heir, said, asleep },
            owes: [threads[owner]?.duties ?? 0, threads[nextOne]?.duties ?? 0],
            owed: ambient.reduce((all, { duties }) => all | duties, 0),
        };
        return { state, actors: threads.map((thread, name) => ({ ...thread, role: rolesOf(name) })) };
    }

    /** @param {World} world */
    describe({ word, threads }) {
        return [
            `word 0x${BigInt.asUintN(64, word).toString(16)}`,
            ...threads.map(
                ({ local, duties }) => this.#clients.describe(local) + (duties ? `, duties ${duties}` : ''),
            ),
        ].join('; ');
    }
}

/** @returns {never} */
function raise() {
    throw new Error('there is no such thread');
}
