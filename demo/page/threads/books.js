/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The data that the locks protect: two numbers each, equal outside of sections. A thread that dies in a
 * section leaves them different, until a repair. */

const WORDS_PER_BOOK = 2;

/** @param {number} books */
export function createBooks(books) {
    return new SharedArrayBuffer((books * WORDS_PER_BOOK + 1) * Int32Array.BYTES_PER_ELEMENT);
}

export class Books {
    #words;

    /** @param {SharedArrayBuffer} buffer */
    constructor(buffer) {
        this.#words = new Int32Array(buffer);
    }

    /** How often a section found its two numbers different. */
    get broken() {
        return Atomics.load(this.#words, this.#words.length - 1);
    }

    /** Reads a book without a change. @param {number} book */
    read(book) {
        const { first, second } = this.#of(book);
        if (first !== second) {
            Atomics.add(this.#words, this.#words.length - 1, 1);
        }
    }

    /** @param {number} book */
    begin(book) {
        this.read(book);
        this.#words[book * WORDS_PER_BOOK] = this.#of(book).first + 1;
    }

    /** @param {number} book */
    end(book) {
        this.#words[book * WORDS_PER_BOOK + 1] = this.#of(book).second + 1;
    }

    /** @param {number} book @returns {{ first: number, second: number }} as they were */
    repair(book) {
        const found = this.#of(book);
        this.#words[book * WORDS_PER_BOOK + 1] = found.first;
        return found;
    }

    /** @param {number} book */
    #of(book) {
        const [first = 0, second = 0] = this.#words.subarray(book * WORDS_PER_BOOK);
        return { first, second };
    }
}
