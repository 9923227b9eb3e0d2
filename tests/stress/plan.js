/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { randomOf } from '../support/seed.js';
import { MOST_LOCKS } from './member-words.js';

/* An episode's plan, drawn from its seed beforehand. The threads' timing differs from run to run; the faults
 * do not. */

export const CREW = 3;
const SECTIONS_MS = [0, 0, 0.02, 0.1, 0.3];
const MOST_FAULTS = 4;
/** A later round often hides a lost wake, so most episodes have few rounds. */
const FEW_ROUNDS = 5;
const MANY_ROUNDS = 40;
const LEAST_BUSY_MS = 1;
const MOST_BUSY_MS = 40;

/**
 * @typedef {object} Fault
 * @property {number} victim which of the crew
 * @property {number} way 0 to 1: chooses among the possible ways to end it
 * @property {number} lock
 * @property {number} pause milliseconds of work before it
 * @property {number} delay milliseconds that the victim waits, 0 to 30
 * @property {number} gap 0 to 1: the time between the victim's end and the release that it waits for
 * @property {boolean} endsFirst whether the victim is ended before that release
 * @property {number} place 0 to 1: chooses where in a section it lingers
 * @property {number} manner 0 to 1: chooses how it lingers
 * @property {boolean} blocks whether the thread in its place uses the methods that block
 * @property {number} seed of that thread
 *
 * @typedef {object} Plan
 * @property {number} seed
 * @property {boolean} mortal whether threads are ended in it; if not, no wait has a limit
 * @property {boolean} hunts whether all of them are ended inside a section
 * @property {Fault[]} faults
 * @property {number[]} seeds of the crew
 * @property {number} pageSeed
 * @property {boolean} allBlock whether all its workers block and the page rests, so that no event loop helps them
 * @property {number} locks
 * @property {number} section milliseconds
 * @property {number} busy milliseconds, at most
 * @property {number} rounds of each thread; unlimited in an episode that ends with its faults
 * @property {number[]} makers the member of the crew that makes each lock
 * @property {number[]} freers the member that frees each lock; CREW: the page
 * @property {boolean} freesAtOnce whether locks are freed with whatever still waits there
 */

/**
 * @param {number} seed
 * @param {'calm' | 'mortal' | 'hunt'} kind
 * @returns {Plan}
 */
export function planOf(seed, kind) {
    const mortal = kind !== 'calm';
    const random = randomOf(seed);
    const seedOfOne = () => random.below(2 ** 31);
    const locks = 1 + random.below(MOST_LOCKS);
    const faultOf = () => ({
        victim: random.below(CREW),
        way: random.next(),
        lock: random.below(locks),
        pause: random.chance(0.5) ? 0 : random.next() * 10,
        delay: random.chance(0.5) ? random.next() * 2 : random.next() * 30,
        gap: random.next(),
        endsFirst: random.chance(0.5),
        place: random.next(),
        manner: random.next(),
        blocks: random.chance(0.5),
        seed: seedOfOne(),
    });
    return {
        seed,
        mortal,
        hunts: kind === 'hunt',
        locks,
        faults: Array.from({ length: mortal ? 1 + random.below(MOST_FAULTS) : 0 }, faultOf),
        seeds: Array.from({ length: CREW }, seedOfOne),
        pageSeed: seedOfOne(),
        allBlock: random.chance(0.3),
        section: SECTIONS_MS[random.below(SECTIONS_MS.length)] ?? 0,
        busy: mortal || random.chance(0.5) ? LEAST_BUSY_MS + random.next() * MOST_BUSY_MS : 0,
        rounds: mortal ? Infinity : 1 + random.below(random.chance(0.8) ? FEW_ROUNDS : MANY_ROUNDS),
        makers: Array.from({ length: locks }, () => random.below(CREW)),
        freers: Array.from({ length: locks }, () => random.below(CREW + 1)),
        freesAtOnce: random.chance(0.5),
    };
}
