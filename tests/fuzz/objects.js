/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Channel } from '../../js-glue/channel.js';
import { HoldfastError } from '../../js-glue/index.js';
import { CLASSES } from '../support/classes.js';
import { OneKey } from '../support/one-key.js';
import { describeWords, restOf } from '../support/words.js';
import { Mail, REFEREE } from './mail.js';
import { Postmaster } from './mailbox.js';
import { MOST_OBJECTS } from './shared-words.js';

/* The objects of a program: how they are made, how waits for them are ended, and their state at rest. */

/** The number of rounds before a channel is closed. */
const ROUNDS_OF_MAIL = 4;

/** The classes that programs may use. @type {Record<string, any>} */
export const KINDS = { ...CLASSES, OneKey, Channel };

/**
 * @typedef {import('../../js-glue/index.js').LockSpace} LockSpace
 *
 * @typedef {object} ObjectSpec
 * @property {string} name
 * @property {string} kind
 * @property {any} [options]
 * @property {number} [space] 0 or 1
 * @property {number} [dirty] what is in all words of its memory before it is made there, by `at`
 * @property {boolean} [ownSet] only the program sets, notifies or opens it, never the referee
 * @property {boolean} [spoilt] the program overwrites its words
 * @property {string} [mutex] that a condition is used with
 */

export class Objects {
    /** @type {Record<string, any>} */
    byName = {};
    /** The record of all messages. */
    mail = new Mail();
    /** By channel. @type {Map<string, Postmaster>} */
    #postmasters = new Map();
    #specs;
    #spaces;

    /**
     * @param {ObjectSpec[]} specs
     * @param {LockSpace[]} spaces
     */
    constructor(specs, spaces) {
        if (specs.length > MOST_OBJECTS) {
            throw new Error(`${specs.length} objects are too many`);
        }
        this.#specs = specs;
        this.#spaces = spaces;
        for (const spec of specs) {
            this.byName[spec.name] = this.#make(spec);
            if (spec.kind === 'Channel') {
                const number = this.#postmasters.size;
                this.#postmasters.set(spec.name, new Postmaster(this.mail, number, REFEREE));
            }
        }
    }

    /** @param {ObjectSpec} spec */
    #spaceOf(spec) {
        return /** @type {LockSpace} */ (this.#spaces[spec.space ?? 0]);
    }

    /** @param {ObjectSpec} spec */
    #make(spec) {
        const Class = KINDS[spec.kind];
        const space = this.#spaceOf(spec);
        if (spec.dirty === undefined) {
            return new Class({ space, ...spec.options });
        }
        const offset = space.alloc(Class.BYTES, Class.ALIGN);
        new Uint32Array(space.buffer, offset, Class.BYTES / Uint32Array.BYTES_PER_ELEMENT).fill(spec.dirty);
        return Class.at(space.memory, offset, spec.options ?? {});
    }

    get handles() {
        return Object.fromEntries(Object.entries(this.byName).map(([name, { handle }]) => [name, handle]));
    }

    /** @param {string} name */
    numberOf(name) {
        return this.#specs.findIndex((spec) => spec.name === name);
    }

    describe() {
        return this.#specs.map(({ name }) => `${name}: ${describeWords(this.byName[name])}`).join('\n');
    }

    /**
     * Grants the waits without a limit that the program itself does not end.
     *
     * @param {import('./shared-words.js').SharedWords} words
     */
    meet(words) {
        for (const { name, kind, options, ownSet } of this.#specs) {
            const object = this.byName[name];
            if (ownSet) {
                continue;
            }
            if (kind === 'Channel') {
                this.#postmasters.get(name)?.meet(object, ROUNDS_OF_MAIL);
            } else if (kind === 'Condition') {
                object.notify();
            } else if (kind === 'Event') {
                object.set();
            } else if (kind === 'Latch') {
                openLatch(object);
            } else if (kind === 'Barrier') {
                this.#arrive(name, options.parties - 1, words);
            }
        }
    }

    /** @param {string} name @param {number} count @param {import('./shared-words.js').SharedWords} words */
    #arrive(name, count, words) {
        for (let index = 0; index < count; index += 1) {
            const arrival = this.byName[name].arriveAndWaitAsync({ timeout: 15 });
            arrival.then(
                (/** @type {boolean} */ wasLast) => words.arrived(this.numberOf(name), wasLast),
                () => {},
            );
            this.#arriving.push(arrival.catch(() => {}));
        }
    }

    /** @type {Promise<unknown>[]} */
    #arriving = [];

    /** @param {Record<string, number>} mayBeLost by channel @returns {Promise<import('./player.js').Failure[]>} */
    async wrongMail(mayBeLost) {
        const wrong = [];
        for (const [name, postmaster] of this.#postmasters) {
            for (const what of await postmaster.empty(this.byName[name], mayBeLost[name] ?? 0)) {
                wrong.push({ kind: 'mail', message: `${name}: ${what}` });
            }
        }
        return wrong;
    }

    /** Releases the last waiters, and clears the flags that say that there are some. */
    async rest() {
        await Promise.all(this.#arriving);
        for (const { name, kind } of this.#specs) {
            if (kind === 'Event') {
                this.byName[name].set(); // clears the flag for waiters, which may otherwise stay set
                this.byName[name].reset();
            } else if (kind === 'Latch') {
                openLatch(this.byName[name]);
            }
        }
    }

    /**
     * Compares each object's words with the words of an unused object, and checks its counts.
     *
     * @param {import('./shared-words.js').SharedWords} words
     * @param {boolean} somebodyDied
     * @returns {Promise<import('./player.js').Failure[]>}
     */
    async wrongAtRest(words, somebodyDied) {
        const wrong = [];
        for (const spec of this.#specs.filter(({ spoilt, kind }) => !spoilt && kind !== 'Channel')) {
            const object = this.byName[spec.name];
            const held = words.held(this.numberOf(spec.name));
            if (held !== 0) {
                wrong.push({
                    kind: 'inside',
                    message: `${held} of ${spec.name} are still held by the count`,
                });
            }
            if (object.max !== undefined && object.value !== object.max) {
                const message = `${spec.name} has ${object.value} permits, not ${object.max}`;
                wrong.push({ kind: 'conserved', message });
            }
            const rest = await this.#restOfTwin(spec);
            if (!somebodyDied && restOf(object).join() !== rest.join()) {
                const hex = rest.map((word) => word.toString(16).padStart(8, '0')).join(' ');
                wrong.push({
                    kind: 'rest',
                    message: `not at rest: ${describeWords(object)}, where it should be ${hex}`,
                });
            }
            const { arrivals, lasts } = words.arrivals(this.numberOf(spec.name));
            if (spec.kind === 'Barrier' && lasts * spec.options.parties !== arrivals) {
                const message = `${arrivals} arrivals at ${spec.name} were met, and ${lasts} were the last`;
                wrong.push({ kind: 'conserved', message });
            }
        }
        return wrong;
    }

    /** @param {ObjectSpec} spec @returns {Promise<number[]>} the words of a new object that was used in the
     * same way */
    async #restOfTwin(spec) {
        const options = spec.kind === 'Latch' ? { count: 0 } : spec.options;
        const space = this.#spaceOf(spec);
        const twin = new KINDS[spec.kind]({ space, ...options });
        if (spec.kind === 'Once' && this.byName[spec.name].isDone) {
            await twin.runAsync(() => {});
        }
        const rest = restOf(twin);
        space.free(twin);
        return rest;
    }

    free() {
        for (const spec of this.#specs) {
            this.#spaceOf(spec).free(this.byName[spec.name]);
        }
    }
}

/** @param {any} latch */
function openLatch(latch) {
    try {
        if (latch.count > 0) {
            latch.countDown(latch.count);
        }
    } catch (error) {
        if (!(error instanceof HoldfastError)) {
            throw error;
        } // another thread has counted down meanwhile: try again
    }
}
