/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';
import { endLoop, hasWaitAsync, isLoopOver, someWords } from './event-loop.js';
import {
    AGENT_BYTES,
    AGENT_LOOKED_OFFSET,
    AGENT_NAME_OFFSET,
    AGENT_PRESENCE_OFFSET,
} from '../memory/layout.js';
import { nameOfThread } from './name.js';

/* Shows other threads that this one lives. In each memory it keeps waitAsync entries on a word of its own,
 * which the engine removes when the thread ends, whatever its event loop does (c-src/agents.h). A probe
 * consumes one entry, and its wake arms more. The entries do not keep the process alive; their references
 * are weak, so they do not keep the memory alive either. */

/** @typedef {import('../memory/attachment.js').Attachment} Attachment */

/** The number of entries at first: each takes a microsecond or two, and most threads are never probed. */
const FIRST_ENTRIES = 16;

/** The number of entries after the first probe. */
const MOST_ENTRIES = 64;

/** @type {boolean | undefined} */
let isSeen;

/** False with a polyfill: its waits are in no queue of the engine, or are another thread's. */
export function isSeenByOthers() {
    return hasWaitAsync() && (isSeen ??= waitsInTheEngine());
}

function waitsInTheEngine() {
    const words = someWords();
    environment.waitAsync(words, 0, 0);
    return environment.notify(words, 0) === 1;
}

/** Returns the address of this thread's slot. @param {Attachment} attachment */
function ownSlot({ exports, table, self }) {
    return exports.agents_slot(table, self) >>> 0;
}

/** The presences of this thread, by memory id. They live as long as the thread, as the entries do. @type {Map<bigint, Presence>} */
const presences = new Map();

class Presence {
    #entries = 0;
    /** @type {WeakRef<Attachment> | undefined} */
    #attachment;
    /** @type {Attachment | undefined} */
    kept;

    /** @param {Attachment} attachment */
    serve(attachment) {
        this.#attachment = new WeakRef(attachment);
        // An iframe, or a popup of another window, keeps the attachment: leave() needs it to declare the thread
        // dead when the window closes.
        const { document, opener, parent } = /** @type {any} */ (globalThis);
        this.kept = document && (parent !== globalThis || opener) ? attachment : undefined;
    }

    /** @param {number} most entries to have */
    arm(most) {
        const attachment = this.#attachment?.deref();
        if (attachment === undefined) {
            return;
        }
        const { exports, self, words } = attachment;
        const slot = ownSlot(attachment);
        // If another thread has declared this one dead, entries would make the next thread in the slot seem
        // alive.
        if (exports.agent_arms(slot, self)) {
            const before = this.#entries;
            while (this.#entries < most && !isLoopOver() && this.#waits(words, slot)) {
                this.#entries += 1;
            }
            exports.agent_credit(slot, self, this.#entries - before);
        }
    }

    /** @param {Int32Array} words @param {number} slot */
    #waits(words, slot) {
        const { async, value } = environment.waitAsync(words, (slot + AGENT_PRESENCE_OFFSET) / 4, 0);
        // False after a stray write to the word.
        if (async) {
            void value.then(() => this.#isWoken());
        }
        return async;
    }

    #isWoken() {
        this.#entries -= 1;
        listen();
        this.arm(MOST_ENTRIES);
    }

    leave() {
        const attachment = this.#attachment?.deref();
        if (attachment !== undefined) {
            const { exports, self, words } = attachment;
            const slot = ownSlot(attachment);
            environment.store(words, (slot + AGENT_LOOKED_OFFSET) / 4, environment.date());
            exports.agent_leave(slot, self);
        }
    }
}

/**
 * Declares the thread dead when its window goes, since the thread may live on: an iframe is removed, a popup is
 * closed. Its locks are abandoned then.
 * @param {PageTransitionEvent} event persisted: the page is in the back/forward cache and may be shown again
 */
function onPageHide({ isTrusted, persisted }) {
    if (isTrusted && !persisted) {
        endLoop();
        presences.forEach((presence) => presence.leave());
    }
}

function listen() {
    if ('document' in globalThis) {
        globalThis.addEventListener?.('pagehide', onPageHide); // added each time: document.open() removes listeners
    }
}

/**
 * Called for each attachment to a memory in which this thread has a slot, before its first lock. Each copy of this
 * package arms entries of its own, since another copy's attachment may be collected.
 * @param {Attachment} attachment
 * @param {bigint} id of the memory
 */
export function appear(attachment, id) {
    const presence = presences.get(id) ?? new Presence();
    presences.set(id, presence);
    presence.serve(attachment);
    presence.arm(1); // armed at once, since a thread that ends without an entry keeps its slot for ever
    presence.arm(FIRST_ENTRIES);
    listen();
    closeInTime();
    if (isLoopOver()) {
        presence.leave(); // the window has gone already, so no later event declares the thread dead
    }
}

/**
 * Writes this thread's name into its new slot, and clears the former thread's probes and waits.
 * @param {WebAssembly.Memory} memory
 * @param {number} slot
 */
export function introduce(memory, slot) {
    const bytes = new Uint8Array(AGENT_BYTES - AGENT_LOOKED_OFFSET); // not shared: engines refuse shared bytes
    const { TextEncoder } = globalThis; // an audio worklet has none
    if (TextEncoder) {
        new TextEncoder().encodeInto(nameOfThread(), bytes.subarray(AGENT_NAME_OFFSET - AGENT_LOOKED_OFFSET));
    }
    new Uint8Array(memory.buffer).set(bytes, slot + AGENT_LOOKED_OFFSET);
}

let closesInTime = false;

/**
 * Delays close() to a later task. Firefox removes a worker's entries at close(), while the calling job goes on and
 * may hold locks.
 */
function closeInTime() {
    const scope = /** @type {any} */ (globalThis);
    const { close } = scope;
    if (!closesInTime && 'InternalError' in scope && 'WorkerGlobalScope' in scope && close) {
        closesInTime = true;
        scope.close = () => environment.setTimeout(() => close.call(scope));
    }
}
