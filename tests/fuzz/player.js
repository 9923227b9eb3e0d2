/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { deadlineIn, Event, HoldfastError, LockSpace, TimeoutError } from '../../js-glue/index.js';
import { work } from '../support/board.js';
import { CLASSES } from '../support/classes.js';
import { afterOtherTasks } from '../stress/locks-use.js';
import { contextOr, inContext } from './contexts.js';
import { Mail } from './mail.js';
import { Mailbox } from './mailbox.js';
import { moveNow } from './moves.js';
import { FuzzSection, Thrown } from './section.js';
import { Aborted, makeSignal } from './signals.js';

/* One thread of a program: its code calls this class, which checks the outcome of each request. */

/** The limit of blocking calls of a thread that may hold an object, since the other holder may be waiting for
 * it. */
const SHORT_MS = 2;
/** The number of turns after which an abort has reached all requests. */
const TURNS_TO_HEAR = 30;
const LONGER_THAN_A_SLICE_MS = 120;
const MOST_FOR_MUTEX_MS = 50;
/** Twice the time that a burst may take. */
const LONG_TURN_MS = 8;
/** A wait overtaken by this many sections is checked. */
const MANY_SECTIONS = 30;

/**
 * @typedef {'outcome' | 'inside' | 'context' | 'overtaken' | 'burst' | 'reuse' | 'state'} FailureKind
 *
 * @typedef {{ kind: string, message: string }} Failure
 *
 * @typedef {object} Expected the allowed outcomes of a request, beside those of its options
 * @property {'name' | 'nothing' | 'boolean'} [gives] what the promise resolves with; `name`: the name that
 *     its section returns
 * @property {string[]} [may] allowed error codes; `any`: every code
 * @property {string} [must] the code of the error that must come; `any`: some error
 * @property {number} [bound] milliseconds: a longer wait is allowed only if few other sections pass meanwhile
 *
 * @typedef {{ timeout?: number, deadline?: number, signal?: any }} Limits
 *
 * @typedef {object} NestOptions
 * @property {'lock' | 'try' | 'tryFor' | 'exec'} how
 * @property {number} [timeout] milliseconds, of `tryFor`
 * @property {boolean} [throws] whether its section throws
 * @property {string} [condition] the condition that its section waits for
 * @property {number} [wait] the milliseconds of that wait
 * @property {boolean} [unlocksAgain] whether it calls unlock() once more than lock()
 */

export class Player {
    /** @type {Failure[]} */
    failures = [];
    /**
     * The number of holds that may exist. A section's hold counts until its request has settled, a guard's from its
     * request on.
     */
    holdings = 0;
    /** @type {Promise<unknown>[]} */
    #asked = [];
    /** @type {Map<any, ReturnType<typeof makeSignal>>} */
    #signals = new Map();
    /**
     * @type {{ name: string, sections: FuzzSection[], bound?: number | undefined } | undefined} the request
     *     being made
     */
    #asking;
    /** @type {Set<{ name: string, signal: any, sections: FuzzSection[] }>} the requests that have not settled */
    #waiting = new Set();
    /** @type {FuzzSection[]} the requests of the call that blocks */
    #blocking = [];
    /** How often it has locked each recursive mutex. @type {Map<string, number>} */
    #depths = new Map();
    #index;
    #objects;

    /**
     * @param {number} index
     * @param {Record<string, any>} objects by name, in the program's order
     * @param {import('./shared-words.js').SharedWords} words
     * @param {{ contexts: boolean, spoilt: string[], mail: Int32Array<SharedArrayBuffer>, mailer: number }} known
     *     `contexts`: whether to check async contexts; `spoilt`: the objects not to check; `mail`: the
     *     messages; `mailer`: this thread's number among all that send and receive
     */
    constructor(index, objects, words, { contexts, spoilt, mail, mailer }) {
        this.contexts = contexts;
        this.spoilt = spoilt;
        this.#index = index;
        this.#objects = new Map(
            Object.entries(objects).map(([name, object], number) => [name, { object, number }]),
        );
        this.words = words;
        this.mailbox = new Mailbox(this, objects, new Mail(mail), mailer);
    }

    /** @param {string} kind @param {string} message */
    fails(kind, message) {
        this.failures.push({ kind, message: `thread ${this.#index}: ${message}` });
    }

    /** @param {boolean} isSo @param {string} what */
    check(isSo, what) {
        if (!isSo) {
            this.fails('state', what);
        }
    }

    /**
     * @param {string} name
     * @param {number | string} [ask] permits, or a mode
     * @returns {import('./section.js').Held}
     */
    #of(name, ask) {
        return { name, ask, .../** @type {{ object: any, number: number }} */ (this.#objects.get(name)) };
    }

    /** True if this thread may block without a limit. */
    get holdsNothing() {
        return this.holdings === 0;
    }

    /** @param {number} timeout milliseconds */
    limit(timeout) {
        return this.holdsNothing ? timeout : Math.min(timeout, SHORT_MS);
    }

    /** @param {number} milliseconds from now */
    deadline(milliseconds) {
        return deadlineIn(milliseconds);
    }

    now() {
        return performance.now();
    }

    turn() {
        return afterOtherTasks();
    }

    /** @param {number} milliseconds */
    sleep(milliseconds) {
        return new Promise((resolve) => setTimeout(resolve, milliseconds));
    }

    /** @param {number} milliseconds */
    busy(milliseconds) {
        work(milliseconds);
    }

    /** @param {import('./signals.js').SignalSpec} spec */
    signal(spec) {
        const made = makeSignal(spec, (signal) => void this.#isHeard(signal));
        this.#signals.set(made.signal, made);
        return made.signal;
    }

    /**
     * Checks that soon after an abort none of the signal's requests waits any more.
     *
     * @param {any} signal
     */
    async #isHeard(signal) {
        const waiting = [...this.#waiting].filter((request) => request.signal === signal);
        for (let turn = 0; turn < TURNS_TO_HEAR; turn += 1) {
            await afterOtherTasks();
        }
        for (const request of waiting) {
            if (this.#waiting.has(request) && request.sections.every(({ runs }) => runs === 0)) {
                this.fails('deaf', `${request.name} waits on after its signal has aborted`);
            }
        }
    }

    /** @param {any} signal */
    abort(signal) {
        this.#signals.get(signal)?.abort();
    }

    /**
     * The callback of the request that is being made, which runs while it holds the object.
     *
     * @param {string} object
     * @param {number | string | undefined} ask permits, or a mode
     * @param {import('./section.js').Body} [body]
     * @param {(guard: any) => void} [release] ends the section, if the method does not end it by itself
     */
    section(object, ask, body = {}, release = undefined) {
        const held = this.#of(object, ask);
        const { name, sections, bound } = this.#asking ?? { name: '', sections: this.#blocking };
        const section = new FuzzSection(this, name, held, body, release);
        const isMet = this.overtaken(name, object, bound);
        sections.push(section);
        return (/** @type {unknown} */ guard) => {
            isMet();
            return section.run(guard);
        };
    }

    /**
     * Begins to count the sections that overtake a wait.
     *
     * @param {string} name
     * @param {string} object that is waited for
     * @param {number} [bound] milliseconds
     * @returns {() => void} call it at the grant: reports a wait that was overtaken for too long
     */
    overtaken(name, object, bound = Infinity) {
        const { number } = this.#of(object);
        const from = this.words.sections(number);
        const start = performance.now();
        return () => {
            const sections = this.words.sections(number) - from;
            const waited = performance.now() - start;
            if (waited > bound && sections > MANY_SECTIONS) {
                const others = `${sections} sections ran in ${Math.round(waited)} ms`;
                this.fails('overtaken', `while ${name} waited for ${object}, ${others}`);
            }
        };
    }

    /**
     * Makes a request that does not block, and checks its outcome.
     *
     * @param {string} name
     * @param {Limits} limits
     * @param {() => any} call
     * @param {Expected} [expected]
     * @returns {Promise<unknown>} settles when the request has, and never rejects
     */
    asks(name, limits, call, expected = {}) {
        this.words.begins(this.#index, name);
        const before = this.#asking;
        const asking = { name, sections: /** @type {FuzzSection[]} */ ([]), bound: expected.bound };
        this.#asking = asking;
        let promise;
        try {
            promise = inContext(name, call);
        } catch (error) {
            this.fails('outcome', `${name} throws, but should reject: ${error}`);
        } finally {
            this.#asking = before;
        }
        const watched = this.#watch(name, limits, promise, asking.sections, expected);
        this.#asked.push(watched);
        return watched;
    }

    /**
     * @param {string} name
     * @param {Limits} limits
     * @param {any} promise
     * @param {FuzzSection[]} sections
     * @param {Expected} expected
     */
    async #watch(name, limits, promise, sections, expected) {
        const waiting = { name, signal: limits.signal, sections };
        this.#waiting.add(waiting);
        try {
            const value = await promise;
            this.#checkValue(name, value, sections, expected);
        } catch (error) {
            this.#checkError(name, error, limits, sections, expected);
        }
        this.#waiting.delete(waiting);
        sections.forEach((section) => section.letGo());
        this.words.settles(this.#index, name);
    }

    /**
     * @param {string} name
     * @param {unknown} value
     * @param {FuzzSection[]} sections
     * @param {Expected} expected
     */
    #checkValue(name, value, sections, { gives = 'name', must, may }) {
        if (may?.includes('any')) {
            return;
        }
        if (must) {
            this.fails('outcome', `${name} is fulfilled, but should be rejected with ${must}`);
        }
        const isRight =
            gives === 'name'
                ? value === name
                : gives === 'nothing'
                  ? value === undefined
                  : typeof value === 'boolean';
        if (!isRight) {
            this.fails('outcome', `${name} is fulfilled with ${String(value)}`);
        }
        if (gives !== 'boolean' && sections.some(({ runs }) => runs !== 1)) {
            this.fails(
                'outcome',
                `${name} is fulfilled, and its callback ran ${sections.map(({ runs }) => runs)} times`,
            );
        }
    }

    /**
     * @param {string} name
     * @param {any} error
     * @param {Limits} limits
     * @param {FuzzSection[]} sections
     * @param {Expected} expected
     */
    #checkError(name, error, limits, sections, { may = [], must }) {
        const mayThrow = sections.some(
            ({ ends, runs }) => runs === 1 && ['throws', 'rejects'].includes(ends),
        );
        const isAllowed =
            may.includes('any') ||
            (must !== undefined && (error?.code === must || must === 'any')) ||
            // The request's time or signal may end it before the expected outcome.
            (error instanceof TimeoutError && (limits.timeout ?? limits.deadline) !== undefined) ||
            (error instanceof Aborted && limits.signal?.aborted) ||
            (must === undefined &&
                ((error instanceof Thrown && error.message === name && mayThrow) ||
                    (error instanceof HoldfastError && may.includes(error.code))));
        if (!isAllowed) {
            this.fails('outcome', `${name} is rejected with ${error?.stack ?? error}`);
        }
        if (sections.some(({ isOpen }) => isOpen)) {
            this.fails('outcome', `${name} is rejected while its section runs`);
        }
    }

    /**
     * Makes a call that may block.
     *
     * @param {string} name
     * @param {() => any} call
     * @param {string[]} [may] allowed error codes; `thrown`: the error of a callback
     * @returns {any} the result of the call; false after an error
     */
    blocks(name, call, may = []) {
        this.words.begins(this.#index, name);
        this.#blocking = [];
        try {
            return call();
        } catch (/** @type {any} */ error) {
            const isAllowed =
                may.includes(error?.code) || (may.includes('thrown') && error instanceof Thrown);
            if (!isAllowed) {
                this.fails('outcome', `${name} throws ${error?.stack ?? error}`);
            }
            return false;
        } finally {
            this.#blocking.forEach((section) => section.letGo());
            this.words.settles(this.#index, name);
        }
    }

    /**
     * A section of code that has just acquired something, and will release it itself.
     *
     * @param {string} object
     * @param {number | string | undefined} ask permits, or a mode
     * @param {number} [milliseconds]
     */
    inside(object, ask, milliseconds = 0) {
        const section = new FuzzSection(this, '', this.#of(object, ask), {});
        section.enter();
        work(milliseconds);
        section.leave();
    }

    /**
     * A section of code that has just locked a reader-writer lock upgradable. At its end the lock is released
     * in the mode that the moves have led to.
     *
     * @param {string} name of a reader-writer lock
     * @param {number} milliseconds
     * @param {import('./upgrades.js').Move[]} moves
     * @param {any} [guard]
     */
    moves(name, milliseconds, moves, guard) {
        const { object } = this.#of(name);
        const section = new FuzzSection(this, '', this.#of(name, 'upgradable'), {});
        /** @type {import('./moves.js').Upgradable} */
        const held = {
            ...{ player: this, held: guard ?? object, name, mode: 'upgradable', holdings: 0 },
            become(mode) {
                held.mode = mode;
                section.become(mode);
            },
        };
        section.enter();
        moves.forEach((move) => moveNow(held, move));
        work(milliseconds);
        section.leave();
        if (guard) {
            guard.release();
        } else if (held.mode === 'exclusive') {
            object.unlock();
        } else {
            object[held.mode === 'shared' ? 'unlockShared' : 'unlockUpgradable']();
        }
    }

    /**
     * Makes a wait, in a section of the mutex, that releases the mutex meanwhile.
     *
     * @template T
     * @param {string} mutex
     * @param {() => T} wait
     * @returns {Promise<Awaited<T>>}
     */
    async releasing(mutex, wait) {
        const { number } = this.#of(mutex);
        this.words.leave(number, 1);
        try {
            return await wait();
        } finally {
            this.#holdsAgain(mutex, number);
        }
    }

    /**
     * Locks the mutex for a wait that blocks. Does nothing if the thread may hold another
     * object.
     *
     * @param {string} name
     * @param {string} mutex
     * @param {() => unknown} wait
     * @param {string} [must] the code of the error that must come
     */
    waitsIn(name, mutex, wait, must) {
        const { object, number } = this.#of(mutex);
        if (!this.holdsNothing || !this.blocks(name, () => object.tryLock(MOST_FOR_MUTEX_MS))) {
            return;
        }
        this.inside(mutex, 1);
        const isMet = this.blocks(name, wait, must ? [must] : []) !== false;
        this.#holdsAgain(mutex, number);
        this.words.leave(number, 1);
        object.unlock();
        this.check(!must || !isMet, `${name} succeeds, but should fail with ${must}`);
    }

    /** @param {string} mutex @param {number} number */
    #holdsAgain(mutex, number) {
        if (this.words.enter(number, 1) > 1) {
            this.fails('inside', `a wait returned with ${mutex}, but another thread holds it`);
        }
    }

    /**
     * Locks a recursive mutex, or locks it again, and unlocks it as often. Counts the expected depth.
     *
     * @param {string} name
     * @param {string} object
     * @param {NestOptions} options
     * @param {() => void} inner runs while it is held
     */
    nests(name, object, { how, timeout = 0, throws, condition, wait = 0, unlocksAgain }, inner) {
        const { object: mutex } = this.#of(object);
        const depth = this.#depths.get(object) ?? 0;
        const mayWait = depth > 0 || this.holdsNothing;
        const section = () => {
            this.#deeper(object, depth + 1, () => {
                if (condition !== undefined) {
                    this.#waitsWith(object, depth + 1, this.#of(condition).object, wait);
                }
                inner();
            });
            if (throws) {
                throw new Thrown(name);
            }
            return name;
        };
        if (how === 'exec') {
            const result = mayWait && this.blocks(name, () => mutex.exec(section), ['thrown']);
            this.check(!mayWait || throws || result === name, `exec() of ${object} returned ${result}`);
        } else {
            const limit = how === 'try' ? 0 : how === 'tryFor' ? this.limit(timeout) : SHORT_MS;
            const take = () =>
                how === 'lock' && mayWait
                    ? (mutex.lock(), true)
                    : /** @type {boolean} */ (mutex.tryLock(limit));
            const isTaken = this.blocks(name, take);
            this.check(isTaken || depth === 0, `${name} has not locked ${object} again`);
            if (isTaken) {
                section();
                mutex.unlock();
            }
        }
        this.#checkDepth(object, depth);
        if (unlocksAgain && depth === 0) {
            const isUnlocked = this.blocks(name, () => (mutex.unlock(), true), ['HF_NOT_OWNER']);
            this.check(!isUnlocked, `${object} was unlocked by a thread that does not hold it`);
        }
    }

    /** @param {string} object @param {number} depth @param {() => void} run */
    #deeper(object, depth, run) {
        const { number } = this.#of(object);
        this.#depths.set(object, depth);
        if (depth === 1) {
            this.holdings += 1;
            this.#entersAlone(object, number);
        }
        this.#checkDepth(object, depth);
        run();
        this.#checkDepth(object, depth);
        if (depth === 1) {
            this.words.leave(number, 1);
            this.holdings -= 1;
        }
        this.#depths.set(object, depth - 1);
    }

    /** @param {string} object @param {number} number */
    #entersAlone(object, number) {
        if (this.words.enter(number, 1) > 1) {
            this.fails('inside', `it acquired ${object}, but another thread holds it`);
        }
    }

    /** @param {string} object @param {number} depth */
    #checkDepth(object, depth) {
        const { depth: is } = this.#of(object).object;
        this.check(is === depth, `${object} has depth ${is}, and was locked ${depth} times`);
    }

    /**
     * At a depth above 1 this is an error, which changes nothing.
     * @param {string} object
     * @param {number} depth
     * @param {any} condition
     * @param {number} wait
     */
    #waitsWith(object, depth, condition, wait) {
        const { object: mutex, number } = this.#of(object);
        // A short time limit, if this thread may hold an object that other threads need.
        const limit = this.holdings === 1 ? wait : Math.min(wait, SHORT_MS);
        if (depth > 1) {
            try {
                condition.waitFor(mutex, { timeout: limit });
                this.fails('outcome', `a wait with ${object} at depth ${depth} succeeds`);
            } catch (/** @type {any} */ error) {
                this.check(error.code === 'HF_DEADLOCK', `a wait at depth ${depth} throws ${error}`);
            }
            return;
        }
        this.words.leave(number, 1);
        condition.waitFor(mutex, { timeout: limit });
        this.#entersAlone(object, number);
    }

    /**
     * A predicate that becomes true after being called `times` times.
     *
     * @param {number} times
     * @param {string} mutex which is held while it runs
     */
    predicate(times, mutex) {
        const name = contextOr('') ?? '';
        const section = new FuzzSection(this, name, this.#of(mutex), {});
        let asked = 0;
        return () => {
            asked += 1;
            section.checkContext('the predicate');
            section.enter();
            section.leave();
            return asked > times;
        };
    }

    /**
     * @param {string} object
     * @param {boolean | null} wasLast null: its time was up
     */
    arrived(object, wasLast) {
        if (wasLast !== null) {
            this.words.arrived(this.#of(object).number, wasLast);
        }
        return wasLast;
    }

    /**
     * Overwrites a word of an object.
     *
     * @param {string} name
     * @param {number} word
     * @param {number} value
     */
    stray(name, word, value) {
        const { object } = this.#of(name);
        const words = new Int32Array(object.memory.buffer, object.byteOffset, object.constructor.BYTES / 4);
        Atomics.store(words, word % words.length, value);
    }

    /**
     * Makes many requests that end at one time, and counts how many settle before the event loop has a turn.
     *
     * @param {string} name
     * @param {number} count
     * @param {() => Promise<unknown>} call
     * @param {() => void} meet ends the waits: grants them, or aborts them
     */
    async crowd(name, count, call, meet) {
        this.words.begins(this.#index, name);
        let settled = 0;
        const settles = () => (settled += 1);
        const all = Promise.all(Array.from({ length: count }, () => call().then(settles, settles)));
        await afterOtherTasks();
        meet();
        let most = 0;
        while (settled < count) {
            const [before, begin] = [settled, this.now()];
            await afterOtherTasks();
            // Only long turns count: a fast engine ends thousands of requests within the time of one burst.
            if (this.now() - begin > LONG_TURN_MS) {
                most = Math.max(most, settled - before);
            }
        }
        await all;
        if (most > count / 2) {
            this.fails(
                'burst',
                `${most} of ${count} requests of ${name} settled in one turn of the event loop`,
            );
        }
        this.words.settles(this.#index, name);
    }

    /**
     * Makes an object in a space of this thread alone, calls `use`, frees the object, and makes another
     * object at its address.
     *
     * @param {string} kind
     * @param {any} options
     * @param {(old: any) => unknown} use
     * @param {(next: any) => unknown} then
     */
    async reuses(kind, options, use, then) {
        lone ??= new LockSpace();
        const Class = CLASSES[kind];
        const old = new Class({ space: lone, ...options });
        await use(old);
        lone.free(old);
        const next = new Class({ space: lone, ...options });
        if (next.byteOffset === old.byteOffset) {
            await then(next);
        }
        lone.free(next);
    }

    /**
     * Frees an object that was used, and allocates plain bytes at its address, which must stay unchanged.
     *
     * @param {string} kind
     * @param {any} options
     * @param {(old: any) => unknown} use
     */
    async leavesBytes(kind, options, use) {
        lone ??= new LockSpace();
        const { BYTES, ALIGN } = CLASSES[kind];
        const old = new CLASSES[kind]({ space: lone, ...options });
        await use(old);
        lone.free(old);
        const offset = lone.alloc(BYTES, ALIGN);
        await this.sleep(LONGER_THAN_A_SLICE_MS);
        const bytes = Array.from(new Uint8Array(lone.buffer, offset, BYTES));
        this.check(
            bytes.every((byte) => byte === 0),
            `a request for a freed ${kind} wrote to the next object at its address: ${bytes}`,
        );
        lone.free(offset);
    }

    /** Makes one more request that times out: if requests leave something behind, this one does too. */
    async probe() {
        lone ??= new LockSpace();
        const event = new Event({ space: lone });
        await event.waitAsync({ timeout: 0.1 }).catch(() => {});
        lone.free(event);
    }

    /** Waits until all requests have ended. */
    async settled() {
        for (let count = -1; count !== this.#asked.length;) {
            count = this.#asked.length;
            await Promise.all(this.#asked);
        }
        this.mailbox.settled();
        for (const { forget } of this.#signals.values()) {
            forget();
        }
    }
}

/** @type {LockSpace | undefined} this thread's own */
let lone;
