/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Violation } from './violation.js';

/* The words of several objects in one memory. Each has 32 or 64 bits and one address; a wait compares half a word. The explorers
 * keep the values, as lists in the order of the words. */

/**
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('./objects.js').Word & { address: number }} Word
 */

/** The address of the first object. Any aligned address would do. */
export const FIRST_ADDRESS = 1024;

const HALF_BYTES = 4;
const HALF_BITS = 32;
const LONG_BYTES = 8;

export class Memory {
    /** @type {Word[]} */
    #words = [];
    /** The index of each word in the lists of values, by address. @type {Map<number, number>} */
    #at = new Map();
    #end = FIRST_ADDRESS;

    /**
     * Adds an object behind the others, and returns its address.
     * @param {string} name @param {readonly import('./objects.js').Word[]} words
     */
    place(name, words) {
        const address = this.#end;
        for (const word of words) {
            this.#at.set(this.#end, this.#words.length);
            const full = word.name ? `${name}.${word.name}` : name;
            this.#words.push({ ...word, name: full, address: this.#end });
            this.#end += word.bytes;
        }
        this.#end += (LONG_BYTES - (this.#end % LONG_BYTES)) % LONG_BYTES;
        return address;
    }

    /** @returns {Value[]} */
    zeros() {
        return this.#words.map(({ bytes }) => (bytes === LONG_BYTES ? 0n : 0));
    }

    /** The index of a word in the lists of values. @param {Atomic} atomic */
    indexOf({ name, address }) {
        const index = this.#at.get(address);
        const bytes = name.startsWith('i64') ? LONG_BYTES : HALF_BYTES;
        if (index === undefined || this.#words[index]?.bytes !== bytes) {
            throw new Violation(`${name} at ${this.nameOf(address)}, where there is no word of that size`);
        }
        return index;
    }

    /** @param {Atomic} atomic */
    isConstant({ name, address }) {
        return name === 'i32.atomic.load' && (this.#words[this.#at.get(address) ?? -1]?.isConstant ?? false);
    }

    /** The index of a word that plain instructions access. @param {Atomic} access */
    ownedIndexOf(access) {
        const index = this.indexOf(access);
        if (!this.#words[index]?.isOwned) {
            throw new Violation(`${access.name} at ${this.nameOf(access.address)}, which others may use`);
        }
        return index;
    }

    /** @param {readonly Value[]} values @param {number} address */
    wordAt(values, address) {
        return /** @type {Value} */ (values[this.#at.get(address) ?? -1]);
    }

    /** @param {number} address */
    #wordAround(address) {
        return this.#words.find((word) => address >= word.address && address < word.address + word.bytes);
    }

    /** The number of half a word. @param {Atomic} atomic */
    halfOf({ name, address }) {
        const word = address % HALF_BYTES === 0 ? this.#wordAround(address) : undefined;
        if (!word || word.isQuiet) {
            throw new Violation(`${name} at ${this.nameOf(address)}, where nobody waits`);
        }
        return (address - FIRST_ADDRESS) / HALF_BYTES;
    }

    /** The value of half a word, as a signed i32. @param {readonly Value[]} values @param {number} half */
    valueOfHalf(values, half) {
        const address = addressOfHalf(half);
        const word = /** @type {Word} */ (this.#wordAround(address));
        const value = values[this.#at.get(word.address) ?? -1] ?? 0;
        const shifted = BigInt(value) >> BigInt(address === word.address ? 0 : HALF_BITS);
        return Number(BigInt.asIntN(HALF_BITS, shifted));
    }

    /** @param {number} address */
    nameOf(address) {
        const word = this.#wordAround(address);
        return word ? `${word.name}${address === word.address ? '' : ' (upper half)'}` : String(address);
    }

    /** @param {readonly Value[]} values */
    describe(values) {
        return this.#words.map(({ name }, index) => `${name} ${hex(values[index] ?? 0)}`).join(', ');
    }
}

/** True if the access is not atomic. @param {Pick<Atomic, 'name'>} access */
export function isOwnersAccess({ name }) {
    return name === 'i32.load' || name === 'i32.store';
}

/** @param {number} half */
export function addressOfHalf(half) {
    return FIRST_ADDRESS + half * HALF_BYTES;
}

/** @param {Value} value */
export function hex(value) {
    return typeof value === 'bigint'
        ? `0x${BigInt.asUintN(HALF_BITS + HALF_BITS, value).toString(16)}`
        : `0x${(value >>> 0).toString(16)}`;
}
