/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { randomOf } from '../random.js';
import { Violation } from './violation.js';

/* Random walks through the worlds of a scenario that is too large to search. A walk first takes any moves,
 * and then only due moves, with which all threads must end. It proves nothing, but goes deep at once. */

/** The moves after which most threads are done. */
const MOST_ANY_MOVES = 60;
/** Far more moves than threads need to end. (In some scenarios some threads never end.) */
const MOST_MOVES = 2000;

/**
 * @template W @template {{ due: boolean, thread: number }} M @param {import('./explore.js').Explorable<W, M>} machine
 * @param {number} seed @returns {{ moves: number, failure: string, schedule: string[] }}
 */
export function walk(machine, seed) {
    const random = randomOf(seed);
    const anyMoves = random.below(MOST_ANY_MOVES);
    /** @type {string[]} */
    const path = [];
    let world = machine.start();
    try {
        while (path.length < MOST_MOVES && !machine.isDone(world)) {
            const all = machine.movesOf(world);
            const open = path.length < anyMoves ? all : all.filter(({ due }) => due);
            const move = open[random.below(open.length)];
            if (move === undefined) {
                break;
            }
            path.push(machine.describe(world, move));
            world = machine.apply(world, move);
        }
    } catch (error) {
        if (error instanceof Violation) {
            return ended(error.message);
        }
        throw error;
    }
    if (!machine.isServed(world)) {
        return ended('a thread has not ended');
    }
    return ended(machine.isDone(world) ? machine.leftBehind(world) : '');

    /** @param {string} failure */
    function ended(failure) {
        return {
            moves: path.length,
            failure,
            schedule: failure ? [...path, ...machine.describeWorld(world)] : [],
        };
    }
}
