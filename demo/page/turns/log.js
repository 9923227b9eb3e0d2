/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { IN_TURN, WAITING } from './turn-words.js';

/* The states of all members over time, as the page sees them once a frame. */

const KEPT_MS = 20_000;

/**
 * @typedef {object} Stretch
 * @property {number} state
 * @property {number} begin
 * @property {number} end so far
 */

export class Log {
    #crew;
    /** @type {Stretch[][]} by member */
    #stretches;
    /** @type {number[]} by member, in ms */
    #longestWaits;
    mostInside = 0;

    /** @param {import('./crew.js').Crew} crew */
    constructor(crew) {
        this.#crew = crew;
        this.#stretches = crew.plan.members.map(() => []);
        this.#longestWaits = crew.plan.members.map(() => 0);
    }

    /** @param {number} now */
    look(now) {
        this.#stretches.forEach((stretches, member) => {
            this.#note(stretches, this.#crew.words.stateOf(member), now);
            const last = stretches.at(-1);
            if (last?.state === WAITING) {
                this.#longestWaits[member] = Math.max(this.#longestWaits[member] ?? 0, last.end - last.begin);
            }
        });
        this.mostInside = Math.max(this.mostInside, this.countOf(IN_TURN));
    }

    /** @param {number} member */
    stretchesOf(member) {
        return this.#stretches[member] ?? [];
    }

    /** @param {number} member */
    stateOf(member) {
        return this.stretchesOf(member).at(-1)?.state ?? 0;
    }

    /** @param {number} state */
    countOf(state) {
        return this.#stretches.filter((stretches) => stretches.at(-1)?.state === state).length;
    }

    /**
     * @param {(member: import('./crew.js').Member) => boolean} counts
     * @returns {{ turns: number, longestWait: number, members: number }} of the members that count
     */
    sumOf(counts) {
        const chosen = this.#crew.plan.members.flatMap((member, index) => (counts(member) ? [index] : []));
        return {
            members: chosen.length,
            turns: chosen.reduce((sum, member) => sum + this.#crew.words.turnsOf(member), 0),
            longestWait: Math.max(0, ...chosen.map((member) => this.#longestWaits[member] ?? 0)),
        };
    }

    /** @param {Stretch[]} stretches @param {number} state @param {number} now */
    #note(stretches, state, now) {
        const last = stretches.at(-1);
        if (last !== undefined) {
            last.end = now;
        }
        if (last?.state !== state) {
            stretches.push({ state, begin: now, end: now });
        }
        if ((stretches[0]?.end ?? now) < now - KEPT_MS) {
            stretches.shift();
        }
    }
}
