/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A lock manager's state in shared memory: its requests, pending and held, and their threads. It is read and
 * written with the manager's mutex held. Requests are rows of words. The requests of one name stand in one
 * queue, with those of names that have the same hash: first the held ones, then the pending ones, in the
 * order made. So a search for requests to grant reads few. A thread may die at any instruction here. The
 * rows' states are the truth then, each set by one store that comes last: `repair` makes the queues from
 * them again. */

/** The states of a request. A stolen lock is no longer held, but its thread does not know that yet. */
export const FREE = 0;
export const PENDING = 1;
export const HELD = 2;
export const STOLEN = 3;

export const EXCLUSIVE = 0;
export const SHARED = 1;

/* The words of the root. Words that may name a row hold its number plus 1; 0: no row. */
const GUARD = 0;
const REQUESTS = 1; // the rows' address, how many fit, how many were used
const CLIENTS = 4;
const LAST_ORDER = 7;
const FIRST_FREE = 8; // the first free row of the requests, linked to the others by NEXT
const QUEUES = 9; // the first and the last row of each
const QUEUE_COUNT = 64;
const ROOT_WORDS = QUEUES + 2 * QUEUE_COUNT;

/* The words of a request. A short name is behind them, a longer one in a block of its own. */
const STATE = 0;
const MODE = 1;
const CLIENT = 2;
const ORDER = 3;
const HASH = 4;
const LENGTH = 5;
const TEXT = 6;
const NEXT = 7;
const PREVIOUS = 8;
const NAME = 9;
const REQUEST_WORDS = 17;
const SHORT_NAME = (REQUEST_WORDS - NAME) * 2;

/* The words of a client. */
const GENERATION = 1; // how many clients have had this row; STATE says whether one has it
const SEAT = 2;
const BELL = 3;
const NOTICE = 4;
const CLIENT_WORDS = 5;

const FIRST_ROWS = 16;

/**
 * @typedef {import('../lock-space.js').LockSpace} LockSpace
 * @typedef {object} Name as it is compared
 * @property {string} text
 * @property {number} hash
 */

/** @param {string} text @returns {Name} */
export function nameOf(text) {
    let hash = text.length;
    for (let at = 0; at < text.length; at += 1) {
        hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    }
    return { text, hash };
}

/** Rows of words in a block, which moves when it grows, so rows are identified by numbers. */
class Rows {
    #space;
    #words;
    #at;
    #width;

    /**
     * @param {LockSpace} space
     * @param {Int32Array} words of the whole space
     * @param {number} at index of the word with the rows' address
     * @param {number} width words of a row
     */
    constructor(space, words, at, width) {
        this.#space = space;
        this.#words = words;
        this.#at = at;
        this.#width = width;
    }

    get length() {
        return this.#words[this.#at + 2] ?? 0;
    }

    /** @param {number} row @param {number} field @returns {number} the index of that word */
    at(row, field) {
        return (this.#words[this.#at] ?? 0) / 4 + row * this.#width + field;
    }

    /** @returns {number} a new row, of zeros */
    add() {
        const row = this.length;
        if (row === this.#words[this.#at + 1]) {
            this.#grow(row * 2 || FIRST_ROWS);
        }
        this.#words[this.#at + 2] = row + 1;
        return row;
    }

    /** @param {number} capacity */
    #grow(capacity) {
        const before = this.#words[this.#at] ?? 0;
        const block = this.#space.alloc(capacity * this.#width * 4);
        this.#words.copyWithin(block / 4, before / 4, before / 4 + this.length * this.#width);
        this.#words[this.#at] = block;
        this.#words[this.#at + 1] = capacity;
        if (before !== 0) {
            this.#space.free(before);
        }
    }
}

export class Table {
    #space;
    #words;
    #units;
    #root;
    #requests;
    #clients;

    /** @param {LockSpace} space @param {number} byteOffset of the table's root */
    constructor(space, byteOffset) {
        this.#space = space;
        this.#words = new Int32Array(space.buffer);
        this.#units = new Uint16Array(space.buffer);
        this.#root = byteOffset / 4;
        this.#requests = new Rows(space, this.#words, this.#root + REQUESTS, REQUEST_WORDS);
        this.#clients = new Rows(space, this.#words, this.#root + CLIENTS, CLIENT_WORDS);
    }

    /**
     * @param {LockSpace} space
     * @param {number} guard the byte offset of the mutex
     * @returns {number} the byte offset of a new, empty table
     */
    static make(space, guard) {
        const byteOffset = space.alloc(ROOT_WORDS * 4);
        new Int32Array(space.buffer)[byteOffset / 4 + GUARD] = guard;
        return byteOffset;
    }

    /** The byte offset of its mutex. May be read without holding it. */
    get guard() {
        return this.#words[this.#root + GUARD] ?? 0;
    }

    /** @param {number} row @param {number} field */
    #get(row, field) {
        return this.#words[this.#requests.at(row, field)] ?? 0;
    }

    /** @param {number} row @param {number} field @param {number} value */
    #set(row, field, value) {
        this.#words[this.#requests.at(row, field)] = value;
    }

    /** @param {number} row */
    stateOf(row) {
        return this.#get(row, STATE);
    }

    /** @param {number} row */
    clientOf(row) {
        return this.#get(row, CLIENT);
    }

    /** @param {number} row */
    modeOf(row) {
        return this.#get(row, MODE);
    }

    /** @param {number} row @returns {number} the first unit of its name */
    #textAt(row) {
        const block = this.#get(row, TEXT);
        return block === 0 ? this.#requests.at(row, NAME) * 2 : block / 2;
    }

    /** @param {number} row @returns {string} */
    textOf(row) {
        const at = this.#textAt(row);
        let text = '';
        for (let unit = at; unit < at + this.#get(row, LENGTH); unit += 1) {
            text += String.fromCharCode(this.#units[unit] ?? 0);
        }
        return text;
    }

    /** @param {number} row @param {Name} name */
    #isNamed(row, { text, hash }) {
        if (this.#get(row, HASH) !== hash || this.#get(row, LENGTH) !== text.length) {
            return false;
        }
        const at = this.#textAt(row);
        for (let unit = 0; unit < text.length; unit += 1) {
            if (this.#units[at + unit] !== text.charCodeAt(unit)) {
                return false;
            }
        }
        return true;
    }

    /**
     * @param {number} hash
     * @returns {number} index of the word with the queue's first row; the last row is in the next word
     */
    #queueAt(hash) {
        return this.#root + QUEUES + 2 * (hash & (QUEUE_COUNT - 1));
    }

    /** The requests with a name, in queue order. @param {Name} name */
    *#queueOf(name) {
        let link = this.#words[this.#queueAt(name.hash)] ?? 0;
        while (link !== 0) {
            const row = link - 1;
            link = this.#get(row, NEXT);
            if (this.#isNamed(row, name)) {
                yield row;
            }
        }
    }

    /**
     * @param {number} link a row's number plus 1; 0: none
     * @param {number} field
     * @param {number} end the queue's word to set if there is no such row
     * @param {number} value
     */
    #link(link, field, end, value) {
        this.#words[link === 0 ? end : this.#requests.at(link - 1, field)] = value;
    }

    /** @param {number} row that enters its queue @param {boolean} isFirst */
    #join(row, isFirst) {
        const queue = this.#queueAt(this.#get(row, HASH));
        const before = isFirst ? 0 : (this.#words[queue + 1] ?? 0);
        const after = isFirst ? (this.#words[queue] ?? 0) : 0;
        this.#set(row, PREVIOUS, before);
        this.#set(row, NEXT, after);
        this.#link(before, NEXT, queue, row + 1);
        this.#link(after, PREVIOUS, queue + 1, row + 1);
    }

    /** @param {number} row that leaves its queue */
    #part(row) {
        const queue = this.#queueAt(this.#get(row, HASH));
        const before = this.#get(row, PREVIOUS);
        const after = this.#get(row, NEXT);
        this.#link(before, NEXT, queue, after);
        this.#link(after, PREVIOUS, queue + 1, before);
    }

    /** @param {number} row that becomes free */
    #release(row) {
        this.#set(row, NEXT, this.#words[this.#root + FIRST_FREE] ?? 0);
        this.#words[this.#root + FIRST_FREE] = row + 1;
    }

    /** @returns {number} the number of a free row */
    #take() {
        const link = this.#words[this.#root + FIRST_FREE] ?? 0;
        if (link === 0) {
            return this.#requests.add();
        }
        this.#words[this.#root + FIRST_FREE] = this.#get(link - 1, NEXT);
        return link - 1;
    }

    /** All requests: the held ones first, then the pending ones in the order made. */
    rows() {
        return Array.from({ length: this.#requests.length }, (_, row) => row)
            .filter((row) => this.stateOf(row) !== FREE)
            .sort(
                (one, other) =>
                    Number(this.stateOf(one) === PENDING) - Number(this.stateOf(other) === PENDING) ||
                    (this.#get(one, ORDER) - this.#get(other, ORDER)) | 0, // the count wraps
            );
    }

    /** Repairs the table after a thread died with the guard held. */
    repair() {
        this.#words.fill(0, this.#root + FIRST_FREE, this.#root + ROOT_WORDS);
        this.rows().forEach((row) => this.#join(row, false));
        for (let row = 0; row < this.#requests.length; row += 1) {
            if (this.stateOf(row) === FREE) {
                this.#release(row);
            }
        }
    }

    /**
     * @param {Name} name
     * @param {number} mode
     * @param {number} client
     * @param {boolean} isHeld whether it is granted already and goes to the front of its queue; otherwise it is
     *     pending, at the end
     * @returns {number} the row of a new request
     */
    add({ text, hash }, mode, client, isHeld) {
        const row = this.#take();
        const block = this.#blockFor(text, row);
        const order = ((this.#words[this.#root + LAST_ORDER] ?? 0) + 1) | 0;
        this.#words[this.#root + LAST_ORDER] = order;
        this.#set(row, MODE, mode);
        this.#set(row, CLIENT, client);
        this.#set(row, ORDER, order);
        this.#set(row, HASH, hash);
        this.#set(row, LENGTH, text.length);
        this.#set(row, TEXT, block);
        const at = this.#textAt(row);
        for (let unit = 0; unit < text.length; unit += 1) {
            this.#units[at + unit] = text.charCodeAt(unit);
        }
        this.#join(row, isHeld);
        this.#set(row, STATE, isHeld ? HELD : PENDING);
        return row;
    }

    /**
     * @param {string} text
     * @param {number} row to free if there is no room for the name
     * @returns {number} a block for a name that does not fit into the row; 0 for others
     */
    #blockFor(text, row) {
        try {
            return text.length > SHORT_NAME ? this.#space.alloc(text.length * 2) : 0;
        } catch (error) {
            this.#release(row);
            throw error;
        }
    }

    /** @param {number} row */
    remove(row) {
        const block = this.#get(row, TEXT);
        this.#set(row, STATE, FREE);
        this.#part(row);
        this.#release(row);
        if (block !== 0) {
            this.#space.free(block);
        }
    }

    /**
     * True if a request would be granted now: no holder excludes this mode, and no request waits.
     * @param {Name} name
     * @param {number} mode
     */
    isGrantable(name, mode) {
        for (const row of this.#queueOf(name)) {
            const state = this.stateOf(row);
            const isShared = mode === SHARED && this.modeOf(row) === SHARED;
            if (state === PENDING || (state === HELD && !isShared)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Grants the requests that can be granted, in queue order.
     * @param {Name} name
     * @param {(row: number) => void} granted
     */
    grant(name, granted) {
        let isHeld = false;
        let isExclusive = false;
        for (const row of this.#queueOf(name)) {
            const state = this.stateOf(row);
            const wantsAll = this.modeOf(row) === EXCLUSIVE;
            if (state === PENDING) {
                if (isExclusive || (isHeld && wantsAll)) {
                    return;
                }
                this.#set(row, STATE, HELD);
                granted(row);
            }
            isHeld ||= state !== STOLEN;
            isExclusive ||= state !== STOLEN && wantsAll;
        }
    }

    /**
     * Takes the lock away from all other holders.
     * @param {Name} name
     * @param {number} thief the row that holds it now
     * @param {(row: number) => void} onLoss called for each row that loses it or waits for it; may remove that row
     */
    steal(name, thief, onLoss) {
        for (const row of this.#queueOf(name)) {
            if (row === thief) {
                continue;
            }
            if (this.stateOf(row) === HELD) {
                this.#set(row, STATE, STOLEN);
            }
            onLoss(row);
        }
    }

    /**
     * The clients that a pending request waits for: those with a held or an earlier pending request of the same name.
     * The search ends at a pending request of the same client, which already watches all clients before that.
     * @param {number} pending its row
     * @returns {Set<number>}
     */
    clientsBefore(pending) {
        const clients = new Set();
        const name = { text: this.textOf(pending), hash: this.#get(pending, HASH) };
        const own = this.clientOf(pending);
        for (let link = this.#get(pending, PREVIOUS); link !== 0; link = this.#get(link - 1, PREVIOUS)) {
            const row = link - 1;
            if (this.#isNamed(row, name)) {
                if (this.clientOf(row) === own && this.stateOf(row) === PENDING) {
                    break;
                }
                clients.add(this.clientOf(row));
            }
        }
        return clients;
    }

    get clients() {
        return Array.from({ length: this.#clients.length }, (_, client) => this.client(client));
    }

    /** @param {number} number */
    client(number) {
        const word = (/** @type {number} */ field) => this.#words[this.#clients.at(number, field)] ?? 0;
        return {
            number,
            isThere: word(STATE) !== FREE,
            generation: word(GENERATION),
            seat: word(SEAT),
            bell: word(BELL),
            notice: word(NOTICE),
        };
    }

    /**
     * @param {{ seat: number, bell: number, notice: number }} offsets of the client's objects, in bytes
     * @returns {number} the number of the new client
     */
    addClient({ seat, bell, notice }) {
        const client = this.#clients.add();
        this.#words[this.#clients.at(client, BELL)] = bell;
        this.#words[this.#clients.at(client, NOTICE)] = notice;
        this.#words[this.#clients.at(client, SEAT)] = seat;
        this.beginClient(client);
        return client;
    }

    /** @param {number} client that has taken over this row */
    beginClient(client) {
        this.#words[this.#clients.at(client, STATE)] = 1;
    }

    /** @param {number} client that has ended, without requests */
    endClient(client) {
        const at = this.#clients.at(client, GENERATION);
        this.#words[at] = ((this.#words[at] ?? 0) + 1) | 0;
        this.#words[this.#clients.at(client, STATE)] = FREE;
    }
}
