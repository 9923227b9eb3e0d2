/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_OK, STEP_KIND_ASYNC, STEP_KIND_POLLING } from '../memory/layout.js';
import { environment } from '../thread/environment.js';
import { PROBE_AFTER_MS } from '../thread/times.js';
import { outcomeIn, tokenOf } from '../waiting/outcome.js';

/** @typedef {import('../waiting/queue.js').Waitable} Waitable */
/** @typedef {import('../thread/event-loop.js').Word} Word */

const BYTES_OF_WORD = 4;
const WORD_SHIFT = 2;

/** A word outside the gate. @type {any} */
const BESIDE = 'beside';

/** The program's memory as words. Other threads may grow it at any time. */
class Words {
    #memory;
    /** @type {Int32Array} */
    #words = new Int32Array(0);

    /** @param {() => WebAssembly.Memory} memory */
    constructor(memory) {
        this.#memory = memory;
    }

    /**
     * @param {number} address negative from 2 GiB up, as C passes it
     * @returns {{ words: Int32Array, index: number }}
     */
    at(address) {
        const index = address >>> WORD_SHIFT;
        if (index >= this.#words.length) {
            this.#words = new Int32Array(this.#memory().buffer);
        }
        return { words: this.#words, index };
    }

    /** @param {number} address */
    read(address) {
        const { words, index } = this.at(address);
        return environment.load(words, index);
    }
}

/** An object of the program for which one of its threads waits. @implements {Waitable} */
export class Waited {
    /** No table: waits of C threads are shown in no slot. */
    attachment = { table: 0 };
    /** The result of the last step that ended a wait. */
    result = RESULT_OK;
    #program;
    #object;
    #self;
    #words;
    #since = 0;

    /**
     * @param {import('./callbacks.js').Program} program
     * @param {number} how hf__waited of c-src/async.c
     * @param {number} object
     * @param {number} self
     */
    constructor(program, how, object, self) {
        this.#program = program;
        this.#object = object;
        this.#self = self;
        this.#words = new Words(program.memory);
        const field = (/** @type {number} */ at) => this.#words.read(how + BYTES_OF_WORD * at);
        this.functions = { step: field(0), withdraw: field(1), end: field(2), probe: field(3) };
        /** `beside`: the offset of the word that the last step waits on; 0: a word of the gate. */
        this.offsets = { turn: field(4), line: field(5), sees: field(6), beside: 0 };
    }

    isOver() {
        return this.#program.isOver();
    }

    get reserves() {
        return this.functions.withdraw !== 0;
    }

    /** @type {Waitable['step']} */
    step(ask, comesLate, isArmed, watched, waited) {
        const { reserves } = this;
        const result = this.#program.step(
            this.functions.step,
            this.#object,
            this.#self,
            comesLate ? STEP_KIND_POLLING : STEP_KIND_ASYNC,
            reserves ? tokenOf(isArmed, watched, waited) : 0,
            ask,
        );
        const outcome = outcomeIn(
            this.#words.read(result),
            this.#words.read(result + BYTES_OF_WORD),
            reserves,
        );
        this.result = outcome.expected;
        this.offsets.beside = this.#words.read(result + 2 * BYTES_OF_WORD);
        return this.offsets.beside ? { ...outcome, word: BESIDE } : outcome;
    }

    withdraw() {
        if (this.reserves) {
            this.#program.withdraw(this.functions.withdraw, this.#object, this.#self);
        }
    }

    /** @param {number} ask */
    giveUp(ask) {
        if (this.functions.end === 0) {
            return false;
        }
        this.result = RESULT_OK;
        return this.#program.end(this.functions.end, this.#object, ask) === RESULT_OK;
    }

    /** @param {Word} word */
    locate(word) {
        return this.#words.at(this.#object + this.offsets[word]);
    }

    /** @type {Waitable['read']} */
    read(word) {
        const { turn, sees, beside } = this.offsets;
        return this.#words.read(this.#object + (beside || (word === 'turn' ? turn : sees)));
    }

    /** @type {Waitable['probe']} */
    probe(goesOn) {
        if (this.functions.probe !== 0) {
            const now = environment.now();
            if (!goesOn) {
                this.#since = now;
            }
            this.#program.probe(this.functions.probe, this.#object, now - this.#since >= PROBE_AFTER_MS);
        }
    }

    /** Always false: only JavaScript has sections. */
    isMine() {
        return false;
    }
}
