/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Words that the members write, for the page to draw: the state of each, and the amount inside, which reveals
 * a lock that lets in too many. They are not part of the lock. */

const PHASE = 0;
const INSIDE = 1;
const BROKEN = 2;
const MEMBERS = 3;
const WORDS_PER_MEMBER = 2;
const STATE = 0;
const TURNS = 1;

const OPEN = 0;
const CLOSED = 1;

export const RESTING = 0;
export const WAITING = 1;
export const IN_TURN = 2;

/** @param {number} members */
export function createTurnWords(members) {
    const words = MEMBERS + members * WORDS_PER_MEMBER;
    return new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT);
}

export class TurnWords {
    #words;
    #limit;

    /** @param {SharedArrayBuffer} buffer @param {number} limit the most that may be inside */
    constructor(buffer, limit) {
        this.#words = new Int32Array(buffer);
        this.#limit = limit;
    }

    /** @param {number} member */
    stateOf(member) {
        return Atomics.load(this.#words, this.#index(member, STATE));
    }

    /** @param {number} member */
    turnsOf(member) {
        return Atomics.load(this.#words, this.#index(member, TURNS));
    }

    /** How often more was inside than allowed. */
    get broken() {
        return Atomics.load(this.#words, BROKEN);
    }

    get isOpen() {
        return Atomics.load(this.#words, PHASE) === OPEN;
    }

    close() {
        Atomics.store(this.#words, PHASE, CLOSED);
        Atomics.notify(this.#words, PHASE);
    }

    /** Blocks: for that time, or until it is closed. Callable from: workers. @param {number} ms */
    sleep(ms) {
        Atomics.wait(this.#words, PHASE, OPEN, ms);
    }

    /** @param {number} member */
    queues(member) {
        this.#set(member, WAITING);
    }

    /** @param {number} member @param {number} amount its amount of the limit */
    begins(member, amount) {
        if (Atomics.add(this.#words, INSIDE, amount) + amount > this.#limit) {
            Atomics.add(this.#words, BROKEN, 1);
        }
        this.#set(member, IN_TURN);
    }

    /** @param {number} member @param {number} amount */
    ends(member, amount) {
        this.#set(member, RESTING);
        Atomics.add(this.#words, this.#index(member, TURNS), 1);
        Atomics.sub(this.#words, INSIDE, amount);
    }

    /** @param {number} member @param {number} state */
    #set(member, state) {
        Atomics.store(this.#words, this.#index(member, STATE), state);
    }

    /** @param {number} member @param {number} word */
    #index(member, word) {
        return MEMBERS + member * WORDS_PER_MEMBER + word;
    }
}
