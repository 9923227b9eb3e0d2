/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError, isAbandoned } from '../errors.js';
import { FREEING_TEXT } from '../memory/freeing-bytes.js';
import { MUTEX_BYTES, RESULT_OK, SPACE_GRANULE } from '../memory/layout.js';
import { addPart } from '../memory/part.js';
import { construct } from '../memory/placed.js';
import { allocate, exportsOfSpace } from '../memory/space.js';
import { Mutex } from '../mutex.js';
import { environment } from '../thread/environment.js';
import { freeQueues } from '../waiting/queue.js';
import { FIRST, LENGTH, NEXT, read, seek, STRIPE_BYTES, STRIPES, TEXT } from './keys.js';

/* The keys of a KeyedMutex, in the memory of a space.
 *
 * STATES      A key that is in use has an entry: the mutex that its users lock, claims, and the key. The hash of the key
 *             says which stripe has the entry. A stripe is a mutex and a list of entries. A claim is a mutex too: a thread
 *             holds it as long as it uses the entry, at least from the lookup until it has the key's mutex.
 * INVARIANTS  I1  Only the thread that holds a stripe reads or changes its list.
 *             I2  An entry leaves its list only if nobody holds its mutex, and no living thread holds a claim.
 *             I3  A thread gets a claim while it holds the stripe, and releases the claim without the stripe.
 *             I4  One store links or unlinks an entry, so a list is whole wherever a thread dies, and there is nothing to
 *                 repair. Memory that the thread had allocated and not linked, or unlinked and not freed, is lost.
 *             I5  The engine says that a thread is dead, not the table: a dead thread's claim is an abandoned mutex.
 * CHECKED     models/keyed: each interleaving of 2 and 3 threads, with deaths and a full space; tests/glue/keyed.test.js,
 *             keyed-threads.test.js, keyed-steps.test.js, keyed-deaths.test.js
 *
 * docs/decisions/0013 has the alternatives. */

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 * @typedef {object} Use a key as this thread uses it
 * @property {string} key
 * @property {Mutex} mutex
 * @property {number} claim its byte offset
 * @property {number} count how many calls and sections of this thread use it
 */

/* Byte offsets and sizes, beside those of keys.js. */

/* Offsets in a stripe. */
const ROOM = 20; // how many entries are added before the first search for unused entries

export const TABLE_BYTES = 6144;

/* Offsets in a claim. */
const NEXT_CLAIM = 16;
const CLAIM_BYTES = 20;

/* Offsets in an entry. */
const CLAIM = 16; // the first claim; most entries need no second one
const HASH = 40;

/** @param {string} key */
function hashOf(key) {
    let hash = key.length;
    for (let at = 0; at < key.length; at += 1) {
        hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
    }
    return hash;
}

/**
 * The tables that this thread uses. The key is the set of queues at the table's address: a later table there has
 * another set.
 * @type {WeakMap<object, Table>}
 */
const tables = new WeakMap();

/** The table of one KeyedMutex, as this thread uses it. */
export class Table {
    /** The keys that this thread uses. @type {Map<string, Use>} */
    #uses = new Map();
    /** How many requests of this thread wait for a stripe. Later ones queue behind them. */
    waiting = 0;
    #attachment;
    #byteOffset;
    #shape;
    #words;
    #units;

    /** @param {import('../memory/found.js').Found} found */
    constructor({ attachment, byteOffset, shape }) {
        this.#attachment = attachment;
        this.#byteOffset = byteOffset;
        this.#shape = shape;
        this.#words = attachment.words;
        this.#units = new Uint16Array(attachment.memory.buffer);
    }

    /** @param {import('../memory/found.js').Found} found @returns {Table} */
    static of(found) {
        const { byteOffset } = found;
        const { queues } = found.attachment;
        const there = queues.get(byteOffset) ?? new Map();
        queues.set(byteOffset, there);
        const table = tables.get(there) ?? new Table(found);
        tables.set(there, table);
        return table;
    }

    /** @param {Attachment} attachment @returns {Attachment} with the functions that a table needs */
    static adapt(attachment) {
        exportsOfSpace(attachment);
        return addPart(attachment, FREEING_TEXT);
    }

    /** @param {string} key */
    useOf(key) {
        return this.#uses.get(key);
    }

    /**
     * Begins to use a key.
     * @param {string} key
     * @param {import('../options.js').TimeLimit} [limit] by default, without a wait
     * @returns {Use | undefined} undefined: the time was up before this thread had the stripe
     */
    begin(key, limit) {
        const use = this.#uses.get(key);
        if (use) {
            use.count += 1;
            return use;
        }
        const hash = hashOf(key);
        return this.#lock(this.#stripeOf(hash), limit) ? this.#beginLocked(key, hash) : undefined;
    }

    /**
     * Begins to use a key, without blocking. The requests of one stripe begin in the order made, unless a thread dies
     * while it holds the stripe.
     * @param {string} key
     * @param {import('../options.js').WaitOptions} limits
     * @returns {Promise<Use>}
     */
    async beginAsync(key, limits) {
        const hash = hashOf(key);
        const stripe = this.#stripeOf(hash);
        for (;;) {
            try {
                const find = () => this.#beginWith(key, hash);
                return await this.#mutexAt(stripe).executeLocked(find, limits);
            } catch (error) {
                if (!isAbandoned(error)) {
                    throw error;
                }
            }
            if (this.#takeOver(stripe)) {
                return this.#beginLocked(key, hash);
            }
        }
    }

    /** Ends one call or section of this thread that uses the key. @param {Use | undefined} use */
    end(use) {
        if (use && --use.count === 0) {
            this.#uses.delete(use.key);
            this.#unlock(use.claim);
        }
    }

    /** Frees the unused entries. Stripes that are locked are left out. */
    reclaim() {
        for (let at = 0; at < STRIPES; at += 1) {
            const stripe = this.#stripeOf(at);
            if (this.#tryLock(stripe) || this.#takeOver(stripe)) {
                try {
                    this.#reclaim(stripe);
                } finally {
                    this.#unlock(stripe);
                }
            }
        }
    }

    /** @param {string} key @param {number} hash whose stripe is locked; unlocks the stripe */
    #beginLocked(key, hash) {
        try {
            return this.#beginWith(key, hash);
        } finally {
            this.#unlock(this.#stripeOf(hash));
        }
    }

    /** @param {string} key @param {number} hash whose stripe is locked @returns {Use} */
    #beginWith(key, hash) {
        const there = this.#uses.get(key);
        if (there) {
            there.count += 1;
            return there;
        }
        const stripe = this.#stripeOf(hash);
        const isOfKey = (/** @type {number} */ entry) => this.#isOf(entry, key, hash);
        const entry = seek(this.#words, stripe + FIRST, NEXT, isOfKey) || this.#add(stripe, key, hash);
        const use = {
            key,
            mutex: this.#mutexAt(entry, key),
            claim: this.#claim(entry, stripe, key),
            count: 1,
        };
        this.#uses.set(key, use);
        return use;
    }

    /** @param {number} hash */
    #stripeOf(hash) {
        return this.#byteOffset + (hash & (STRIPES - 1)) * STRIPE_BYTES;
    }

    /** @param {number} at */
    #read(at) {
        return read(this.#words, at);
    }

    /** @param {number} at @param {number} value */
    #write(at, value) {
        environment.store(this.#words, at >> 2, value);
    }

    /** @param {number} link @param {number} next @returns {number[]} all addresses */
    #listAt(link, next) {
        /** @type {number[]} */
        const list = [];
        seek(this.#words, link, next, (at) => list.push(at) === 0);
        return list;
    }

    /** @param {number} entry */
    #claimsOf(entry) {
        return [entry + CLAIM, ...this.#listAt(entry + CLAIM + NEXT_CLAIM, NEXT_CLAIM)];
    }

    /** @param {number} entry @param {string} key @param {number} hash */
    #isOf(entry, key, hash) {
        if (this.#read(entry + HASH) !== hash || this.#read(entry + LENGTH) !== key.length) {
            return false;
        }
        const text = (entry + TEXT) / 2;
        for (let at = 0; at < key.length; at += 1) {
            if (this.#units[text + at] !== key.charCodeAt(at)) {
                return false;
            }
        }
        return true;
    }

    /** @param {number} stripe @param {string} key @param {number} hash @returns {number} a new entry */
    #add(stripe, key, hash) {
        const room = this.#read(stripe + ROOM) || this.#reclaim(stripe);
        const entry = this.#allocate(TEXT + 2 * key.length, stripe, key);
        this.#write(entry + HASH, hash);
        this.#write(entry + LENGTH, key.length);
        const text = (entry + TEXT) / 2;
        for (let at = 0; at < key.length; at += 1) {
            this.#units[text + at] = key.charCodeAt(at);
        }
        this.#write(entry + NEXT, this.#read(stripe + FIRST));
        this.#write(stripe + FIRST, entry);
        this.#write(stripe + ROOM, room - 1);
        return entry;
    }

    /** @param {number} bytes @param {number} stripe that is locked @param {string} key @param {number} [kept] an entry */
    #allocate(bytes, stripe, key, kept) {
        try {
            return allocate(this.#attachment, bytes, SPACE_GRANULE);
        } catch {
            this.#reclaim(stripe, kept);
            this.reclaim(); // reclaims in the other stripes
        }
        try {
            return allocate(this.#attachment, bytes, SPACE_GRANULE);
        } catch (error) {
            const { message } = /** @type {HoldfastError} */ (error);
            throw new HoldfastError('HF_NO_SPACE', `There is no room for KeyedMutex '${key}'. ${message}`);
        }
    }

    /**
     * @param {number} stripe
     * @param {number} [kept] an entry that stays
     * @returns {number} how many entries may be added before the next search: as many as are left, at least 1
     */
    #reclaim(stripe, kept) {
        let link = stripe + FIRST;
        let left = 0;
        for (const entry of this.#listAt(link, NEXT)) {
            const claims = this.#claimsOf(entry);
            // Check the mutex after the claims: a thread may acquire the mutex and then release its claim.
            if (
                entry === kept ||
                claims.some((claim) => this.#isHeld(claim)) ||
                this.#holderOf(entry) !== 0
            ) {
                link = entry + NEXT;
                left += 1;
            } else {
                this.#write(link, this.#read(entry + NEXT));
                [entry, ...claims.slice(1)].forEach((block) => this.#free(block));
            }
        }
        return left || 1;
    }

    /** @param {number} block */
    #free(block) {
        this.#attachment.exports.space_free(block);
        freeQueues(this.#attachment, block, block + MUTEX_BYTES); // only the mutex has queues
    }

    /** @param {number} entry @param {number} stripe @param {string} key @returns {number} a claim that this thread has from now on */
    #claim(entry, stripe, key) {
        const unused = this.#claimsOf(entry).find((claim) => !this.#isHeld(claim));
        // Keeps `entry`: when memory is short, entries without users are freed.
        const claim = unused ?? this.#allocate(CLAIM_BYTES, stripe, key, entry);
        this.#tryLock(claim);
        if (unused === undefined) {
            this.#write(claim + NEXT_CLAIM, this.#read(entry + CLAIM + NEXT_CLAIM));
            this.#write(entry + CLAIM + NEXT_CLAIM, claim);
        }
        return claim;
    }

    /** Returns whether a living thread holds the claim. Frees the claim of a dead thread. @param {number} claim */
    #isHeld(claim) {
        const { exports, table, self } = this.#attachment;
        const holder = this.#holderOf(claim);
        if (holder !== 0 && holder !== self) {
            exports.owner_probe(claim, table, holder, environment.date());
        }
        return holder !== 0 && !(this.#takeOver(claim) && this.#unlock(claim));
    }

    /** @param {number} at of a mutex @returns {number} its holder, also a dead one; 0: none */
    #holderOf(at) {
        const { exports, table } = this.#attachment;
        return exports.owner_probe(at, table, 0, 0);
    }

    /** @param {number} at of a mutex */
    #tryLock(at) {
        const { exports, self } = this.#attachment;
        return exports.mutex_trylock(at, self) === RESULT_OK;
    }

    /** @param {number} at of a mutex */
    #unlock(at) {
        const { exports, self } = this.#attachment;
        return exports.mutex_unlock(at, self) === RESULT_OK;
    }

    /**
     * Takes over an abandoned mutex; there is nothing to repair (I4).
     * @param {number} at of a mutex
     * @returns {boolean} whether this thread holds it now
     */
    #takeOver(at) {
        const { exports, self } = this.#attachment;
        return exports.owned_take_over(at, self) !== 0;
    }

    /** @param {number} stripe @param {import('../options.js').TimeLimit} [limit] @returns {boolean} whether this thread holds it */
    #lock(stripe, limit) {
        if (this.#tryLock(stripe)) {
            return true;
        }
        const mutex = this.#mutexAt(stripe);
        for (;;) {
            try {
                return mutex.tryLock(limit);
            } catch (error) {
                if (!isAbandoned(error)) {
                    throw error;
                }
            }
            if (this.#takeOver(stripe)) {
                return true;
            }
        }
    }

    /** @param {number} byteOffset @param {string} [name] for errors: the key; absent for a stripe @returns {Mutex} */
    #mutexAt(byteOffset, name) {
        const attachment = this.#attachment;
        for (const { gate } of attachment.queues.get(byteOffset)?.values() ?? []) {
            if (gate?.found.name !== name) {
                freeQueues(attachment, byteOffset, byteOffset + MUTEX_BYTES); // the queues are of an earlier key there
            }
        }
        return construct({
            shape: Mutex,
            attachment,
            byteOffset,
            kind: 'KeyedMutex',
            name,
            outer: this.#shape,
            isNew: false,
        });
    }
}
