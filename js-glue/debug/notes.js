/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { attachmentsHere } from '../memory/attachment.js';
import { SPACE_GRANULE } from '../memory/layout.js';
import { linkRecord, namesIn, offsetOf } from '../memory/names.js';
import { allocate } from '../memory/space.js';
import { slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';

/* Call sites that other threads read. A thread that blocks can neither send nor receive messages, so they stand in the space
 * itself: a block for each thread whose waits or sections have lasted, as a record in the list of names that names nothing.
 * Written when something has lasted, so locks stay fast. Also says which slots in several spaces are of one thread. */

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 *
 * @typedef {object} Taken
 * @property {number} at byte offset of the lock
 * @property {string} by the method that took it
 * @property {string | undefined} [name] of the object by which it did
 * @property {string} from the stack of that call
 * @property {number} since as `environment.date()` tells it; 0: not known
 *
 * @typedef {object} Asked
 * @property {string} by the method that waits; '' if it is not known
 * @property {string} from the stack of that call
 *
 * @typedef {object} Note
 * @property {Taken[]} holds in that memory
 * @property {Asked} asks
 */

/** The kind of such a record: none of KINDS. */
const NOTE = SPACE_GRANULE - 1;

const NOTE_BYTES = 1024;

/* The words of a block; the text is behind them. */
const WRITER = 0;
const THREAD = 1;
const LENGTH = 3;
const WORDS = 4;

/** This thread, in all memories. */
const self = /* @__PURE__ */ new Int32Array(2).map(() => Math.random() * 2 ** 32);

/** This thread's blocks. @type {Map<WebAssembly.Memory, Int32Array | undefined>} */
const own = new Map();

/** @param {Attachment} attachment @returns {Int32Array[]} the blocks of all threads */
function blocksIn(attachment) {
    return namesIn(attachment)
        .filter(({ place }) => (place & NOTE) === NOTE)
        .map(({ place }) => new Int32Array(attachment.memory.buffer, offsetOf(place), NOTE_BYTES / 4));
}

/** Its identity; while it writes, less than 0: nobody else may read the block, nor take it. @param {Int32Array} block */
function writerOf(block) {
    return environment.load(block, WRITER);
}

/** A dead thread's block, or a new one. @param {Attachment} attachment */
function blockFor(attachment) {
    const free = blocksIn(attachment).find((block) => {
        const writer = writerOf(block);
        const isFree = writer === 0 || !slotOf(attachment, Math.abs(writer));
        return isFree && environment.compareExchange(block, WRITER, writer, -attachment.self) === writer;
    });
    if (free) {
        return free;
    }
    const at = allocate(attachment, NOTE_BYTES, SPACE_GRANULE);
    const block = new Int32Array(attachment.memory.buffer, at, NOTE_BYTES / 4).fill(0);
    block[WRITER] = -attachment.self;
    linkRecord(attachment, at | NOTE);
    return block;
}

/** @param {Attachment} attachment @returns {Int32Array | undefined} undefined: there is no room for one */
function ownBlock(attachment) {
    const { memory, isSpace, table } = attachment;
    if (!own.has(memory)) {
        try {
            own.set(memory, isSpace && table !== 0 ? blockFor(attachment) : undefined);
        } catch {
            own.set(memory, undefined); // the space is full: reports lack the call sites
        }
    }
    return own.get(memory);
}

/** As many frames of each stack as there is room for. @param {Note} note */
function encoded({ holds, asks }) {
    const shortened = (/** @type {string} */ stack, /** @type {number} */ frames) =>
        stack.split('\n').slice(0, frames).join('\n');
    for (const frames of [8, 4, 2, 1]) {
        const taken = holds
            .slice(0, 2 * frames)
            .map((one) => ({ ...one, from: shortened(one.from, frames) }));
        const text = JSON.stringify({ holds: taken, asks: { ...asks, from: shortened(asks.from, frames) } });
        const bytes = new TextEncoder().encode(text);
        if (bytes.length <= NOTE_BYTES - WORDS * 4) {
            return bytes;
        }
    }
    return new Uint8Array();
}

/** @param {Attachment} attachment @param {Note} note */
function write(attachment, note) {
    const block = ownBlock(attachment);
    if (block && globalThis.TextEncoder) {
        const bytes = encoded(note);
        environment.store(block, WRITER, -attachment.self);
        block.set(self, THREAD);
        block[LENGTH] = bytes.length;
        new Uint8Array(block.buffer, block.byteOffset + WORDS * 4).set(bytes);
        environment.store(block, WRITER, attachment.self);
    }
}

/**
 * Says in each memory what this thread holds there, and where it waits.
 *
 * @param {(attachment: Attachment) => Taken[]} holdsIn
 * @param {Asked} [asks]
 */
export function writeNotes(holdsIn, asks = { by: '', from: '' }) {
    for (const attachment of attachmentsHere()) {
        write(attachment, { holds: holdsIn(attachment), asks });
    }
}

/** Frees this thread's blocks for others. */
export function eraseNotes() {
    own.forEach((block) => block && environment.store(block, WRITER, 0));
    own.clear();
}

/** @param {Attachment} attachment @param {number} identity @returns {Int32Array | undefined} */
function blockOf(attachment, identity) {
    return blocksIn(attachment).find((block) => writerOf(block) === identity);
}

/**
 * @param {Attachment} attachment
 * @param {number} identity of a thread in that memory
 * @returns {Note | undefined} undefined: it has written none
 */
export function noteOf(attachment, identity) {
    const block = blockOf(attachment, identity);
    if (block === undefined) {
        return undefined;
    }
    const bytes = new Uint8Array(block.buffer, block.byteOffset + WORDS * 4, Math.max(block[LENGTH] ?? 0, 0));
    try {
        const note = JSON.parse(new TextDecoder().decode(bytes.slice())); // not shared, which engines refuse
        return writerOf(block) === identity ? note : undefined;
    } catch {
        return undefined; // it is written just now
    }
}

/**
 * @param {Attachment} attachment
 * @param {number} identity of a thread in that memory
 * @returns {[Attachment, number][]} the same thread in other memories of this one
 */
export function elsewhere(attachment, identity) {
    const thread = blockOf(attachment, identity)?.slice(THREAD, THREAD + self.length);
    return attachmentsHere()
        .filter((other) => other !== attachment)
        .flatMap((other) => {
            const block =
                thread &&
                blocksIn(other).find((one) => thread.every((word, at) => one[THREAD + at] === word));
            return block ? [[other, writerOf(block)]] : [];
        });
}
