/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isDead } from './locals.js';
import { entryOf, isAsync, NOBODY_IN_PARTICULAR, threadOf, wordOf } from './queue-entry.js';
import { ARMED, FELL_ASLEEP, NOT_EQUAL, resolved, WAIT_ASYNC } from './thread-call.js';
import {
    CHANGED,
    DUE_END_OF,
    isDue,
    NOBODY,
    takenFrom,
    TIMED_OUT,
    whoMayBeWoken,
    withAsync,
    WOKEN,
} from './wait-queue.js';

/* Threads, and the queue of those who wait on words: what may happen to them next, and what comes of it. What the
 * words are is left to the machine that has them (machine.js). */

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 *
 * @typedef {object} Threads what there is of them in the worlds of all machines
 * @property {readonly Local[]} locals
 * @property {readonly number[]} queue of entries, see queue-entry.js, in the order made
 * @property {number} deaths
 *
 * @typedef {{ locals: Local[], queue: readonly number[], deaths: number }} Draft the same, to be changed
 *
 * @typedef {object} Move something that may happen next
 * @property {number} thread
 * @property {'atomic' | 'choice' | 'wait ends' | 'dies' | 'dies with its entries'} kind
 * @property {string} input of a choice
 * @property {number} entry
 * @property {boolean} due it will happen if nothing else does
 *
 * @typedef {object} Circumstances
 * @property {'never' | 'perhaps' | 'surely'} [slices] whether waits are re-checked: not at all, so that every wake is
 *     needed; or they may be, but nothing may depend on it; or they are, and wakes may be lost
 * @property {boolean} [wakesAny] a wake for one may go to any that waits; else it goes to the first
 */

/**
 * What the machine does that has the words. The place of one that is waited on is a small number.
 * @template W of its worlds
 * @template D of those that are changed
 * @typedef {object} Words
 * @property {(atomic: Atomic) => number} placeOf what a wait or a wake is about
 * @property {(world: D, place: number) => number} valueAt what a wait there compares
 * @property {(place: number) => string | number} nameAt what an event loop calls the word there
 * @property {(world: D, local: Local, atomic: Atomic) => void} access performs what is no wait and no wake
 * @property {(world: D, local: Local) => void} put a thread is in that state now
 * @property {(world: W, local: Local) => boolean} mayDie
 * @property {(world: D, thread: number) => void} [died]
 * @property {(world: W, atomic: Atomic) => boolean} [hasToWait] whether a thread may not perform that yet
 */

/** @template {Threads} W @template {Draft} D */
export class WaitingThreads {
    #behaviours;
    #locals;
    #words;
    #slices;
    #wakesAny;
    #reservationsEnd;
    #ends;
    #copies;

    /**
     * @param {readonly import('./thread-call.js').Behaviour<any>[]} behaviours
     * @param {import('./locals.js').Locals} locals
     * @param {Words<W, D>} words
     * @param {Circumstances} circumstances
     */
    constructor(behaviours, locals, words, { slices = 'never', wakesAny = false }) {
        this.#behaviours = behaviours;
        this.#locals = locals;
        this.#words = words;
        this.#slices = slices;
        this.#wakesAny = wakesAny;
        this.#reservationsEnd = behaviours.some(({ isBusy, blocks }) => isBusy || blocks);
        /** Of each thread the others that are copies of the package in the same one. */
        this.#copies = behaviours.map(({ self }, thread) =>
            behaviours.flatMap((other, at) =>
                at !== thread && self !== undefined && other.self === self ? [at] : [],
            ),
        );
        const areSliced = slices !== 'never';
        /** Which waits may end by themselves. */
        this.#ends = { nap: true, limit: true, watch: areSliced || this.#reservationsEnd, slice: areSliced };
    }

    /** Where slices are due, a thread may look again and again before a shorter time ends. */
    get hasTellingCycles() {
        return this.#slices !== 'surely';
    }

    /** @param {W} world */
    isDone({ locals }) {
        return locals.every(({ view }) => view.isDone);
    }

    /** Whether all have come to their end but those that may be busy. @param {W} world */
    isServed({ locals }) {
        return locals.every(({ view, thread }) => view.isDone || this.#behaviours[thread]?.isBusy);
    }

    /** @param {import('./thread-call.js').Due} due */
    #isDue(due) {
        return isDue(due, {
            reservationsEnd: this.#reservationsEnd,
            wakesGetLost: this.#slices === 'surely',
        });
    }

    /** Everything that may happen next. @param {W} world */
    movesOf(world) {
        const { locals } = world;
        /** @type {Move[]} */
        const moves = [];
        for (const local of locals) {
            if (!this.#copies[local.thread]?.some((copy) => locals[copy]?.view.isRunning)) {
                this.#addSteps(moves, world, local);
            }
            this.#addDeaths(moves, world, local);
        }
        return moves;
    }

    /** @param {Move[]} moves to be added to @param {W} world @param {Local} local */
    #addSteps(moves, world, { thread, view: { atomic, choices, sleeps } }) {
        if (atomic && !this.#words.hasToWait?.(world, atomic)) {
            const woken = this.#wakesAny ? whoMayBeWoken(world.queue, atomic, this.#words.placeOf) : NOBODY;
            for (const entry of woken) {
                moves.push({ thread, kind: 'atomic', input: '', entry, due: true });
            }
        }
        const entry = NOBODY_IN_PARTICULAR;
        for (const { input, due } of choices) {
            moves.push({ thread, kind: 'choice', input, entry, due: this.#isDue(due) });
        }
        if (sleeps && this.#ends[sleeps]) {
            const due = this.#isDue(DUE_END_OF[sleeps]);
            moves.push({ thread, kind: 'wait ends', input: '', entry, due });
        }
    }

    /** @param {Move[]} moves to be added to @param {W} world @param {Local} local */
    #addDeaths(moves, world, local) {
        const { thread } = local;
        if (local.view.isDone || !this.#words.mayDie(world, local)) {
            return;
        }
        const death = { thread, input: '', entry: NOBODY_IN_PARTICULAR, due: false };
        moves.push({ ...death, kind: 'dies' });
        if (world.queue.some((entry) => threadOf(entry) === thread)) {
            moves.push({ ...death, kind: 'dies with its entries' });
        }
    }

    /** Makes the world what it is after a move. @param {D} world @param {Move} move */
    happen(world, { thread, kind, input, entry }) {
        const local = /** @type {Local} */ (world.locals[thread]);
        switch (kind) {
            case 'atomic':
                this.#perform(world, local, entry);
                break;
            case 'choice':
                this.#goOn(world, local, input);
                break;
            case 'wait ends':
                world.queue = world.queue.filter((other) => isAsync(other) || threadOf(other) !== thread);
                this.#goOn(world, local, TIMED_OUT);
                break;
            case 'dies with its entries':
                world.queue = world.queue.filter((other) => threadOf(other) !== thread);
                this.#die(world, thread);
                break;
            case 'dies':
                this.#die(world, thread);
        }
    }

    /** @param {D} world @param {Local} local @param {import('../wasm/interpreter.js').Value | string} input */
    #goOn(world, local, input) {
        this.#words.put(world, this.#locals.after(local, input));
    }

    /** @param {number} entry of an event loop */
    #comesBack(entry) {
        return resolved(this.#words.nameAt(wordOf(entry)));
    }

    /** @param {D} world @param {number} thread */
    #die(world, thread) {
        world.deaths += 1;
        world.locals[thread] = this.#locals.dead(thread);
        this.#words.died?.(world, thread);
    }

    /**
     * @param {D} world
     * @param {Local} local
     * @param {number} wakes the entry that a wake goes to, or nobody in particular
     */
    #perform(world, local, wakes) {
        const atomic = /** @type {Atomic} */ (local.view.atomic);
        const count = Number(atomic.operands[0]) >>> 0;
        switch (atomic.name) {
            case 'memory.atomic.wait32':
                this.#goOn(world, local, this.#joins(world, local, false) ? FELL_ASLEEP : CHANGED);
                break;
            case WAIT_ASYNC:
                this.#goOn(world, local, this.#joins(world, local, true) ? ARMED : NOT_EQUAL);
                break;
            case 'memory.atomic.notify': {
                const woken = this.#wake(world, this.#words.placeOf(atomic), count, wakes);
                // A thread may wake an entry of its own, so what it is now counts.
                this.#goOn(world, /** @type {Local} */ (world.locals[local.thread]), woken);
                break;
            }
            default:
                this.#words.access(world, local, atomic);
        }
    }

    /**
     * A thread joins the queue, if the word is what it expects.
     * @param {D} world @param {Local} local @param {boolean} isAsync
     */
    #joins(world, { thread, view }, isAsync) {
        const atomic = /** @type {Atomic} */ (view.atomic);
        const place = this.#words.placeOf(atomic);
        if (this.#words.valueAt(world, place) !== atomic.operands[0]) {
            return false;
        }
        const entry = entryOf(thread, place, isAsync);
        world.queue = isAsync ? withAsync(world.queue, entry) : [...world.queue, entry];
        return true;
    }

    /**
     * Wakes the first that wait in a place, or that one.
     * @param {D} world
     * @param {number} place
     * @param {number} most
     * @param {number} chosen
     * @returns {number} how many entries that took, those of dead threads too
     */
    #wake(world, place, most, chosen) {
        const { left, taken } = takenFrom(world.queue, place, most, chosen);
        world.queue = left;
        for (const entry of taken) {
            const sleeper = /** @type {Local} */ (world.locals[threadOf(entry)]);
            if (!isDead(sleeper)) {
                this.#goOn(world, sleeper, isAsync(entry) ? this.#comesBack(entry) : WOKEN);
            }
        }
        return taken.length;
    }
}
