/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { entryOf, isAsync, threadOf, wordOf } from './queue-entry.js';
import { renamedIdentity, renamedWord } from './symmetry.js';

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('./machine.js').World} World
 * @typedef {import('./symmetry.js').Renaming} Renaming
 */

/** Names for worlds: short strings that a search remembers. */
export class WorldKeys {
    #groups;
    #renamings;
    #locals;
    /** @type {Map<bigint, number>} */
    #words = new Map();

    /**
     * @param {readonly string[]} groups of threads that do the same
     * @param {readonly Renaming[]} renamings within them
     * @param {import('./locals.js').Locals} locals
     */
    constructor(groups, renamings, locals) {
        this.#groups = groups;
        this.#renamings = renamings;
        this.#locals = locals;
    }

    /**
     * Worlds with the same key are the same, but for the identities of threads that do the same.
     * @param {World} world
     */
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
     * Whether a renaming brings the threads of each group into the order of their orbits. Only among those that do,
     * the least key is looked for: where all orbits differ, there is one.
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

    /**
     * @param {World} world
     * @param {Renaming} renaming
     * @returns {World}
     */
    #renamed(world, renaming) {
        if (renaming.index === 0) {
            return world;
        }
        const { word, line, own, locals, queue, deaths } = world;
        return {
            word: renamedWord(word, renaming),
            line: renamedIdentity(line, renaming),
            own: renamedIdentity(own, renaming),
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
    #plainKeyOf({ word, line, own, locals, queue, deaths }) {
        let wordId = this.#words.get(word);
        if (wordId === undefined) {
            wordId = this.#words.size;
            this.#words.set(word, wordId);
        }
        let key = String.fromCharCode(wordId, line & 0xffff, line >>> 16, own & 0xffff, own >>> 16, deaths);
        for (const { id } of locals) {
            key += String.fromCharCode(id & 0xffff, id >>> 16);
        }
        for (const entry of queue) {
            key += String.fromCharCode(entry);
        }
        return key;
    }
}
