/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RETURN } from '../wasm/decoder.js';

/* Finds the locals of a function that are read again, at each of its instructions. States that differ only in the
 * values of other locals are one state. */

/**
 * @typedef {import('../wasm/decoder.js').Module} Module
 * @typedef {import('../wasm/decoder.js').Instruction} Instruction
 * @typedef {Module['functions'][number]} Code
 */

/**
 * The instructions that may come next; the one after the last is the function's end.
 * @param {Instruction[]} all
 * @param {number} at
 */
function nextOf(all, at) {
    const { name, targets, otherwise, end } = /** @type {Instruction} */ (all[at]);
    const behind = (/** @type {number} */ target) =>
        target === RETURN
            ? all.length
            : all[target]?.name === 'loop'
              ? target + 1
              : Number(all[target]?.end) + 1;
    switch (name) {
        case 'br':
            return targets.map(behind);
        case 'br_if':
            return [at + 1, ...targets.map(behind)];
        case 'br_table':
            return targets.map(behind);
        case 'else':
            return [behind(targets[0] ?? RETURN)];
        case 'if':
            return [at + 1, (otherwise < 0 ? end : otherwise) + 1];
        case 'return':
            return [all.length];
        default:
            return [at + 1];
    }
}

/** @param {Code} code @returns {Set<number>[]} before each instruction */
function liveIn({ instructions }) {
    const live = Array.from({ length: instructions.length + 1 }, () => new Set());
    for (let changed = true; changed;) {
        changed = false;
        for (let at = instructions.length - 1; at >= 0; at -= 1) {
            const { name, index } = /** @type {Instruction} */ (instructions[at]);
            const before = /** @type {Set<number>} */ (live[at]);
            const size = before.size;
            for (const next of nextOf(instructions, at)) {
                for (const local of live[next] ?? []) {
                    if (local !== index || !(name === 'local.set' || name === 'local.tee')) {
                        before.add(local);
                    }
                }
            }
            if (name === 'local.get') {
                before.add(index);
            }
            changed ||= before.size > size;
        }
    }
    return live;
}

/** @type {WeakMap<Code, Set<number>[]>} */
const known = new WeakMap();

/** @param {Module} module @param {number} code @param {number} at */
export function liveLocals(module, code, at) {
    const its = /** @type {Code} */ (module.functions[code]);
    let live = known.get(its);
    if (live === undefined) {
        live = liveIn(its);
        known.set(its, live);
    }
    return live[at] ?? new Set();
}
