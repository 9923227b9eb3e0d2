/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { renamedIdentity, renamedWord } from './symmetry.js';
import { Violation } from './violation.js';

/* The threads' own states. A thread's next state depends only on its state and an input, so it is computed once and remembered.
 * So a world is a few small numbers, and the interpreter runs a few thousand times for a million worlds. */

/**
 * @typedef {import('./thread-call.js').Behaviour<any>} Behaviour
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('./symmetry.js').Renaming} Renaming
 *
 * @typedef {object} Local state of a thread, one object for each
 * @property {number} id
 * @property {number} thread
 * @property {any} state
 * @property {import('./thread-call.js').View} view
 * @property {{ before: Local, input: Value | string } | undefined} origin how the state was first reached,
 *     unless by a start or a death
 * @property {Map<Value | string, Local>} next
 * @property {Local[]} renamed
 * @property {number} orbit the same number in all renamed states; -1: not known yet
 */

/** The most reads in one round of a spin loop; the compiler decides. */
const MOST_LOOKS = 64;

/** @type {import('./thread-call.js').View} */
const DEAD = Object.freeze({ atomic: undefined, sleeps: '', choices: [], has: 0, isDone: true });

/** @param {Local} local */
export function isDead({ view }) {
    return view === DEAD;
}

/**
 * Writes plain data as text, equal only for equal data: like JSON, but with distinct 64-bit integers, and
 * several times faster than with a replacer.
 *
 * @param {any} data
 * @returns {string}
 */
function textOf(data) {
    switch (typeof data) {
        case 'object':
            break;
        case 'string':
            return `'${data.length} ${data}`;
        case 'bigint':
            return `${data}n`;
        default:
            return String(data);
    }
    if (data === null) {
        return 'null';
    }
    let text = '';
    if (Array.isArray(data)) {
        for (const item of data) {
            text += `${textOf(item)},`;
        }
        return `[${text}]`;
    }
    for (const key in data) {
        const value = data[key];
        if (value !== undefined) {
            text += `${key}:${textOf(value)},`;
        }
    }
    return `{${text}}`;
}

/** Values that a thread reads may contain identities, which are larger than any count. */
function renamedInput(/** @type {Value | string} */ input, /** @type {Renaming} */ renaming) {
    if (typeof input === 'bigint') {
        return renamedWord(input, renaming);
    }
    return typeof input === 'number' ? renamedIdentity(input, renaming) : input;
}

export class Locals {
    #behaviours;
    #renamings;
    #isOneWay;
    #orbits = 0;
    /** @type {Map<string, Local>} */
    #known = new Map();

    /** @param {readonly Behaviour[]} behaviours @param {readonly Renaming[]} renamings @param {boolean} isOneWay */
    constructor(behaviours, renamings, isOneWay) {
        this.#behaviours = behaviours;
        this.#renamings = renamings;
        this.#isOneWay = isOneWay;
    }

    /** @param {number} thread */
    #behaviourOf(thread) {
        return /** @type {Behaviour} */ (this.#behaviours[thread]);
    }

    /**
     * @param {number} thread
     * @param {any} state
     * @param {(state: any) => import('./thread-call.js').View} viewOf
     * @param {Local['origin']} origin
     */
    #intern(thread, state, viewOf, origin) {
        const id = this.#known.size;
        const make = () => ({
            ...{ id, thread, state, view: viewOf(state), origin },
            ...{ next: new Map(), renamed: [], orbit: -1 },
        });
        if (this.#isOneWay) {
            return { ...make(), origin: undefined };
        }
        const text = `${thread} ${textOf(state)}`;
        let local = this.#known.get(text);
        if (!local) {
            local = make();
            this.#known.set(text, local);
        }
        return local;
    }

    /** @param {number} thread */
    start(thread) {
        const behaviour = this.#behaviourOf(thread);
        return this.#intern(thread, behaviour.start(), (state) => behaviour.view(state), undefined);
    }

    /** @param {number} thread */
    dead(thread) {
        return this.#intern(thread, 'dead', () => DEAD, undefined);
    }

    /** @param {Local} before @param {Value | string} input */
    after(before, input) {
        let after = before.next.get(input);
        if (!after) {
            const behaviour = this.#behaviourOf(before.thread);
            const state = behaviour.after(before.state, input);
            after = this.#intern(before.thread, state, (anyState) => behaviour.view(anyState), {
                before,
                input,
            });
            before.next.set(input, after);
        }
        return after;
    }

    /**
     * The state after a read and all later reads of the same round of a spin loop, which see the same value
     * (shipped-module.js).
     * @param {Local} before
     * @param {(look: import('../wasm/interpreter.js').Atomic) => Value} read
     */
    afterLooks(before, read) {
        const round = before.view.atomic?.look;
        let after = before;
        let looks = 0;
        do {
            if (looks > MOST_LOOKS) {
                throw new Violation('a round of looks has no end');
            }
            const look = /** @type {import('../wasm/interpreter.js').Atomic} */ (after.view.atomic);
            after = this.after(after, read(look));
            looks += 1;
        } while (round && after.view.atomic?.look === round);
        return after;
    }

    /**
     * The state with the identities exchanged: the state of the other thread after the same steps.
     * @param {Local} local
     * @param {Renaming} renaming
     * @returns {Local}
     */
    renamed(local, renaming) {
        let renamed = local.renamed[renaming.index];
        if (!renamed) {
            const thread = renaming.to[local.thread] ?? local.thread;
            if (isDead(local)) {
                renamed = this.dead(thread);
            } else if (!local.origin) {
                renamed = this.start(thread);
            } else {
                const { before, input } = local.origin;
                renamed = this.after(this.renamed(before, renaming), renamedInput(input, renaming));
            }
            local.renamed[renaming.index] = renamed;
        }
        return renamed;
    }

    /**
     * The number of the state's orbit, equal for states that differ only by a renaming.
     * @param {Local} local
     */
    orbitOf(local) {
        if (local.orbit < 0) {
            for (const renaming of this.#renamings) {
                this.renamed(local, renaming).orbit = this.#orbits;
            }
            this.#orbits += 1;
        }
        return local.orbit;
    }
}
