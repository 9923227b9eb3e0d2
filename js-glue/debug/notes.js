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

/**
 * @typedef {object} Own this thread's note in a memory
 * @property {Int32Array | undefined} block undefined: there is no room for one
 * @property {Asked} asks the last wait that was noted
 * @property {string} text
 */

/** @type {Map<WebAssembly.Memory, Own>} */
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

/** @param {Attachment} attachment @returns {Own} */
function ownIn(attachment) {
    const { memory, isSpace, table } = attachment;
    let mine = own.get(memory);
    if (mine === undefined) {
        mine = { block: undefined, asks: { by: '', from: '' }, text: '' };
        own.set(memory, mine);
        try {
            mine.block = isSpace && table !== 0 ? blockFor(attachment) : undefined;
        } catch {
            // the space is full: reports lack the call sites
        }
    }
    return mine;
}

/** Encodes as many frames of each stack as there is room for. @param {Taken[]} holds @param {Asked} asks */
function encoded(holds, asks) {
    let text = '';
    let bytes = new Uint8Array(NOTE_BYTES);
    for (let frames = 8; bytes.length > NOTE_BYTES - WORDS * 4; frames >>= 1) {
        const short = (/** @type {Asked} */ site) => ({
            ...site,
            from: site.from.split('\n').slice(0, frames).join('\n'),
        });
        const note = { thread, holds: holds.slice(0, 2 * frames).map(short), asks: short(asks) };
        text = JSON.stringify(note);
        bytes = new TextEncoder().encode(text);
    }
    return { text, bytes };
}

/**
 * Writes in each memory what this thread holds there, and where it waits. A note that would say the same stays as it
 * is: other threads cannot read a note while it is written.
 * @param {(attachment: Attachment) => Taken[]} holdsIn
 * @param {Attachment} [waitsIn] the memory of a wait to note; the notes in other memories keep theirs
 * @param {Asked} [asks]
 */
export function writeNotes(holdsIn, waitsIn, asks) {
    for (const attachment of attachmentsHere()) {
        const mine = ownIn(attachment);
        if (asks && attachment === waitsIn) {
            mine.asks = asks;
        }
        const { block } = mine;
        if (block && globalThis.TextEncoder) {
            const { text, bytes } = encoded(holdsIn(attachment), mine.asks);
            if (text !== mine.text) {
                mine.text = text;
                environment.store(block, WRITER, -attachment.self);
                block[LENGTH] = bytes.length;
                new Uint8Array(block.buffer, block.byteOffset + WORDS * 4).set(bytes);
                environment.store(block, WRITER, attachment.self);
            }
        }
    }
}

/** Frees this thread's blocks for others. */
export function eraseNotes() {
    own.forEach(({ block }) => block && environment.store(block, WRITER, 0));
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
 * @returns {[Attachment, number][]} the same thread's identity in each other memory that both threads use
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
