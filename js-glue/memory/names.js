/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { describe, isWhole, quoted } from '../options.js';
import { environment } from '../thread/environment.js';
import { DATA, dataBehind, dataOf, dataText } from './data.js';
import { SPACE_ADDRESS, SPACE_GRANULE, SPACE_NAMES_OFFSET } from './layout.js';
import { construct, madeAt } from './placed.js';
import { allocate, attachments } from './space.js';

/* Names of objects in a space, visible to all its threads. Each name has a record in the space. The records
 * form a list that only grows, at its front, by compare-exchange. When a named object is freed, the `place`
 * in its record becomes 0, until the next object of that name writes its own. LockSpace passes these
 * functions to an attachment, so that pages without it do not load them. */

/**
 * @typedef {import('./attachment.js').Attachment} Attachment
 * @typedef {object} Named
 * @property {Int32Array} words of the record
 * @property {number} place the object's byte offset and the number of its kind; 0: it was freed
 * @property {Uint8Array} bytes of its name, with zeros behind
 *
 * @typedef {object} Names what a `LockSpace` brings to an attachment
 * @property {typeof naming} naming
 * @property {typeof named} named
 * @property {typeof nameAt} nameAt
 */

/**
 * The kinds, by their numbers in records: first those of hf__kind_at; '' stands for no class. `@__PURE__` lets
 * bundlers drop the call where it is unused.
 */
export const KINDS =
    /* @__PURE__ */ 'Mutex RwLock CountingSemaphore Condition Event Latch Barrier Once BinarySemaphore RecoverableRwLock RecoverableSemaphore RecursiveMutex KeyedMutex Channel   Answerer'.split(
        ' ',
    );

/** Named objects begin at multiples of SPACE_GRANULE, so the bits below hold the kind. */
const KIND_MASK = SPACE_GRANULE - 1;
/** Literals, since bundlers keep sums that nothing uses. */
const KIND_BITS = 4;

/** Spaces have at most 16 MiB, so the bits above an offset hold the rest of its kind's number. */
const OFFSET_BITS = 24;
const OFFSET_MASK = 0xff_fff0;

const NAME_BYTES = 32;

/* The words of a record; the name is behind them. */
const NEXT = 0;
const PLACE = 1;
const WORDS = 2;

/** @param {number} place */
export function kindAt(place) {
    return KINDS[((place >>> OFFSET_BITS) << KIND_BITS) | (place & KIND_MASK)] ?? '';
}

/** @param {number} place */
export function offsetOf(place) {
    return place & OFFSET_MASK;
}

/** @param {number} place */
function isData(place) {
    return (place & KIND_MASK) === DATA;
}

/** @param {string} message */
function nameError(message) {
    return new HoldfastError('HF_BAD_NAME', message);
}

/**
 * Encodes a name, since an audio worklet has no TextEncoder.
 * @param {string} name
 * @returns {number[]} empty if the name has half a surrogate pair
 */
function utf8(name) {
    try {
        const codes = encodeURIComponent(name).match(/%..|./g) ?? [];
        return codes.map((code) => (code[1] ? parseInt(code.slice(1), 16) : code.charCodeAt(0)));
    } catch {
        return [];
    }
}

/**
 * @typedef {object} Checked
 * @property {any} name
 * @property {number[]} bytes
 * @property {number} number of its kind
 */

/**
 * @param {unknown} name
 * @param {string} kind
 * @param {number} [number] of the kind
 * @returns {Checked}
 * @throws {HoldfastError} `HF_BAD_NAME`
 */
function checkName(name, kind, number = KINDS.indexOf(kind)) {
    const bytes = typeof name === 'string' ? utf8(name) : [];
    if (bytes.includes(0) || !isWhole(bytes.length, 1, NAME_BYTES)) {
        throw nameError(
            `A name has 1 to ${NAME_BYTES} bytes of UTF-8, none of them 0; this is ${describe(quoted(name))}.`,
        );
    }
    if (number < 0) {
        throw nameError(
            `Objects of a subclass that overrides KIND ('${kind}') cannot have a name in a space.`,
        );
    }
    return { name, bytes, number: ((number >> KIND_BITS) << OFFSET_BITS) | (number & KIND_MASK) };
}

/** @param {Attachment} attachment */
function headOf({ memory }) {
    return new Int32Array(memory.buffer, SPACE_ADDRESS + SPACE_NAMES_OFFSET, 1);
}

/** @param {Attachment} attachment @param {number} at of a record @returns {Named} */
function recordAt({ memory }, at) {
    const words = new Int32Array(memory.buffer, at, WORDS);
    const bytes = new Uint8Array(memory.buffer, at + WORDS * 4, NAME_BYTES);
    return { words, place: environment.load(words, PLACE), bytes };
}

/**
 * @param {Attachment} attachment
 * @param {Checked} checked
 * @param {number} [first] record to begin with; by default the newest
 */
function recordNamed(attachment, checked, first) {
    return namesIn(attachment, first).find(({ bytes }) =>
        bytes.every((byte, at) => byte === (checked.bytes[at] ?? 0)),
    );
}

/**
 * Returns the records of names, the newest first.
 * @param {Attachment} attachment
 * @param {number} [first] record to begin with; by default the newest
 */
export function namesIn(attachment, first) {
    const names = [];
    let at = attachment.isSpace ? (first ?? environment.load(headOf(attachment), 0)) : 0;
    while (at !== 0) {
        const record = recordAt(attachment, at);
        names.push(record);
        at = environment.load(record.words, NEXT);
    }
    return names;
}

/**
 * @param {Attachment} attachment
 * @param {number} byteOffset of a lock, or of data behind their header
 * @returns {Named | undefined}
 */
function recordOf(attachment, byteOffset) {
    return namesIn(attachment).find(({ place }) => {
        const start = isData(place) ? dataBehind(offsetOf(place)) : offsetOf(place);
        return place !== 0 && start === byteOffset;
    });
}

/** @param {Uint8Array} bytes */
export function nameIn(bytes) {
    const codes = [...bytes].filter(Boolean).map((byte) => (256 + byte).toString(16).replace('1', '%'));
    return decodeURIComponent(codes.join(''));
}

/** @param {Attachment} attachment @param {number} byteOffset @returns {string} '' if it has none */
export function nameAt(attachment, byteOffset) {
    return nameIn(recordOf(attachment, byteOffset)?.bytes ?? new Uint8Array());
}

/**
 * @param {Attachment} attachment
 * @param {number} byteOffset of what is freed
 * @returns {number} the address of its block; 0: it is a data block's header, which no program was given
 */
export function forgetName(attachment, byteOffset) {
    const record = recordOf(attachment, byteOffset);
    if (record === undefined) {
        const isOfData = namesIn(attachment).some(
            ({ place }) => isData(place) && offsetOf(place) === byteOffset,
        );
        return isOfData ? 0 : byteOffset;
    }
    environment.compareExchange(record.words, PLACE, record.place, 0);
    return offsetOf(record.place);
}

/**
 * @param {Attachment} attachment
 * @param {Pick<Checked, 'bytes'>} checked
 * @param {number} place
 * @returns {number} the address of a new record, not in the list yet
 */
function makeRecord(attachment, { bytes }, place) {
    const at = allocate(attachment, WORDS * 4 + NAME_BYTES, SPACE_GRANULE);
    new Uint8Array(attachment.memory.buffer, at + WORDS * 4, NAME_BYTES).set(bytes);
    environment.store(recordAt(attachment, at).words, PLACE, place);
    return at;
}

/** @param {Attachment} attachment @param {number} place of an object without a name */
export function linkRecord(attachment, place) {
    const head = headOf(attachment);
    const own = makeRecord(attachment, { bytes: [] }, place);
    let first;
    do {
        first = environment.load(head, 0);
        environment.store(recordAt(attachment, own).words, NEXT, first);
    } while (environment.compareExchange(head, 0, first, own) !== first);
}

/**
 * @param {Attachment} attachment
 * @param {Checked} checked
 * @param {number} place of the object that is to get the name
 * @returns {number} the place that has the name now. If another thread's object has it, or there was no room for the
 *     name, the block at `place` was freed
 */
function claim(attachment, checked, place) {
    const head = headOf(attachment);
    const { space_free: free } = attachment.exports;
    let own = 0;
    let claimed = 0;
    try {
        while (claimed === 0) {
            const first = environment.load(head, 0);
            const found = recordNamed(attachment, checked, first);
            if (found !== undefined) {
                claimed = environment.compareExchange(found.words, PLACE, 0, place) || place;
                free(own);
            } else {
                own ||= makeRecord(attachment, checked, place);
                environment.store(recordAt(attachment, own).words, NEXT, first);
                claimed = environment.compareExchange(head, 0, first, own) === first ? place : 0;
            }
        }
    } finally {
        if (claimed !== place) {
            free(offsetOf(place));
        }
    }
    return claimed;
}

/** Describes, for errors, what has the name. @param {Attachment} attachment @param {number} place */
function textOf(attachment, place) {
    return isData(place) ? dataText(attachment, offsetOf(place)) : `a ${kindAt(place)}`;
}

/**
 * @param {Attachment} attachment
 * @param {Checked} checked
 * @param {string} text what the caller asks for
 * @param {() => number} make makes the object, and gives its byte offset; another thread may be faster
 * @returns {number} the byte offset of what has the name
 * @throws {HoldfastError} `HF_BAD_NAME` if something else has it
 */
function placeNamed(attachment, checked, text, make) {
    const place =
        recordNamed(attachment, checked)?.place || claim(attachment, checked, make() | checked.number);
    const found = textOf(attachment, place);
    if (found !== text) {
        throw nameError(`'${checked.name}' is ${found}, not ${text}.`);
    }
    return offsetOf(place);
}

/**
 * @param {unknown} name
 * @param {string} kind
 * @returns {(attachment: Attachment, byteOffset: number) => void} gives an object that name
 * @throws {HoldfastError} `HF_BAD_NAME`
 */
export function naming(name, kind) {
    const checked = checkName(name, kind);
    return (attachment, byteOffset) => {
        const place = byteOffset | checked.number;
        if (claim(attachment, checked, place) !== place) {
            throw nameError(
                `The name '${name}' is taken in this space. To get the object of that name, call named() of the object's class.`,
            );
        }
    };
}

/**
 * Returns the object of that name, and makes it if there is none. For `Placed.named`.
 * @param {any} Class
 * @param {object} space
 * @param {unknown} name
 * @param {object} [options]
 * @throws {HoldfastError} `HF_BAD_NAME`
 */
export function named(Class, space, name, options) {
    const attachment = /** @type {Attachment} */ (attachments.get(space));
    const { KIND } = Class;
    const checked = checkName(name, KIND);
    const byteOffset = placeNamed(
        attachment,
        checked,
        `a ${KIND}`,
        () => construct({ shape: Class, space }, options).byteOffset,
    );
    return madeAt(Class, { memory: attachment.memory, byteOffset }, options);
}

/**
 * Returns the program's own data of that name, and makes them if there are none. For `LockSpace.named`.
 * @param {Attachment} attachment
 * @param {unknown} name
 * @param {any} Class
 * @param {number} length
 * @throws {HoldfastError} `HF_BAD_NAME`
 */
export function namedData(attachment, name, Class, length) {
    const { text, make, at } = dataOf(attachment, Class, length);
    return at(placeNamed(attachment, checkName(name, text, DATA), text, make));
}
