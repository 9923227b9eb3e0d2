/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Shared words between the controller and a thread. One word says which side has the turn: the other side
 * sleeps on that word, and touches nothing. So only one of the controller and all threads runs at a time, and
 * all other words are plain data. */

const BYTES = 128;
const CONTROLLERS = 0;
const THREADS = 1;

const TURN = 0;
const KIND = 1;
const WHAT = 2;
const COUNT = 3;
const WORDS = 4;
const VALUES = (BYTES - WORDS * Int32Array.BYTES_PER_ELEMENT) / BigInt64Array.BYTES_PER_ELEMENT;

/** CALL_INSIDE is a call by the thread that holds the lock at the start. */
export const ORDER = { CALL: 1, CALL_INSIDE: 2, GO_ON: 3, ABANDON: 4 };

export const REPORT = { STANDS: 1, RETURNED: 2, RETURNED_I64: 3, TRAPPED: 4, ABANDONED: 5 };

/** @param {number} threads */
export function mailboxesFor(threads) {
    return new SharedArrayBuffer(threads * BYTES);
}

export class Mailbox {
    #words;
    #values;

    /** @param {SharedArrayBuffer} boxes @param {number} at */
    constructor(boxes, at) {
        this.#words = new Int32Array(boxes, at * BYTES, WORDS);
        this.#values = new BigInt64Array(boxes, at * BYTES + this.#words.byteLength, VALUES);
    }

    /* ---- For the side that has the turn ---- */

    get kind() {
        return this.#words[KIND];
    }

    get what() {
        return this.#words[WHAT] ?? 0;
    }

    get values() {
        return [...this.#values.subarray(0, this.#words[COUNT])];
    }

    /** @param {number} kind @param {number} what @param {readonly (number | bigint)[]} [values] */
    write(kind, what, values = []) {
        this.#words.set([kind, what, values.length], KIND);
        this.#values.set(values.map((value) => BigInt(value)));
    }

    /* ---- The turn. Each of these blocks ---- */

    /** @param {number} patience milliseconds @returns {boolean} whether the turn came back in time */
    giveTurn(patience) {
        return this.#handOver(THREADS, patience);
    }

    giveBack() {
        this.#handOver(CONTROLLERS, Infinity);
    }

    awaitTurn() {
        this.#sleepWhile(CONTROLLERS, Infinity);
    }

    /** @param {number} whose @param {number} patience */
    #handOver(whose, patience) {
        Atomics.store(this.#words, TURN, whose);
        Atomics.notify(this.#words, TURN, 1);
        return this.#sleepWhile(whose, patience);
    }

    /** @param {number} whose @param {number} patience */
    #sleepWhile(whose, patience) {
        while (Atomics.load(this.#words, TURN) === whose) {
            if (Atomics.wait(this.#words, TURN, whose, patience) === 'timed-out') {
                return false;
            }
        }
        return true;
    }
}
