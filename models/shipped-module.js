/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { decode } from './wasm-decoder.js';

/* The module as published, but for the limits of its two spin loops. A thread that looks in vain writes
 * nothing and keeps nothing of what it saw. So whatever the shipped module can do to the word by looking up to
 * 100 times, it can also do by looking once, later. A loop is therefore left after its first round, and the
 * looks of a round that follow each other are one step (locals.js). */

export const MODULE_FILE = new URL('../wasm/holdfast.wasm', import.meta.url);

/** LOOKS_BEFORE_SLEEP and LOOKS_AS_SUCCESSOR of c-src/gate.c. */
const LOOK_LIMITS = [100, 25_000];

/** A spin loop is not where it was, or not what it was. */
class UnknownLoop extends Error {
    name = 'UnknownLoop';
}

/**
 * Decodes a module and limits its spin loops to one round each.
 * @param {Uint8Array} bytes
 */
export function moduleOf(bytes) {
    const module = decode(bytes);
    for (const limit of LOOK_LIMITS) {
        limitLooks(module, limit);
    }
    return module;
}

/**
 * A module as it is, and with its spin loops limited, if they are in the form that is known here.
 * @param {Uint8Array} bytes
 */
export function limitLooksOf(bytes) {
    const whole = decode(bytes);
    try {
        return { whole, limited: moduleOf(bytes) };
    } catch (error) {
        if (error instanceof UnknownLoop) {
            return { whole, limited: undefined };
        }
        throw error;
    }
}

export function shippedModule() {
    return moduleOf(readFileSync(MODULE_FILE));
}

/**
 * Finds the one loop that ends when its counter reaches the limit, `counter += step; counter != limit`, and makes
 * the limit equal to the step, which is the number of looks that the compiler put into a round. Throws if the
 * constant is not there exactly once, or not in such a place.
 * @param {import('./wasm-decoder.js').Module} module
 * @param {number} limit
 */
function limitLooks(module, limit) {
    const places = module.functions.flatMap(({ instructions }) =>
        instructions.flatMap(({ value }, at) => (value === limit ? [{ instructions, at }] : [])),
    );
    const [place] = places;
    if (!place || places.length !== 1) {
        throw new UnknownLoop(`the module has the limit ${limit} in ${places.length} places, not in one`);
    }
    const { instructions, at } = place;
    const [step, add, tee, constant, compare, branch] = instructions.slice(at - 3, at + 3);
    const names = [add, tee, compare, branch].map((instruction) => instruction?.name);
    const start = branch?.targets[0] ?? -1;
    if (
        names.join() !== 'i32.add,local.tee,i32.ne,br_if' ||
        instructions[start]?.name !== 'loop' ||
        typeof step?.value !== 'number' ||
        !constant
    ) {
        throw new UnknownLoop(`the constant ${limit} does not limit a loop in the way that is known here`);
    }
    constant.value = step.value;
    const last = limit - step.value;
    instructions.slice(start, at).forEach((instruction, place) => {
        if (instruction.name === 'i64.atomic.load') {
            instruction.look = `look of ${limit}`;
        }
        // Where it is asked whether another round comes: the one round is the last.
        if (instruction.value === last && instructions[start + place + 1]?.name === 'i32.lt_u') {
            instruction.value = 0;
        }
    });
}
