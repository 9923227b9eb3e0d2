/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { attachmentsHere } from '../memory/attachment.js';
import { SPACE_GRANULE } from '../memory/layout.js';
import { linkRecord, namesIn, offsetOf } from '../memory/names.js';
import { allocate } from '../memory/space.js';
import { slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';

/* Call sites that other threads can read. They stand in the space itself, since a blocked thread can neither
 * send nor receive messages: one block for each thread, in the list of names as a record without a name. A
 * thread writes its block only after a wait or a section has lasted, so locks stay fast. The blocks also
 * tell which slots in several spaces are of one thread. */

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 * @typedef {object} Taken
 * @property {number} at byte offset of the lock
 * @property {string} by the method that took it
 * @property {string | undefined} [name] of the JavaScript object used for that
 * @property {string} from the stack of that call
 * @property {number} since as `environment.date()` tells it; 0: not known
 *
 * @typedef {object} Asked
 * @property {string} by the method that waits; '' if it is not known
 * @property {string} from the stack of that call
 *
 * @typedef {object} Note
 * @property {number} writer the thread's identity in that memory
 * @property {number} thread the same in all memories
 * @property {Taken[]} holds in that memory
 * @property {Asked} asks
 */

/** The kind in these records. KINDS leaves this number free. */
const NOTE = SPACE_GRANULE - 1;

const NOTE_BYTES = 1024;

/* The words of a block; the text is behind them. */
const WRITER = 0;
const LENGTH = 1;
const WORDS = 2;

const thread = /* @__PURE__ */ Math.random();

/** This thread's blocks. @type {Map<WebAssembly.Memory, Int32Array | undefined>} */
const own = new Map();

/** @param {Attachment} attachment @returns {Int32Array[]} the note blocks of all threads */
function blocksIn(attachment) {
    return namesIn(attachment)
        .filter(({ place }) => (place & NOTE) === NOTE)
        .map(({ place }) => new Int32Array(attachment.memory.buffer, offsetOf(place), NOTE_BYTES / 4));
}

/**
 * The writer's identity; below 0 while it writes, when no other thread may read or take the block.
 * @param {Int32Array} block
 */
function writerOf(block) {
    return environment.load(block, WRITER);
}

/** Returns a dead thread's block, or a new one. @param {Attachment} attachment */
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

/** Encodes as many frames of each stack as there is room for. @param {Taken[]} holds @param {Asked} asks */
function encoded(holds, asks) {
    let bytes = new Uint8Array(NOTE_BYTES);
    for (let frames = 8; bytes.length > NOTE_BYTES - WORDS * 4; frames >>= 1) {
        const short = (/** @type {Asked} */ site) => ({
            ...site,
            from: site.from.split('\n').slice(0, frames).join('\n'),
        });
        const note = { thread, holds: holds.slice(0, 2 * frames).map(short), asks: short(asks) };
        bytes = new TextEncoder().encode(JSON.stringify(note));
    }
    return bytes;
}

/**
 * Writes in each memory what this thread holds there, and where it waits.
 * @param {(attachment: Attachment) => Taken[]} holdsIn
 * @param {Asked} [asks]
 */
export function writeNotes(holdsIn, asks = { by: '', from: '' }) {
    for (const attachment of attachmentsHere()) {
        const block = ownBlock(attachment);
        if (block && globalThis.TextEncoder) {
            const bytes = encoded(holdsIn(attachment), asks);
            environment.store(block, WRITER, -attachment.self);
            block[LENGTH] = bytes.length;
            new Uint8Array(block.buffer, block.byteOffset + WORDS * 4).set(bytes);
            environment.store(block, WRITER, attachment.self);
        }
    }
}

/** Frees this thread's blocks for others. */
export function eraseNotes() {
    own.forEach((block) => block && environment.store(block, WRITER, 0));
    own.clear();
}

/** @param {Attachment} attachment @returns {Note[]} of all threads but those that are writing theirs */
function notesIn(attachment) {
    return blocksIn(attachment).flatMap((block) => {
        const writer = writerOf(block);
        const length = Math.max(block[LENGTH] ?? 0, 0);
        const bytes = new Uint8Array(block.buffer, block.byteOffset + WORDS * 4, length);
        try {
            const note = JSON.parse(new TextDecoder().decode(bytes.slice())); // a copy: engines refuse shared bytes
            return writer > 0 && writerOf(block) === writer ? { ...note, writer } : [];
        } catch {
            return []; // also in an audio worklet, which has no TextDecoder
        }
    });
}

/**
 * @param {Attachment} attachment
 * @param {number} identity of a thread in that memory
 * @returns {Note | undefined} undefined: it has no note
 */
export function noteOf(attachment, identity) {
    return notesIn(attachment).find(({ writer }) => writer === identity);
}

/**
 * @param {Attachment} attachment
 * @param {number} identity of a thread in that memory
 * @returns {[Attachment, number][]} that thread in other memories that this thread uses
 */
export function elsewhere(attachment, identity) {
    const note = noteOf(attachment, identity);
    return attachmentsHere()
        .filter((other) => note && other !== attachment)
        .flatMap((other) => {
            const same = notesIn(other).find((one) => one.thread === note?.thread);
            return same ? [[other, same.writer]] : [];
        });
}
