/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { HOLDS_TEXT } from '../../js-glue/memory/holds-bytes.js';
import { bytesOf } from '../../js-glue/memory/module.js';
import { decode } from './decoder.js';

/* The module as published, but for three numbers. Two limit its spin loops. A thread that looks in vain writes nothing
 * and keeps nothing of what it saw: what it can do by looking 100 times, it can do by looking once, later. So a loop is
 * left after its first round, and the looks of a round are one step (locals.js).
 *
 * The third is how far a thread counts its slices. That decides how long it sleeps, which is not told from other
 * slices here, and whether it looks before it sleeps as the successor, which 1 decides too. */

/** @typedef {import('./decoder.js').Module} Module */

export const MODULE_FILE = new URL('../../wasm/holdfast.wasm', import.meta.url);

/** LOOKS_BEFORE_SLEEP and LOOKS_AS_SUCCESSOR of c-src/gate.c. */
const LOOK_LIMITS = [100, 25_000];

/** HF__SLICES_MOST of c-src/waiting.h, and what is enough here. */
const SLICES_MOST = 6;
const SLICES_ENOUGH = 1;

/** The code to be changed is not where it was, or not what it was. */
class UnknownLoop extends Error {
    name = 'UnknownLoop';
}

/** @param {Uint8Array} bytes */
function withFewLooks(bytes) {
    const module = decode(bytes);
    for (const limit of LOOK_LIMITS) {
        limitLooks(module, limit);
    }
    return module;
}

/** A module as it is explored. @param {Uint8Array} bytes */
export function moduleOf(bytes) {
    const module = withFewLooks(bytes);
    limitSlices(module);
    return module;
}

/**
 * Undefined: the module has another form than the one that is known here.
 * @param {Uint8Array} bytes @param {(bytes: Uint8Array) => Module} make
 */
function ifKnown(bytes, make) {
    try {
        return make(bytes);
    } catch (error) {
        if (error instanceof UnknownLoop) {
            return undefined;
        }
        throw error;
    }
}

/** A module as it is, and with its spin loops limited, if they are known. @param {Uint8Array} bytes */
export function limitLooksOf(bytes) {
    return { whole: decode(bytes), limited: ifKnown(bytes, withFewLooks) };
}

/** @param {Uint8Array} bytes */
export function explorableOf(bytes) {
    return ifKnown(bytes, moduleOf);
}

export function shippedModule() {
    return moduleOf(readFileSync(MODULE_FILE));
}

/** That of gates with holds. */
export function shippedHolds() {
    return moduleOf(bytesOf(HOLDS_TEXT));
}

/** @param {({ name: string } | undefined)[]} instructions */
function namesOf(instructions) {
    return instructions.map((instruction) => instruction?.name).join();
}

/**
 * Makes the one function that counts a slice, `slices + (slices < SLICES_MOST)`, count to enough.
 * @param {Module} module
 */
function limitSlices(module) {
    const counts = 'local.get,i32.const,i32.lt_u,local.get,i32.add';
    const [place, ...others] = module.functions.filter(({ instructions }) =>
        namesOf(instructions).startsWith(counts),
    );
    const constant = place?.instructions[1];
    if (constant?.value !== SLICES_MOST || others.length > 0) {
        throw new UnknownLoop('slices are not counted where they were');
    }
    constant.value = SLICES_ENOUGH;
}

/**
 * Finds the one loop that ends at a limit, `counter += step; counter != limit`, and makes the limit equal to the step,
 * which is how many looks the compiler put into a round.
 * @param {Module} module @param {number} limit
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
    const start = branch?.targets[0] ?? -1;
    if (
        namesOf([add, tee, compare, branch]) !== 'i32.add,local.tee,i32.ne,br_if' ||
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
