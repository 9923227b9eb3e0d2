/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { STRIPE_BYTES } from '../../js-glue/keyed/keys.js';
import { SPACE_PAGE } from '../../js-glue/memory/layout.js';
import { Violation } from '../explorer/violation.js';

/* The memory of one KeyedMutex, and the shipped module's calls on it. A call is one step: mutexes are
 * explored by themselves (../programs). A wait for a mutex is a step too, possible once the mutex is free or
 * its holder is dead.
 *
 * A state's image holds all words that change: the header of the space, the stripes in use, and the blocks. */

/**
 * @typedef {import('./glue.js').Glue} Glue
 * @typedef {{ self: number, isDead: boolean }} Agent
 */

/** The glue's limit in microseconds for one call of a wait without limit. */
const WITHOUT_LIMIT = 60_000_000;

const WAITS = new Set(['mutex_lock_for_a_time', 'gate_wait']);
/** Calls that neither read nor write a word that changes. */
const CONSTANT = new Set(['space_begin', 'agents_slot']);
const ALLOCATOR = new Set(['space_alloc', 'space_free']);

export class Machine {
    /** @type {Agent[]} */
    agents;
    /** @type {any} */
    exports;
    /** Byte offsets of the stripes that threads use. @type {number[]} */
    stripes = [];
    #glue;
    #words;
    /**
     * For each granule behind `#first`, the number of its block's first granule, counted from 1; 0: the
     * granule is free.
     */
    #blocks;
    #first;
    #begin;

    /**
     * @param {Glue} glue
     * @param {number} count of threads
     * @param {number} granules for entries and claims
     */
    constructor(glue, count, granules) {
        const { instantiate, FREEING_TEXT, KeyedMutex, SPACE_ADDRESS: table, SPACE_GRANULE } = glue;
        this.#glue = glue;
        this.memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
        const exports = { ...instantiate(this.memory), ...instantiate(this.memory, FREEING_TEXT) };
        exports.space_init(1, count, 1, 1);
        this.exports = exports;
        this.agents = Array.from({ length: count }, () => {
            const self = exports.agents_join(table, 0);
            const slot = exports.agents_slot(table, self);
            exports.agent_arms(slot, self);
            exports.agent_credit(slot, self, 0); // alive, without entries: no thread probes it
            return { self, isDead: false };
        });
        this.#begin = exports.space_begin() >>> 0;
        this.keyed = exports.space_alloc(KeyedMutex.BYTES, SPACE_GRANULE) >>> 0;
        this.#first = SPACE_PAGE - granules * SPACE_GRANULE;
        exports.space_alloc(this.#first - this.keyed - KeyedMutex.BYTES, SPACE_GRANULE);
        this.#words = new Int32Array(this.memory.buffer);
        this.#blocks = new Int32Array(granules);
        for (let at = 0; at < KeyedMutex.BYTES; at += STRIPE_BYTES) {
            this.stripes.push(this.keyed + at);
        }
    }

    /** The changing words, in parts. */
    get #parts() {
        return [
            this.#words.subarray(0, this.#begin / 4),
            ...this.stripes.map((at) => this.#words.subarray(at / 4, (at + STRIPE_BYTES) / 4)),
            this.#words.subarray(this.#first / 4),
            this.#blocks,
        ];
    }

    image() {
        const parts = this.#parts;
        const image = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
        let at = 0;
        for (const part of parts) {
            image.set(part, at);
            at += part.length;
        }
        return image;
    }

    /** @param {Int32Array} image @param {number} dead the agents that are dead, as bits */
    restore(image, dead) {
        let at = 0;
        for (const part of this.#parts) {
            part.set(image.subarray(at, (at += part.length)));
        }
        this.agents.forEach((agent, which) => (agent.isDead = ((dead >> which) & 1) !== 0));
    }

    /** @param {number} at of a mutex @returns {number} its holder; 0: none */
    holderOf(at) {
        return this.exports.owner_probe(at, this.#glue.SPACE_ADDRESS, 0, 0);
    }

    /**
     * True if no other thread can observe the call. Such a call is not a step.
     *
     * @param {string} name
     * @param {number[]} args
     */
    isUnseen(name, [at = 0]) {
        const isInTable = at >= this.keyed && at < this.keyed + this.#glue.KeyedMutex.BYTES;
        return CONSTANT.has(name) || (!ALLOCATOR.has(name) && isInTable && !this.stripes.includes(at));
    }

    /**
     * The outcomes that a call may have now.
     *
     * @param {number} self
     * @param {string} name
     * @param {number[]} args
     * @returns {('goes on' | 'times out')[]} empty: the thread waits
     */
    outcomes(self, name, args) {
        if (!WAITS.has(name)) {
            return ['goes on'];
        }
        const holder = this.holderOf(args[0] ?? 0);
        const goesOn = holder === 0 || holder === self || this.#isDead(holder);
        const mayTimeOut = name === 'gate_wait' && Number(args[3]) < WITHOUT_LIMIT;
        return [
            ...(goesOn ? [/** @type {const} */ ('goes on')] : []),
            ...(mayTimeOut ? [/** @type {const} */ ('times out')] : []),
        ];
    }

    /** @param {number} holder */
    #isDead(holder) {
        const { THREAD_MARK } = this.#glue;
        return (
            (holder & THREAD_MARK) !== 0 || this.agents.some(({ self, isDead }) => isDead && self === holder)
        );
    }

    /**
     * @param {number} self
     * @param {string} name
     * @param {number[]} args
     * @param {string} [outcome]
     * @returns {number | bigint | undefined} the result of the call
     */
    call(self, name, args, outcome) {
        const [at = 0] = args;
        if (name === 'space_alloc') {
            return this.#allocate(args);
        }
        if (name === 'space_free') {
            return this.#free(at);
        }
        if (at >= this.#first && !this.#blocks[this.#granuleOf(at)]) {
            throw new Violation(`${name} at the address of a free block`);
        }
        if (outcome === 'times out') {
            return this.#glue.RESULT_TIMEOUT;
        }
        return WAITS.has(name) ? this.#pass(self, at) : this.exports[name](...args);
    }

    /** Locks a mutex that is free or abandoned. @param {number} self @param {number} at of the mutex */
    #pass(self, at) {
        const { RESULT_ABANDONED, RESULT_DEADLOCK, SPACE_ADDRESS } = this.#glue;
        const holder = this.holderOf(at);
        if (holder === 0) {
            return this.exports.mutex_trylock(at, self);
        }
        this.exports.owner_probe(at, SPACE_ADDRESS, holder, 0); // waiters probe the holder too
        return holder === self ? RESULT_DEADLOCK : RESULT_ABANDONED;
    }

    /** @param {number} at */
    #granuleOf(at) {
        return (at - this.#first) / this.#glue.SPACE_GRANULE;
    }

    /** @param {number[]} args */
    #allocate(args) {
        const block = this.exports.space_alloc(...args) >>> 0;
        if (block !== 0) {
            const first = this.#granuleOf(block);
            this.#blocks.fill(first + 1, first, first + Math.ceil((args[0] ?? 0) / this.#glue.SPACE_GRANULE));
        }
        return block;
    }

    /** @param {number} block */
    #free(block) {
        const first = this.#granuleOf(block);
        const count = this.#blocks.filter((one) => one === first + 1).length;
        if (count === 0) {
            throw new Violation('a free block is freed again');
        }
        const { SPACE_GRANULE, THREAD_MARK } = this.#glue;
        for (let at = 0; at < count; at += 1) {
            const holder = this.holderOf(block + at * SPACE_GRANULE) & ~THREAD_MARK;
            if (this.agents.some(({ self }) => self === holder)) {
                throw new Violation('a block is freed while somebody holds a mutex in it');
            }
        }
        this.#blocks.fill(0, first, first + count);
        return this.exports.space_free(block);
    }

    /** The number of granules in use. */
    get used() {
        return this.#blocks.filter(Boolean).length;
    }

    /** True if a stripe has the address of a block. */
    get hasKeys() {
        return this.stripes.some((at) =>
            this.#words
                .subarray(at / 4, (at + STRIPE_BYTES) / 4)
                .some((word) => word >= this.#first && word < SPACE_PAGE),
        );
    }

    /** @param {number} index of a word @param {number} self the thread that reads or writes it */
    check(index, self) {
        const at = index * 4;
        if (at >= this.#first && !this.#blocks[Math.floor(this.#granuleOf(at))]) {
            throw new Violation('a word of a free block is used');
        }
        const stripes = at < this.#first ? [at - ((at - this.keyed) % STRIPE_BYTES)] : this.stripes;
        if (!stripes.some((stripe) => this.holderOf(stripe) === self)) {
            throw new Violation('a word is used without its stripe');
        }
    }

    /** @param {number} which agent */
    end(which) {
        const { self } = /** @type {Agent} */ (this.agents[which]);
        this.exports.agent_leave(this.exports.agents_slot(this.#glue.SPACE_ADDRESS, self), self);
    }
}
