/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { firstInFairCycle } from './fair-cycles.js';
import { Violation } from './violation.js';

/* Breadth-first search over every world that can be reached, with three checks. No step violates a rule. From every world all
 * threads can still end by due moves alone: there is no deadlock and no lost wake. No cycle of due moves can
 * go on for ever if every thread that can move does move. */

/**
 * @template W
 * @template {{ due: boolean, thread: number }} M
 * @typedef {object} Explorable
 * @property {boolean} hasTellingCycles a cycle of due moves shows a livelock
 * @property {() => W} start
 * @property {(world: W) => string} keyOf
 * @property {(world: W) => M[]} movesOf
 * @property {(world: W, move: M) => W} apply
 * @property {(world: W) => boolean} isDone
 * @property {(world: W) => boolean} isServed
 * @property {(world: W) => string} leftBehind what is wrong when all are done, or ''
 * @property {(world: W, move: M) => string} describe
 * @property {(world: W) => string[]} describeWorld
 */

/**
 * @typedef {{ states: number, failure: string, schedule: string[] }} Exploration `failure`: '' if there is
 *     none; `schedule`: the moves to the failure, one a line, then the world there
 */

/** The states by number. Of each: the move that first reached the state, and its due moves. */
class Graph {
    /** @type {Map<string, number>} */
    #numbers = new Map();
    /** @type {number[]} */
    #parents = [];
    /** @type {number[]} */
    #moves = [];
    /** @type {number[]} */
    #from = [];
    /** @type {number[]} */
    #to = [];
    /** @type {number[]} */
    #threads = [];

    get size() {
        return this.#numbers.size;
    }

    /** @param {string} key @param {number} parent @param {number} move @returns {{ number: number, isNew: boolean }} */
    add(key, parent, move) {
        const known = this.#numbers.get(key);
        if (known !== undefined) {
            return { number: known, isNew: false };
        }
        const number = this.#numbers.size;
        this.#numbers.set(key, number);
        this.#parents.push(parent);
        this.#moves.push(move);
        return { number, isNew: true };
    }

    /** @param {number} from @param {number} to @param {number} thread */
    addDueMove(from, to, thread) {
        this.#from.push(from);
        this.#to.push(to);
        this.#threads.push(thread);
    }

    /** The shortest way, as places in the lists of moves. @param {number} state */
    pathTo(state) {
        const path = [];
        for (let at = state; at > 0; at = this.#parents[at] ?? 0) {
            path.unshift(this.#moves[at] ?? 0);
        }
        return path;
    }

    /** The first state from which no due moves lead to a goal, or -1. @param {number[]} goals */
    firstCutOff(goals) {
        const { starts, targets: sources } = this.#sorted(this.#to, this.#from);
        const reaches = new Uint8Array(this.size);
        const open = [...goals];
        goals.forEach((goal) => (reaches[goal] = 1));
        for (let state = open.pop(); state !== undefined; state = open.pop()) {
            for (let at = starts[state] ?? 0; at < (starts[state + 1] ?? 0); at += 1) {
                const source = sources[at] ?? 0;
                if (!reaches[source]) {
                    reaches[source] = 1;
                    open.push(source);
                }
            }
        }
        return reaches.indexOf(0);
    }

    /** A state of a livelock, or -1. */
    firstLivelock() {
        return firstInFairCycle(this.#sorted(this.#from, this.#to));
    }

    /**
     * The due moves, sorted by one of their ends.
     * @param {readonly number[]} by
     * @param {readonly number[]} others
     * @returns {import('./fair-cycles.js').Moves}
     */
    #sorted(by, others) {
        const starts = new Uint32Array(this.size + 1);
        by.forEach((state) => (starts[state + 1] = (starts[state + 1] ?? 0) + 1));
        for (let state = 0; state < this.size; state += 1) {
            starts[state + 1] = (starts[state + 1] ?? 0) + (starts[state] ?? 0);
        }
        const targets = new Uint32Array(by.length);
        const threads = new Uint8Array(by.length);
        const filled = starts.slice();
        by.forEach((state, at) => {
            const place = filled[state] ?? 0;
            targets[place] = others[at] ?? 0;
            threads[place] = this.#threads[at] ?? 0;
            filled[state] = place + 1;
        });
        return { starts, targets, threads };
    }
}

/**
 * @template W
 * @template {{ due: boolean, thread: number }} M
 * @param {Explorable<W, M>} machine
 * @param {number} [limit]
 * @returns {Exploration}
 */
export function explore(machine, limit = 5e6) {
    const graph = new Graph();
    const goals = [];
    let frontier = [machine.start()];
    graph.add(machine.keyOf(machine.start()), -1, -1);
    // States are numbered in the order found, and searched in that order.
    let number = -1;
    while (frontier.length > 0) {
        const found = [];
        for (const world of frontier) {
            number += 1;
            const moves = machine.movesOf(world);
            if (machine.isServed(world)) {
                goals.push(number);
            }
            const left = machine.isDone(world) ? machine.leftBehind(world) : '';
            if (left) {
                return failed(left, graph.pathTo(number));
            }
            for (const [at, move] of moves.entries()) {
                let next;
                try {
                    next = machine.apply(world, move);
                } catch (error) {
                    if (error instanceof Violation) {
                        return failed(error.message, [...graph.pathTo(number), at]);
                    }
                    throw error;
                }
                const state = graph.add(machine.keyOf(next), number, at);
                if (state.isNew) {
                    found.push(next);
                }
                if (move.due) {
                    graph.addDueMove(number, state.number, move.thread);
                }
            }
        }
        if (graph.size > limit) {
            return failed(`more than ${limit} states`, graph.pathTo(graph.size - 1));
        }
        frontier = found;
    }
    const stuck = graph.firstCutOff(goals);
    if (stuck >= 0) {
        return failed('from here, some thread can never end', graph.pathTo(stuck));
    }
    const livelock = machine.hasTellingCycles ? graph.firstLivelock() : -1;
    if (livelock >= 0) {
        return failed('from here, threads may keep each other busy for ever', graph.pathTo(livelock));
    }
    return { states: graph.size, failure: '', schedule: [] };

    /** @param {string} failure @param {number[]} path */
    function failed(failure, path) {
        return { states: graph.size, failure, schedule: replay(machine, path) };
    }
}

/**
 * @template W
 * @template {{ due: boolean, thread: number }} M
 * @param {Explorable<W, M>} machine
 * @param {number[]} path
 */
function replay(machine, path) {
    let world = machine.start();
    const lines = [];
    for (const at of path) {
        const move = machine.movesOf(world)[at];
        if (move) {
            lines.push(machine.describe(world, move));
            try {
                world = machine.apply(world, move);
            } catch {
                break; // a move that violates a rule leads to no state
            }
        }
    }
    return [...lines, ...machine.describeWorld(world)];
}
