/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { CHANNEL_TEXT } from '../../js-glue/memory/channel-bytes.js';
import { DEPTHS_TEXT } from '../../js-glue/memory/depths-bytes.js';
import { HOLDS_TEXT } from '../../js-glue/memory/holds-bytes.js';
import { RECURSIVE_MUTEX_MOST } from '../../js-glue/memory/layout.js';
import { bytesOf } from '../../js-glue/memory/text.js';
import {
    BARRIER_ONE_LEFT,
    GATE_SPINS_BEFORE_SLEEP,
    WAITING_SLICES_MOST,
    WAITING_SPINS_FOR_A_CHANGE,
} from '../c/numbers.js';
import { decode, OWNED } from './decoder.js';

/* The module as published, except for four numbers, and one in the module of depths. Two numbers limit its
 * spin loops. A read in a spin loop writes nothing, and a thread keeps nothing of a failed read: one later
 * read can do whatever 100 reads can. So a loop ends after its first round, and the reads of a round are one
 * step (locals.js).
 *
 * The third number is the greatest count of slices. The count decides the length of a sleep, which the models
 * ignore, and whether the heir spins before it sleeps, for which a count of 1 is enough.
 *
 * The fourth makes a barrier's pauses empty, so that threads spin in each round: a thread without a spin can
 * do nothing that a spin with one read cannot.
 *
 * The fifth is the greatest depth of a recursive mutex. */

/** @typedef {import('./decoder.js').Module} Module */

export const MODULE_FILE = new URL('../../wasm/holdfast.wasm', import.meta.url);

const BARRIER_CALLS_FILE = new URL('../../build/wasm/barrier-calls.wasm', import.meta.url);

/** Multiplies a pause. */
const TWICE = BARRIER_ONE_LEFT + 1;

/** In place of the number of growing slices. */
const SLICES_ENOUGH = 1;

/** The depth at which a further lock reaches the greatest depth, and as used here. */
const DEEPEST = RECURSIVE_MUTEX_MOST - 2;
const DEEPEST_HERE = 1;

/** Thrown if the code to change has another place or form. */
export class UnknownLoop extends Error {
    name = 'UnknownLoop';
}

/** @param {Uint8Array} bytes */
function withFewLooks(bytes) {
    const module = decode(bytes);
    limitLooks(module);
    limitLooksForAChange(module);
    return module;
}

/** A module as the explorer runs it. @param {Uint8Array} bytes */
export function moduleOf(bytes) {
    const module = withFewLooks(bytes);
    limitSlices(module);
    forgetPauses(module);
    return module;
}

/**
 * Undefined if the module has not the known form.
 * @param {Uint8Array} bytes
 * @param {(bytes: Uint8Array) => Module} make
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

/** A module as it is, but with its spin loops limited, if they are known. @param {Uint8Array} bytes */
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

/**
 * The module of depths, with 3 as the greatest depth. If the module has its limit in an unknown form, the
 * limit stays, and a scenario fails.
 * @param {Uint8Array} bytes
 */
export function depthsOf(bytes) {
    const module = decode(bytes, OWNED);
    for (const instruction of module.functions.flatMap(({ instructions }) => instructions)) {
        const beyond = Number(instruction.value) - DEEPEST;
        if (Math.abs(beyond) <= DEEPEST_HERE) {
            instruction.value = DEEPEST_HERE + beyond;
        }
    }
    return module;
}

/** The calls of a barrier that C programs make; no package has them (models/c/). @param {Uint8Array} bytes */
export function barrierCallsOf(bytes) {
    const module = decode(bytes);
    limitLooksForAChange(module);
    limitSlices(module);
    forgetPauses(module);
    return module;
}

/** Modules that some scenarios also need. @returns {import('../explorer/scenario.js').FurtherModules} */
export function shippedParts() {
    return {
        holds: moduleOf(bytesOf(HOLDS_TEXT)),
        depths: depthsOf(bytesOf(DEPTHS_TEXT)),
        barrierCalls: barrierCallsOf(readFileSync(BARRIER_CALLS_FILE)),
        channel: decode(bytesOf(CHANNEL_TEXT)),
    };
}

/** @param {({ name: string } | undefined)[]} instructions */
function namesOf(instructions) {
    return instructions.map((instruction) => instruction?.name).join();
}

/**
 * Makes the one function that counts a slice, `slices + (slices < WAITING_SLICES_MOST)`, count to enough.
 * @param {Module} module
 */
function limitSlices(module) {
    const counts = 'local.get,i32.const,i32.lt_u,local.get,i32.add';
    const [place, ...others] = module.functions.filter(({ instructions }) =>
        namesOf(instructions).startsWith(counts),
    );
    const constant = place?.instructions[1];
    if (constant?.value !== WAITING_SLICES_MOST || others.length > 0) {
        throw new UnknownLoop('slices are not counted where they were');
    }
    constant.value = SLICES_ENOUGH;
}

/** The only place where the module contains this number. @param {Module} module @param {number} number */
function placeOf(module, number) {
    const places = module.functions.flatMap(({ instructions }) =>
        instructions.flatMap(({ value }, at) => (value === number ? [{ instructions, at }] : [])),
    );
    const [place] = places;
    if (!place || places.length !== 1) {
        throw new UnknownLoop(`the module has the number ${number} in ${places.length} places, not in one`);
    }
    return place;
}

/**
 * Finds the one loop that ends at a limit, `counter += step; counter != limit`, and makes the limit equal to
 * the step, the number of reads that the compiler put into a round.
 * @param {Module} module
 */
function limitLooks(module) {
    const limit = GATE_SPINS_BEFORE_SLEEP;
    const { instructions, at } = placeOf(module, limit);
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
    instructions.slice(start, at).forEach((instruction) => {
        if (instruction.name === 'i64.atomic.load') {
            instruction.look = `look of ${limit}`;
        }
    });
}

/**
 * Finds the one loop that counts down, `left = limit; do { read } while (--left)`, and makes it read once.
 * @param {Module} module
 */
function limitLooksForAChange(module) {
    const { instructions, at } = placeOf(module, WAITING_SPINS_FOR_A_CHANGE);
    const [constant, set, loop] = instructions.slice(at);
    const rest = instructions.slice(at + 3);
    const look = rest.find(({ name }) => name === 'i64.atomic.load');
    const counts = rest.findIndex(({ name, index }) => name === 'local.get' && index === set?.index);
    const [left, step, subtract, kept, branch] = rest.slice(counts);
    if (
        namesOf([set, loop, left, step, subtract, kept, branch]) !==
            'local.set,loop,local.get,i32.const,i32.sub,local.tee,br_if' ||
        kept?.index !== set?.index ||
        step?.value !== 1 ||
        !constant ||
        !look
    ) {
        throw new UnknownLoop('the looks for a change are not counted in the way that is known here');
    }
    constant.value = 1;
    look.look = `look of ${WAITING_SPINS_FOR_A_CHANGE}`;
}

/** A pause is stored twice in its word, by a multiplication. @param {Module} module of gates only: there is none */
function forgetPauses(module) {
    for (const { instructions } of module.functions) {
        instructions.forEach((instruction, at) => {
            const [multiply, store] = instructions.slice(at + 1);
            if (instruction.value === TWICE && namesOf([multiply, store]) === 'i32.mul,i32.atomic.store') {
                instruction.value = 0;
            }
        });
    }
}
