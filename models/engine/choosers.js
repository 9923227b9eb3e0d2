/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { randomOf } from '../random.js';

/* Choosers decide what happens next, including ends of waits and deaths. */

/**
 * @typedef {import('../explorer/machine.js').Machine} Machine
 * @typedef {import('../explorer/machine.js').World} World
 * @typedef {import('../explorer/waiting-threads.js').Move} Move
 * @typedef {import('../random.js').Random} Random
 *
 * @typedef {(machine: Machine, world: World, moves: Move[]) => Move | undefined} Chooser at least one move is due
 *
 * @typedef {{ seed: number, pct?: number, length: number }} Dice pct: the depth of bugs to search for;
 *     absent: a random walk; length: about how many steps a schedule has
 */

/** The share of schedules that have only due moves from some step on, to find hangs that aborts and timeouts
 * would end. */
const SETTLING = 0.5;

/** @param {Dice} dice @returns {Chooser} */
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

/** The chances of a move that is not due: each schedule draws one of these. */
const CHANCES = [0.02, 0.1, 0.5];

/** @param {Random} random @returns {Chooser} */
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
 * The actor with the highest priority moves. At `depth - 1` random steps its priority becomes the lowest (S.
 * Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", 2010).
 * @type {(random: Random, depth: number, length: number) => Chooser}
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
        // Otherwise a thread that polls would keep all others from running.
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

/** A thread, or an event that ends its wait. @param {Move} move */
function actorOf(move) {
    const isOwn = move.kind === 'atomic' || (move.kind === 'choice' && move.due);
    return move.thread * 2 + (isOwn && !takesTime(move) ? 0 : 1);
}

/** Takes the listed steps, then random ones that are due. @param {string[]} lines @returns {Chooser} */
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
        const possible = moves.map((move) => machine.describe(world, move));
        if (!possible.includes(line)) {
            throw new Error(`step ${at} is not possible: ${line}\npossible steps:\n${possible.join('\n')}`);
        }
        return moves[possible.indexOf(line)];
    };
}
