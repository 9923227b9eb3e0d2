/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isDead } from './locals.js';
import { addressOfHalf } from './memory.js';
import { entryOf, isAsync, NOBODY_IN_PARTICULAR, threadOf, wordOf } from './queue-entry.js';
import { ARMED, FELL_ASLEEP, NOT_EQUAL, resolved, WAIT_ASYNC } from './thread-call.js';
import * as q from './wait-queue.js';

/* Threads, and the queue of threads that wait on halves of words: what may happen next, and its effects. */

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('./machine.js').World} World
 * @typedef {import('./machine.js').Draft} Draft
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 *
 * @typedef {object} Move something that may happen next
 * @property {number} thread
 * @property {'atomic' | 'choice' | 'wait ends' | 'dies' | 'dies with its entries'} kind
 * @property {string} input of a choice
 * @property {number} entry the entry to wake
 * @property {boolean} due whether it happens if nothing else does
 *
 * @typedef {object} Circumstances
 * @property {'never' | 'perhaps' | 'surely'} [slices] whether waits are re-checked. `never`: every wake is
 *     needed; `perhaps`: no thread may depend on a re-check; `surely`: wakes may be lost
 * @property {boolean} [wakesAny] a wake of one may go to any waiter; else it goes to the first
 *
 * @typedef {object} Words functions of the machine that has the words
 * @property {(world: Draft, local: Local, atomic: Atomic) => void} access performs an instruction that is no wait and no wake
 * @property {(world: Draft, local: Local) => void} put
 * @property {(world: World, local: Local) => boolean} mayDie
 * @property {(world: Draft, thread: number) => void} died
 * @property {(world: World, atomic: Atomic) => boolean} hasToWait
 */

export class WaitingThreads {
    #locals;
    #memory;
    #words;
    #wakesAny;
    #circumstances;
    #ends;
    #copies;

    /**
     * @param {readonly import('./thread-call.js').Behaviour<any>[]} behaviours
     * @param {import('./locals.js').Locals} locals
     * @param {import('./memory.js').Memory} memory
     * @param {Circumstances} circumstances
     * @param {Words} words
     */
    constructor(behaviours, locals, memory, { slices = 'never', wakesAny = false }, words) {
        this.#locals = locals;
        this.#memory = memory;
        this.#words = words;
        this.#wakesAny = wakesAny;
        const reservationEndsAreDue = behaviours.some(({ isBusy, blocks }) => isBusy || blocks);
        this.#circumstances = { reservationEndsAreDue, wakesGetLost: slices === 'surely' };
        /** For each thread, the other copies of the package in it. */
        this.#copies = behaviours.map(({ self }, thread) =>
            behaviours.flatMap((other, at) =>
                at !== thread && self !== undefined && other.self === self ? [at] : [],
            ),
        );
        const areSliced = slices !== 'never';
        /** The kinds of wait that may end by themselves. */
        this.#ends = { nap: true, limit: true, watch: areSliced || reservationEndsAreDue, slice: areSliced };
    }

    /** @param {World} world */
    movesOf(world) {
        /** @type {Move[]} */
        const moves = [];
        for (const local of world.locals) {
            if (!this.#copies[local.thread]?.some((copy) => world.locals[copy]?.view.isRunning)) {
                this.#addSteps(moves, world, local);
            }
            this.#addDeaths(moves, world, local);
        }
        return moves;
    }

    /** @param {Move[]} moves @param {World} world @param {Local} local */
    #addSteps(moves, world, { thread, view: { atomic, choices, sleeps } }) {
        if (atomic && !this.#words.hasToWait(world, atomic)) {
            for (const entry of this.#whoMayBeWoken(world, atomic)) {
                moves.push({ thread, kind: 'atomic', input: '', entry, due: true });
            }
        }
        const entry = NOBODY_IN_PARTICULAR;
        for (const { input, due } of choices) {
            moves.push({ thread, kind: 'choice', input, entry, due: q.isDue(due, this.#circumstances) });
        }
        if (sleeps && this.#ends[sleeps]) {
            const due = q.isDue(q.DUE_END_OF[sleeps], this.#circumstances);
            moves.push({ thread, kind: 'wait ends', input: '', entry, due });
        }
    }

    /** The entries that a wake of one may reach. @param {World} world @param {Atomic} atomic */
    #whoMayBeWoken({ queue }, atomic) {
        const isForOne = atomic.name === 'memory.atomic.notify' && atomic.operands[0] === 1;
        if (!this.#wakesAny || !isForOne) {
            return [NOBODY_IN_PARTICULAR];
        }
        const half = this.#memory.halfOf(atomic);
        const entries = queue.filter((entry) => wordOf(entry) === half);
        return entries.length > 1 ? entries : [NOBODY_IN_PARTICULAR];
    }

    /** @param {Move[]} moves @param {World} world @param {Local} local */
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

    /** @param {Draft} world @param {Move} move */
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
                this.#goOn(world, local, q.TIMED_OUT);
                break;
            case 'dies with its entries':
                world.queue = world.queue.filter((other) => threadOf(other) !== thread);
                this.#die(world, thread);
                break;
            case 'dies':
                this.#die(world, thread);
        }
    }

    /** @param {Draft} world @param {Local} local @param {import('../wasm/interpreter.js').Value | string} input */
    #goOn(world, local, input) {
        this.#words.put(world, this.#locals.after(local, input));
    }

    /** @param {Draft} world @param {number} thread */
    #die(world, thread) {
        world.deaths += 1;
        world.locals[thread] = this.#locals.dead(thread);
        this.#words.died(world, thread);
    }

    /** @param {Draft} world @param {Local} local @param {number} entry the entry that a wake reaches */
    #perform(world, local, entry) {
        const atomic = /** @type {Atomic} */ (local.view.atomic);
        switch (atomic.name) {
            case 'memory.atomic.wait32':
                this.#goOn(world, local, this.#joins(world, local, false) ? FELL_ASLEEP : q.CHANGED);
                break;
            case WAIT_ASYNC:
                this.#goOn(world, local, this.#joins(world, local, true) ? ARMED : NOT_EQUAL);
                break;
            case 'memory.atomic.notify': {
                const woken = this.#wake(world, atomic, entry);
                // A thread may wake an entry of its own, so its present state counts.
                this.#goOn(world, /** @type {Local} */ (world.locals[local.thread]), woken);
                break;
            }
            default:
                this.#words.access(world, local, atomic);
        }
    }

    /**
     * Adds the thread to the queue, if the word has the expected value.
     * @param {Draft} world
     * @param {Local} local
     * @param {boolean} isAsync
     */
    #joins(world, { thread, view }, isAsync) {
        const atomic = /** @type {Atomic} */ (view.atomic);
        const half = this.#memory.halfOf(atomic);
        if (this.#memory.valueOfHalf(world.words, half) !== atomic.operands[0]) {
            return false;
        }
        world.queue = q.withEntry(world.queue, entryOf(thread, half, isAsync));
        return true;
    }

    /**
     * Wakes the first waiters on a word, or the chosen one. The result also counts entries of dead threads.
     * @param {Draft} world
     * @param {Atomic} atomic
     * @param {number} chosen
     */
    #wake(world, atomic, chosen) {
        const most = Number(atomic.operands[0]) >>> 0;
        const { left, taken } = q.takenFrom(world.queue, this.#memory.halfOf(atomic), most, chosen);
        world.queue = left;
        for (const entry of taken) {
            const sleeper = /** @type {Local} */ (world.locals[threadOf(entry)]);
            if (!isDead(sleeper)) {
                const address = addressOfHalf(wordOf(entry));
                this.#goOn(world, sleeper, isAsync(entry) ? resolved(address) : q.WOKEN);
            }
        }
        return taken.length;
    }
}
