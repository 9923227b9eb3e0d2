/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What the controller and one thread of the engine say to each other, in shared words. One word says whose turn it
 * is; who has not the turn sleeps on it, or is about to, and touches nothing. So of all threads and the controller
 * exactly one runs at any time, and all other words are plain data that the turn hands over. */

const BYTES = 128;
const CONTROLLERS = 0;
const THREADS = 1;

const TURN = 0;
const KIND = 1;
const WHAT = 2;
const ADDRESS = 3;
const COUNT = 4;
const PARAMETERS = 5;
const WORDS = BYTES / Int32Array.BYTES_PER_ELEMENT;

/** Where the 64-bit values stand: behind the words. */
const VALUES = 8;
const VALUE_COUNT = 2;

/** What the controller may ask for; CALL_INSIDE: a call by a thread that has the lock before anything ran. */
export const ORDER = { CALL: 1, CALL_INSIDE: 2, GO_ON: 3, ABANDON: 4 };

/** What a thread may have come to. */
export const REPORT = { STANDS: 1, RETURNED: 2, RETURNED_I32: 3, RETURNED_I64: 4, TRAPPED: 5, ABANDONED: 6 };

/** @param {number} count of threads */
export function mailboxesFor(count) {
    return new SharedArrayBuffer(count * BYTES);
}

export class Mailbox {
    #words;
    #values;

    /**
     * @param {SharedArrayBuffer} boxes
     * @param {number} at the thread's place
     */
    constructor(boxes, at) {
        this.#words = new Int32Array(boxes, at * BYTES, WORDS);
        this.#values = new BigInt64Array(
            boxes,
            at * BYTES + VALUES * BigInt64Array.BYTES_PER_ELEMENT,
            VALUE_COUNT,
        );
    }

    /* ---- What the words say, for who has the turn ---- */

    get kind() {
        return this.#words[KIND];
    }

    get what() {
        return this.#words[WHAT] ?? 0;
    }

    get address() {
        return this.#words[ADDRESS] ?? 0;
    }

    get parameters() {
        return [...this.#words.subarray(PARAMETERS, PARAMETERS + (this.#words[COUNT] ?? 0))];
    }

    /** @param {number} at */
    value(at) {
        return this.#values[at] ?? 0n;
    }

    /**
     * @param {number} kind
     * @param {number} what
     * @param {readonly number[]} [parameters]
     */
    write(kind, what, parameters = []) {
        this.#words[KIND] = kind;
        this.#words[WHAT] = what;
        this.#words[COUNT] = parameters.length;
        this.#words.set(parameters, PARAMETERS);
    }

    /**
     * @param {number} address
     * @param {bigint} first
     * @param {bigint} second
     */
    writeOperands(address, first, second) {
        this.#words[ADDRESS] = address;
        this.#values[0] = first;
        this.#values[1] = second;
    }

    /* ---- The turn ---- */

    /**
     * Gives the thread the turn, and waits until it comes back. Blocks.
     * @param {number} patience milliseconds
     * @returns {boolean} whether it came back in time
     */
    giveTurn(patience) {
        return this.#handOver(THREADS, patience);
    }

    /** Gives the controller the turn, and waits for the next. Blocks. */
    giveBack() {
        this.#handOver(CONTROLLERS, Infinity);
    }

    /** Waits for the first turn. Blocks. */
    awaitTurn() {
        this.#sleepWhile(CONTROLLERS, Infinity);
    }

    /**
     * @param {number} whose
     * @param {number} patience
     */
    #handOver(whose, patience) {
        Atomics.store(this.#words, TURN, whose);
        Atomics.notify(this.#words, TURN, 1);
        return this.#sleepWhile(whose, patience);
    }

    /**
     * @param {number} whose
     * @param {number} patience
     */
    #sleepWhile(whose, patience) {
        while (Atomics.load(this.#words, TURN) === whose) {
            if (Atomics.wait(this.#words, TURN, whose, patience) === 'timed-out') {
                return false;
            }
        }
        return true;
    }
}
