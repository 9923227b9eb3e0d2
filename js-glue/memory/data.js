/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isWhole, quoted, valueError } from '../options.js';
import { environment } from '../thread/environment.js';
import { SPACE_GRANULE } from './layout.js';
import { allocate } from './space.js';

/* A program's own data in a space, by name: a typed array. Its block begins with a header, the class and the
 * length, which is written before a record names the block (names.js). */

/** @typedef {import('./attachment.js').Attachment} Attachment */

/**
 * A class of typed arrays, as `Int32Array`.
 * @typedef {object} DataClass
 * @property {ArrayBufferView} prototype
 * @property {string} name
 * @property {number} BYTES_PER_ELEMENT
 */

/** The classes, by their numbers in headers. `@__PURE__` lets bundlers drop the call where it is unused. */
const CLASSES =
    /* @__PURE__ */ 'Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float32 Float64 BigInt64 BigUint64 Float16'.split(
        ' ',
    );

/** The kind of data in records of names. KINDS leaves this number free, and the next for holdfast/debug. */
export const DATA = SPACE_GRANULE - 2;

/* The words of the header. Their size keeps the data aligned for each class. */
const CLASS = 0;
const LENGTH = 1;
const HEADER_BYTES = 8;

/** @param {number} block */
export function dataBehind(block) {
    return block + HEADER_BYTES;
}

/** @param {Attachment} attachment @param {number} block */
function headerAt({ memory }, block) {
    return new Int32Array(memory.buffer, block, HEADER_BYTES / 4);
}

/** The array as consoles show it. @param {number} number of the class @param {number} length */
function text(number, length) {
    return `${CLASSES[number]}Array(${length})`;
}

/** @param {Attachment} attachment @param {number} block */
export function dataText(attachment, block) {
    const header = headerAt(attachment, block);
    return text(environment.load(header, CLASS), environment.load(header, LENGTH));
}

/**
 * @param {Attachment} attachment
 * @param {any} Class
 * @param {number} length
 * @returns {{ text: string, make: () => number, at: (block: number) => any }} `make`: gives a new block, with zeros;
 *     `at`: the array in a block
 * @throws {import('../errors.js').HoldfastError} `HF_BAD_OPTION`, `HF_BAD_COUNT`
 */
export function dataOf(attachment, Class, length) {
    const [, type = ''] = /^(\w+)Array$/.exec(Class?.name) ?? [];
    const number = CLASSES.indexOf(type);
    if (number < 0) {
        throw valueError(
            'HF_BAD_OPTION',
            'Pass the class of a typed array, such as Int32Array',
            Class?.name ?? Class,
        );
    }
    const { buffer } = attachment.memory;
    const most = Math.floor(buffer.byteLength / Class.BYTES_PER_ELEMENT);
    if (!isWhole(length, 1, most)) {
        throw valueError(
            'HF_BAD_COUNT',
            `length must be a whole number from 1 to ${most} (more with new LockSpace({ pages }))`,
            quoted(length),
        );
    }
    return {
        text: text(number, length),
        make() {
            const bytes = HEADER_BYTES + length * Class.BYTES_PER_ELEMENT;
            const block = allocate(attachment, bytes, SPACE_GRANULE);
            headerAt(attachment, block).set([number, length]);
            return block;
        },
        at: (block) => new Class(buffer, dataBehind(block), length),
    };
}
