/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { randomOf } from '../support/seed.js';

/* Draws the parts of programs: objects, limits, requests, waits. */

/** @typedef {import('./switches.js').On} On */
/** @typedef {import('./program.js').Step} Step */

const TIMEOUTS_MS = [0, 0.5, 2, 5, 12, 30, 1e6, 1e12, Infinity];
const WORKS_MS = [0, 0, 0.1, 0.5, 2];
const SLEEPS_MS = [1, 1, 3, 8, 20];
const ENDS = ['returns', 'returns', 'throws', 'awaits', 'turns', 'sleeps', 'sleeps', 'rejects', 'thenable'];
const LOCKS = ['Mutex', 'OneKey', 'RwLock', 'BinarySemaphore', 'CountingSemaphore'];
const OTHERS = ['Condition', 'Event', 'AutoEvent', 'Latch', 'Barrier', 'Once'];
/** Classes whose `at` makes a new object, with options, where another object was. */
const MADE_BY_AT = ['BinarySemaphore', 'CountingSemaphore', 'Event', 'AutoEvent', 'Latch', 'Barrier'];

export class Draw {
    #names = 0;

    /** @param {number} seed @param {On} on */
    constructor(seed, on) {
        this.random = randomOf(seed);
        this.on = on;
        /** @type {import('./objects.js').ObjectSpec[]} */
        this.objects = [];
        /** @type {Record<string, import('./signals.js').SignalSpec>} the signals of the thread that is being
         * drawn */
        this.signals = {};
        // Programs differ in what is frequent, so that rare combinations occur too.
        this.sharing = this.pick([0.3, 0.6, 0.95]);
        this.limiting = { timeout: this.pick([0, 0.2, 0.5, 0.8]), signal: this.pick([0.1, 0.4, 0.7, 0.9]) };
    }

    /** @template T @param {readonly T[]} list @returns {T} */
    pick(list) {
        return /** @type {T} */ (list[this.random.below(list.length)]);
    }

    /** @param {number} p */
    chance(p) {
        return this.random.chance(p);
    }

    /** @param {string} letter */
    #name(letter) {
        this.#names += 1;
        return `${letter}${this.#names - 1}`;
    }

    /** @param {string} kind @param {any} [options] @param {number} [space] */
    add(kind, options, space = this.random.below(2)) {
        const realKind = kind === 'AutoEvent' ? 'Event' : kind;
        const isDirty = this.on['dirtyMemory'] && MADE_BY_AT.includes(kind) && this.chance(0.5);
        const spec = {
            name: this.#name(realKind[0]?.toLowerCase() ?? 'o'),
            kind: realKind,
            space,
            ...(options && { options }),
            ...(isDirty && { dirty: 1 + this.random.below(2 ** 32 - 1) }),
        };
        this.objects.push(spec);
        return /** @type {import('./objects.js').ObjectSpec} */ (spec);
    }

    lock(kind = this.pick(LOCKS)) {
        return this.add(kind, kind === 'CountingSemaphore' ? { max: 1 + this.random.below(5) } : undefined);
    }

    /** @param {number} threads */
    other(threads) {
        const kind = this.pick(OTHERS);
        switch (kind) {
            case 'Condition': {
                const mutex = this.objects.find((spec) => spec.kind === 'Mutex') ?? this.lock('Mutex');
                const spec = this.add('Condition', undefined, mutex.space);
                spec.mutex = mutex.name;
                return spec;
            }
            case 'Latch':
                return this.add(kind, { count: 1 + this.random.below(4) });
            case 'Barrier':
                return this.add(kind, { parties: 1 + this.random.below(Math.max(threads, 2)) });
            case 'Event':
            case 'AutoEvent':
                return this.add(kind, { autoReset: kind === 'AutoEvent' });
            default:
                return this.add(kind);
        }
    }

    /** @param {import('./objects.js').ObjectSpec} spec @returns {number | string | undefined} */
    ask({ kind, options }) {
        switch (kind) {
            case 'RwLock':
                return this.pick(['shared', 'exclusive']);
            case 'CountingSemaphore':
                return 1 + this.random.below(options.max);
            default:
                return 1;
        }
    }

    /** @returns {string} the name of a signal, new or shared with other requests */
    signal() {
        const names = Object.keys(this.signals);
        if (this.on['sharedSignals'] && names.length > 0 && this.chance(this.sharing)) {
            return this.pick(names);
        }
        const name = `signal${names.length}`;
        this.signals[name] = {
            after: this.pick(['never', 'microtask', 0, 1, 3, 10, 'never']),
            ...(this.chance(0.15) && { isPolyfilled: true }),
        };
        return name;
    }

    /** @returns {import('./program.js').Limits} */
    limits() {
        const timeout = this.chance(this.limiting.timeout) ? this.pick(TIMEOUTS_MS) : undefined;
        const signal = this.chance(this.limiting.signal) ? this.signal() : undefined;
        return { ...(timeout !== undefined && { timeout }), ...(signal && { signal }) };
    }

    /** The signals that only a step of the program aborts. */
    #neverAborting() {
        return Object.entries(this.signals)
            .filter(([, { after }]) => after === 'never')
            .map(([name]) => name);
    }

    body() {
        const never = this.#neverAborting();
        return {
            work: this.pick(WORKS_MS),
            ends: this.pick(ENDS),
            sleep: this.pick(SLEEPS_MS),
            ...(never.length > 0 && this.chance(0.15) && { aborts: this.pick(never) }),
        };
    }

    /** @param {import('./objects.js').ObjectSpec} spec @param {Step[]} [inner] @returns {Step} */
    request(spec, inner) {
        const limits = this.limits();
        const body = this.body();
        return {
            do: 'request',
            object: spec.name,
            ask: this.ask(spec),
            style: this.pick(['section', 'section', 'guard']),
            limits,
            body: inner ? { ...body, inner } : body,
            awaited: this.chance(0.3),
        };
    }

    /** @param {import('./objects.js').ObjectSpec} spec @returns {Step} */
    block(spec) {
        return {
            do: 'block',
            object: spec.name,
            ask: this.ask(spec),
            style: this.pick(['lock', 'try', 'try', 'exec', 'acquire']),
            timeout: this.pick(TIMEOUTS_MS),
            work: this.pick(WORKS_MS),
            ends: this.pick(['returns', 'throws']),
        };
    }

    /** @param {import('./objects.js').ObjectSpec} spec */
    #predicate({ kind }) {
        if (kind !== 'Condition' || this.chance(0.6)) {
            return {};
        }
        return { predicate: this.on['asyncPredicates'] && this.chance(0.3) ? 'async' : this.random.below(3) };
    }

    /** @param {import('./objects.js').ObjectSpec} spec @returns {Step} */
    wait(spec) {
        return {
            do: 'waitAsync',
            object: spec.name,
            ...(spec.mutex && { mutex: spec.mutex }),
            ...this.#predicate(spec),
            limits: this.limits(),
            awaited: this.chance(0.3),
        };
    }

    /** @param {import('./objects.js').ObjectSpec} spec @returns {Step} */
    waitBlock(spec) {
        return {
            do: 'waitBlock',
            object: spec.name,
            ...(spec.mutex && { mutex: spec.mutex }),
            ...this.#predicate(spec),
            timeout: this.pick([0.5, 2, 5, 12, 30, 1e6, 1e12]),
        };
    }

    /**
     * Draws the event that other threads wait for.
     * @param {import('./objects.js').ObjectSpec} spec
     * @returns {Step}
     */
    call({ name, kind }) {
        switch (kind) {
            case 'Event':
                return { do: 'call', object: name, method: this.pick(['set', 'set', 'reset']) };
            case 'Latch':
                return { do: 'call', object: name, method: 'countDown', argument: 1 };
            default:
                return { do: 'call', object: name, method: 'notify', argument: 1 + this.random.below(3) };
        }
    }

    /** @param {import('./objects.js').ObjectSpec} spec @param {boolean} blocks @returns {Step} */
    once(spec, blocks) {
        const { work, ends, sleep } = this.body();
        return {
            do: 'once',
            object: spec.name,
            style: blocks && this.chance(0.5) ? 'run' : 'runAsync',
            work,
            sleep,
            ends: blocks ? this.pick(['returns', 'throws']) : ends,
            limits: this.limits(),
            awaited: this.chance(0.3),
        };
    }

    /** @returns {Step} a step between requests */
    between() {
        const never = this.#neverAborting();
        if (never.length > 0 && this.chance(0.4)) {
            return { do: 'abort', signal: this.pick(never) };
        }
        return this.chance(0.3)
            ? { do: 'busy', work: this.pick([1, 5, 20]) }
            : { do: 'pause', how: this.pick(['microtask', 'turn', 1, 4, 15]) };
    }
}
