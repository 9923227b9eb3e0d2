/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { entryOf, isAsync, threadOf, wordOf } from './queue-entry.js';

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('./machine.js').World} World
 * @typedef {import('./symmetry.js').Renaming} Renaming
 * @typedef {import('../wasm/interpreter.js').Value} Value
 *
 * @typedef {object} Renamers for the parts of a world besides the threads
 * @property {(words: readonly Value[], renaming: Renaming) => readonly Value[]} words
 * @property {(known: World['known'], renaming: Renaming) => World['known']} known
 */

/** Keys of worlds: short strings that a search remembers. */
export class WorldKeys {
    #groups;
    #renamings;
    #locals;
    #renamers;
    /** @type {Map<Value, number>} */
    #values = new Map();

    /**
     * @param {readonly string[]} groups of threads that do the same
     * @param {readonly Renaming[]} renamings
     * @param {import('./locals.js').Locals} locals
     * @param {Renamers} renamers
     */
    constructor(groups, renamings, locals, renamers) {
        this.#groups = groups;
        this.#renamings = renamings;
        this.#locals = locals;
        this.#renamers = renamers;
    }

    /** @param {World} world */
    keyOf(world) {
        let least = '';
        for (const renaming of this.#renamings) {
            if (this.#sorts(world, renaming)) {
                const key = this.#plainKeyOf(this.#renamed(world, renaming));
                least = least === '' || key < least ? key : least;
            }
        }
        return least;
    }

    /**
     * True if a renaming sorts the threads of each group by their orbits. The least key of such renamings is
     * the world's key. If all orbits differ, there is only one such renaming.
     * @param {World} world
     * @param {Renaming} renaming
     */
    #sorts({ locals }, { from }) {
        return from.every((thread, place) => {
            const next = this.#groups.indexOf(this.#groups[place] ?? '', place + 1);
            const [one, other] = [locals[thread], locals[from[next] ?? -1]];
            return !one || !other || this.#locals.orbitOf(one) <= this.#locals.orbitOf(other);
        });
    }

    /** @param {World} world @param {Renaming} renaming @returns {World} */
    #renamed(world, renaming) {
        if (renaming.index === 0) {
            return world;
        }
        const { words, known, locals, queue, deaths } = world;
        return {
            words: this.#renamers.words(words, renaming),
            known: this.#renamers.known(known, renaming),
            locals: renaming.from.map((thread) =>
                this.#locals.renamed(/** @type {Local} */ (locals[thread]), renaming),
            ),
            queue: queue.map((entry) =>
                entryOf(renaming.to[threadOf(entry)] ?? 0, wordOf(entry), isAsync(entry)),
            ),
            deaths,
        };
    }

    /** @param {World} world */
    #plainKeyOf({ words, locals, queue, known, deaths }) {
        let key = String.fromCharCode(deaths);
        for (const word of words) {
            let value = this.#values.get(word);
            if (value === undefined) {
                value = this.#values.size;
                this.#values.set(word, value);
            }
            key += String.fromCharCode(value);
        }
        for (const { id } of [...known, ...locals]) {
            key += String.fromCharCode(id & 0xffff, id >>> 16);
        }
        for (const entry of queue) {
            key += String.fromCharCode(entry);
        }
        return key;
    }
}
