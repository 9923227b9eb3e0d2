/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Finds fair cycles: every thread that can move in each state of the cycle does move (weak fairness), and yet
 * no thread ends. A strongly connected component that is not fair has no fair part, so checking whole
 * components is enough. */

/**
 * @typedef {object} Moves sorted by where they come from
 * @property {Uint32Array} starts the index of each state's first move, and the end
 * @property {Uint32Array} targets
 * @property {Uint8Array} threads whose move it is
 */

/**
 * The component of each state, from 1 on. R. Tarjan, "Depth-first search and linear graph algorithms" (1972).
 * @param {Moves} moves
 * @returns {Uint32Array}
 */
function componentsOf({ starts, targets }) {
    const size = starts.length - 1;
    const order = new Uint32Array(size); // 0: not seen yet
    const low = new Uint32Array(size);
    const component = new Uint32Array(size); // 0: none yet
    const at = starts.slice();
    /** @type {number[]} */
    const open = [];
    let seen = 0;
    let components = 0;
    for (let root = 0; root < size; root += 1) {
        const path = order[root] ? [] : [root];
        for (let state = path.at(-1); state !== undefined; state = path.at(-1)) {
            if (!order[state]) {
                seen += 1;
                order[state] = low[state] = seen;
                open.push(state);
            }
            const move = at[state] ?? 0;
            if (move < (starts[state + 1] ?? 0)) {
                at[state] = move + 1;
                const target = targets[move] ?? 0;
                if (!order[target]) {
                    path.push(target);
                } else if (!component[target]) {
                    low[state] = Math.min(low[state] ?? 0, order[target] ?? 0);
                }
                continue;
            }
            if (low[state] === order[state]) {
                components += 1;
                for (let member = -1; member !== state; component[member] = components) {
                    member = open.pop() ?? state;
                }
            }
            path.pop();
            const parent = path.at(-1);
            if (parent !== undefined) {
                low[parent] = Math.min(low[parent] ?? 0, low[state] ?? 0);
            }
        }
    }
    return component;
}

/** A state of a fair cycle, or -1. @param {Moves} moves */
export function firstInFairCycle(moves) {
    const { starts, targets, threads } = moves;
    const component = componentsOf(moves);
    const count = component.reduce((most, number) => Math.max(most, number), 0) + 1;
    const always = new Uint32Array(count).fill(-1); // as bits, the threads that can move in every state of the component
    const moving = new Uint32Array(count); // as bits, the threads with a move inside the component
    for (let state = 0; state < component.length; state += 1) {
        const number = component[state] ?? 0;
        let able = 0;
        for (let move = starts[state] ?? 0; move < (starts[state + 1] ?? 0); move += 1) {
            const thread = 1 << (threads[move] ?? 0);
            able |= thread;
            if (component[targets[move] ?? 0] === number) {
                moving[number] = (moving[number] ?? 0) | thread;
            }
        }
        always[number] = (always[number] ?? 0) & able;
    }
    return component.findIndex((number) => {
        const inside = moving[number] ?? 0;
        return inside !== 0 && ((always[number] ?? 0) & ~inside) === 0;
    });
}
