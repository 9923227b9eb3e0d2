/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { randomOf } from '../random.js';

/* Who decides what happens next. Time is nobody's: that a wait or a timer ends, or a thread dies, is chosen like a
 * step of a thread of its own. */

/**
 * @typedef {import('../explorer/machine.js').Machine} Machine
 * @typedef {import('../explorer/machine.js').World} World
 * @typedef {import('../explorer/waiting-threads.js').Move} Move
 *
 * @typedef {(machine: Machine, world: World, moves: Move[]) => Move | undefined} Chooser of one of the moves, of
 *     which at least one is due; undefined: there is nothing more to choose
 */

/**
 * What a schedule is made by.
 * @typedef {object} Dice
 * @property {number} seed
 * @property {number} [pct] the depth of the bugs that are looked for; else it is a random walk
 * @property {number} length how many steps a schedule of this scenario has, about
 */

/**
 * How many schedules let happen only what is due, from some step on. What an abort or a timeout would rescue is found
 * by them.
 */
const SETTLING = 0.5;

/**
 * @param {Dice} dice
 * @returns {Chooser}
 */
export function randomChooser({ seed, pct, length }) {
    const random = randomOf(seed);
    const settlesAt = random.chance(SETTLING) ? random.below(length) : Infinity;
    const choose = pct === undefined ? randomWalk(random) : byPriorities(random, pct, length);
    let steps = 0;
    return (machine, world, moves) => {
        steps += 1;
        return choose(machine, world, steps > settlesAt ? moves.filter((move) => move.due) : moves);
    };
}

/** How often something happens that need not, like an abort or a death, if it can: by schedule, seldom or often. */
const CHANCES = [0.02, 0.1, 0.5];

/**
 * @param {import('../random.js').Random} random
 * @returns {Chooser}
 */
function randomWalk(random) {
    const chance = CHANCES[random.below(CHANCES.length)] ?? 0;
    return (_, __, moves) => {
        const isDue = !random.chance(chance);
        const chosen = moves.filter((move) => move.due === isDue);
        const among = chosen.length > 0 ? chosen : moves;
        return among[random.below(among.length)];
    };
}

/**
 * The actor with the highest priority goes on; at `depth - 1` random steps the one that would go on falls behind all
 * others (S. Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", 2010).
 *
 * @param {import('../random.js').Random} random
 * @param {number} depth
 * @param {number} length
 * @returns {Chooser}
 */
function byPriorities(random, depth, length) {
    const changesAt = new Set(Array.from({ length: depth - 1 }, () => random.below(length) + 1));
    /** @type {Map<number, number>} */
    const priorities = new Map();
    let lowest = 0;
    let steps = 0;

    /** @param {Move} move */
    const priorityOf = (move) => {
        const actor = actorOf(move);
        const known = priorities.get(actor) ?? random.next();
        priorities.set(actor, known);
        return known;
    };
    /** @param {Move} move */
    const fallBehind = (move) => {
        lowest -= 1;
        priorities.set(actorOf(move), lowest);
    };
    /** @param {Move[]} moves */
    const ofTheFirst = (moves) => {
        const first = moves.reduce((best, move) => (priorityOf(move) > priorityOf(best) ? move : best));
        return moves.filter((move) => actorOf(move) === actorOf(first));
    };

    return (_, __, moves) => {
        steps += 1;
        if (changesAt.has(steps)) {
            ofTheFirst(moves).slice(0, 1).forEach(fallBehind);
        }
        const candidates = ofTheFirst(moves);
        const move = candidates[random.below(candidates.length)];
        // One who looks again and again would keep all others from what it waits for.
        if (move && takesTime(move)) {
            fallBehind(move);
        }
        return move;
    };
}

/** @param {Move} move */
function takesTime({ kind, input }) {
    return kind === 'wait ends' || input.startsWith('timer ') || input.startsWith('sweeps ');
}

/**
 * A thread, or what happens to it.
 * @param {Move} move
 */
function actorOf(move) {
    const isOwn = move.kind === 'atomic' || (move.kind === 'choice' && move.due);
    return move.thread * 2 + (isOwn && !takesTime(move) ? 0 : 1);
}

/**
 * The steps of a list, as schedules are printed by the explorer and here; then whatever is due, at random, so that
 * everybody has a turn.
 * @param {string[]} lines
 * @returns {Chooser}
 */
export function listedChooser(lines) {
    const settle = randomWalk(randomOf(lines.length));
    let at = 0;
    return (machine, world, moves) => {
        const line = lines[at];
        at += 1;
        if (line === undefined) {
            const due = moves.filter((move) => move.due);
            return settle(machine, world, due);
        }
        const move = moves.find((candidate) => machine.describe(world, candidate) === line);
        if (!move) {
            const possible = moves.map((candidate) => machine.describe(world, candidate));
            throw new Error(`step ${at} cannot be: ${line}\nwhat can be:\n${possible.join('\n')}`);
        }
        return move;
    };
}
