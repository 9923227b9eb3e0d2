/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Violation } from '../explorer/violation.js';
import { RETURN } from './decoder.js';

/* Runs a decoded module up to its next atomic instruction, and continues from there with the result. In
 * between a thread touches nothing that others see: all interaction between threads happens at atomic
 * instructions. */

/**
 * @typedef {import('./decoder.js').Instruction} Instruction
 * @typedef {import('./decoder.js').Module} Module
 *
 * @typedef {number | bigint} Value a signed i32 or a signed i64
 *
 * @typedef {object} Frame
 * @property {number} code the function's index
 * @property {number} at the next instruction
 * @property {Value[]} locals
 * @property {Value[]} stack
 * @property {[start: number, height: number][]} blocks that are open, and the height of the stack at their start
 *
 * @typedef {{ name: string, address: number, operands: Value[], look: string }} Atomic instruction that comes next; the
 *     operands behind the address
 *
 * @typedef {{ atomic: Atomic, frames: any } | { atomic: undefined, value: Value | undefined }} Stop of a call: before
 *     an atomic instruction, or at its end
 */

/** Operations that i32 and i64 share. @type {Record<string, (x: any, y: any) => Value | boolean>} */
const ANY_BINARY = {
    eq: (x, y) => x === y,
    ne: (x, y) => x !== y,
    lt_s: (x, y) => x < y,
    gt_s: (x, y) => x > y,
    le_s: (x, y) => x <= y,
    ge_s: (x, y) => x >= y,
    add: (x, y) => x + y,
    sub: (x, y) => x - y,
    and: (x, y) => x & y,
    or: (x, y) => x | y,
    xor: (x, y) => x ^ y,
};

/** @type {Record<string, (x: number, y: number) => number | boolean>} */
const I32_BINARY = {
    lt_u: (x, y) => x >>> 0 < y >>> 0,
    gt_u: (x, y) => x >>> 0 > y >>> 0,
    le_u: (x, y) => x >>> 0 <= y >>> 0,
    ge_u: (x, y) => x >>> 0 >= y >>> 0,
    mul: (x, y) => Math.imul(x, y),
    rem_u: (x, y) => (x >>> 0) % (y >>> 0),
    shl: (x, y) => x << y,
    shr_s: (x, y) => x >> y,
    shr_u: (x, y) => x >>> y,
    rotl: (x, y) => (x << y) | (x >>> (32 - (y & 31))),
};

/** @param {bigint} x */
const unsigned64 = (x) => BigInt.asUintN(64, x);

/** @type {Record<string, (x: bigint, y: bigint) => bigint | boolean>} */
const I64_BINARY = {
    lt_u: (x, y) => unsigned64(x) < unsigned64(y),
    gt_u: (x, y) => unsigned64(x) > unsigned64(y),
    le_u: (x, y) => unsigned64(x) <= unsigned64(y),
    ge_u: (x, y) => unsigned64(x) >= unsigned64(y),
    mul: (x, y) => x * y,
    shl: (x, y) => x << (y & 63n),
    shr_s: (x, y) => x >> (y & 63n),
    shr_u: (x, y) => unsigned64(x) >> (y & 63n),
};

/** @type {Map<string, (x: any, y: any) => Value | boolean>} */
const BINARY = new Map();
Object.entries({ ...ANY_BINARY, ...I32_BINARY }).forEach(([name, binary]) =>
    BINARY.set(`i32.${name}`, binary),
);
Object.entries({ ...ANY_BINARY, ...I64_BINARY }).forEach(([name, binary]) =>
    BINARY.set(`i64.${name}`, binary),
);

/** @type {Record<string, (x: any) => Value>} */
const UNARY = {
    'i32.eqz': (x) => Number(x === 0),
    'i64.eqz': (x) => Number(x === 0n),
    'i32.wrap_i64': (x) => Number(BigInt.asIntN(32, x)),
    'i64.extend_i32_s': (x) => BigInt(x),
    'i64.extend_i32_u': (x) => BigInt(x >>> 0),
};

/** How many operands each instruction has after its address. The last two access words of one owner, and are steps too. @type {Record<string, number>} */
const ATOMIC_OPERANDS = {
    'memory.atomic.notify': 1,
    'memory.atomic.wait32': 2,
    'i32.atomic.load': 0,
    'i32.atomic.store': 1,
    'i32.atomic.rmw.add': 1,
    'i32.atomic.rmw.and': 1,
    'i32.atomic.rmw.cmpxchg': 2,
    'i64.atomic.store': 1,
    'i64.atomic.load': 0,
    'i64.atomic.rmw.cmpxchg': 2,
    'i32.load': 0,
    'i32.store': 1,
};

/**
 * An instruction's effect, by its name: found once, since most run very often.
 *
 * @typedef {object} Effect
 * @property {number} operands of an atomic instruction behind its address; -1: it is none
 * @property {((x: any) => Value) | undefined} unary
 * @property {((x: any, y: any) => Value | boolean) | undefined} binary
 */

/** @param {Instruction} instruction @returns {Effect} */
function effectOf(instruction) {
    const { name } = instruction;
    instruction.effect ??= {
        operands: ATOMIC_OPERANDS[name] ?? -1,
        unary: UNARY[name],
        binary: BINARY.get(name),
    };
    return instruction.effect;
}

/** @param {Module} module @returns {import('../explorer/thread-call.js').Runner} */
export function interpreterOf(module) {
    return {
        call: (name, parameters) => call(module, name, parameters),
        resume: (frames, result) => resume(module, frames, result),
    };
}

/**
 * Makes the runner of two modules, each with its own functions.
 * @param {Module} one
 * @param {Module} other for the exports that the first module lacks
 * @returns {import('../explorer/thread-call.js').Runner}
 */
export function interpreterOfBoth(one, other) {
    // Frames name a module by its index: they are part of the thread's state, which becomes text often.
    const modules = [one, other];
    /** @param {number} place */
    const moduleAt = (place) => /** @type {Module} */ (modules[place]);
    /** @param {number} place @param {Stop} stop @returns {Stop} */
    const from = (place, stop) =>
        stop.atomic ? { atomic: stop.atomic, frames: { place, frames: stop.frames } } : stop;
    return {
        call(name, parameters) {
            const place = one.exports.has(name) ? 0 : 1;
            return from(place, call(moduleAt(place), name, parameters));
        },
        resume: ({ place, frames }, result) => from(place, resume(moduleAt(place), frames, result)),
    };
}

/** The most instructions between two atomic ones: there is no loop between them, so far fewer run. */
const MOST_INSTRUCTIONS = 10_000;

/** @param {Module} module @param {string} name @param {number[]} parameters */
export function call(module, name, parameters) {
    const index = module.exports.get(name);
    if (index === undefined) {
        throw new Error(`the module has no export ${name}`);
    }
    return run(module, [frameOf(module, index, parameters)]);
}

/**
 * Goes on after an atomic instruction.
 * @param {Module} module
 * @param {Frame[]} frames of a Stop; they stay as they are
 * @param {Value} result
 */
export function resume(module, frames, result) {
    const copies = frames.map(({ code, at, locals, stack, blocks }) => ({
        code,
        at,
        locals: [...locals],
        stack: [...stack],
        blocks: [...blocks],
    }));
    return goOn(module, copies, result);
}

/**
 * Goes on without a copy, for callers that no longer need the frames: they change.
 * @param {Module} module
 * @param {Frame[]} frames
 * @param {Value} result
 * @returns {Stop}
 */
export function goOn(module, frames, result) {
    const frame = topOf(frames);
    const { name } = instructionAt(module, frame);
    frame.stack.length -= (ATOMIC_OPERANDS[name] ?? 0) + 1;
    if (!name.endsWith('.store')) {
        frame.stack.push(result);
    }
    frame.at += 1;
    return run(module, frames);
}

/** @param {Module} module @param {number} index */
function codeOf(module, index) {
    const code = module.functions[index];
    if (!code) {
        throw new Error(`the module has no function ${index}`);
    }
    return code;
}

/** @param {Module} module @param {number} index @param {Value[]} parameters @returns {Frame} */
function frameOf(module, index, parameters) {
    const locals = [...parameters, ...codeOf(module, index).zeros];
    return { code: index, at: 0, locals, stack: [], blocks: [] };
}

/** @param {Frame[]} frames */
function topOf(frames) {
    return /** @type {Frame} */ (frames.at(-1));
}

/** @param {Module} module @param {Frame} frame */
function instructionAt(module, { code, at }) {
    const instruction = codeOf(module, code).instructions[at];
    if (!instruction) {
        throw new Error(`function ${code} runs out of its code`);
    }
    return instruction;
}

/** @param {Frame} frame */
function pop(frame) {
    const value = frame.stack.pop();
    if (value === undefined) {
        throw new Error(`the stack of function ${frame.code} is empty at ${frame.at}`);
    }
    return value;
}

/** @param {Module} module @param {Frame[]} frames @returns {Stop} */
function run(module, frames) {
    for (let count = 0; count < MOST_INSTRUCTIONS; count += 1) {
        const frame = topOf(frames);
        const instruction = instructionAt(module, frame);
        const { operands, unary, binary } = effectOf(instruction);
        if (operands >= 0) {
            return { atomic: atomicOf(frame, instruction, operands), frames };
        }
        if (unary || binary) {
            frame.stack.push(unary ? unary(pop(frame)) : computed(frame, /** @type {any} */ (binary)));
            frame.at += 1;
            continue;
        }
        if (runs(module, frame, frames, instruction)) {
            const { results } = codeOf(module, frame.code);
            const value = results > 0 ? pop(frame) : undefined;
            frames.pop();
            if (frames.length === 0) {
                return { atomic: undefined, value };
            }
            if (value !== undefined) {
                topOf(frames).stack.push(value);
            }
        }
    }
    throw new Violation('a call runs away without an atomic instruction');
}

/** @param {Frame} frame @param {Instruction} instruction @param {number} operandCount @returns {Atomic} */
function atomicOf(frame, { name, offset, look }, operandCount) {
    const [base, ...operands] = frame.stack.slice(-1 - operandCount);
    return { name, address: (Number(base) >>> 0) + offset, operands, look };
}

/**
 * @param {Module} module
 * @param {Frame} frame
 * @param {Frame[]} frames
 * @param {Instruction} instruction
 * @returns {boolean} whether the function returns
 */
function runs(module, frame, frames, instruction) {
    const { name, index, targets } = instruction;
    const { stack, locals, blocks } = frame;
    frame.at += 1;
    switch (name) {
        case 'local.get':
            stack.push(/** @type {Value} */ (locals[index]));
            return false;
        case 'local.set':
            locals[index] = pop(frame);
            return false;
        case 'local.tee':
            locals[index] = /** @type {Value} */ (stack.at(-1));
            return false;
        case 'i32.const':
        case 'i64.const':
            stack.push(instruction.value);
            return false;
        case 'nop':
            return false;
        case 'block':
        case 'loop':
            blocks.push([frame.at - 1, stack.length]);
            return false;
        case 'if':
            enterIf(frame, instruction);
            return false;
        case 'else':
            return branches(module, frame, targets[0] ?? RETURN);
        case 'end':
            return blocks.pop() === undefined;
        case 'br':
            return branches(module, frame, targets[0] ?? RETURN);
        case 'br_if':
            return pop(frame) !== 0 && branches(module, frame, targets[0] ?? RETURN);
        case 'br_table': {
            const chosen = Number(pop(frame)) >>> 0;
            return branches(module, frame, targets[Math.min(chosen, targets.length - 1)] ?? RETURN);
        }
        case 'return':
            return true;
        case 'call': {
            const { parameters } = codeOf(module, index);
            frames.push(frameOf(module, index, stack.splice(stack.length - parameters)));
            return false;
        }
        case 'drop':
            pop(frame);
            return false;
        case 'select': {
            const condition = pop(frame);
            const otherwise = pop(frame);
            const value = pop(frame);
            stack.push(condition !== 0 ? value : otherwise);
            return false;
        }
        default:
            throw new Error(`the interpreter does not know ${name}`);
    }
}

/** @param {Frame} frame @param {Instruction} instruction */
function enterIf(frame, { otherwise, end }) {
    const start = frame.at - 1;
    const condition = pop(frame);
    if (condition === 0 && otherwise < 0) {
        frame.at = end + 1;
        return;
    }
    frame.blocks.push([start, frame.stack.length]);
    if (condition === 0) {
        frame.at = otherwise + 1;
    }
}

/**
 * Leaves blocks: continues after the block that starts there, or at the start of a loop.
 * @param {Module} module
 * @param {Frame} frame
 * @param {number} target
 * @returns {boolean} whether the branch leaves the function
 */
function branches(module, frame, target) {
    if (target === RETURN) {
        return true;
    }
    const { blocks, stack } = frame;
    const { name, arity, end } = instructionAt(module, { ...frame, at: target });
    const depth = blocks.findIndex(([start]) => start === target);
    const height = blocks[depth]?.[1] ?? 0;
    if (name === 'loop') {
        stack.length = height;
        blocks.length = depth + 1;
        frame.at = target + 1;
    } else {
        stack.splice(height, stack.length - height - arity);
        blocks.length = depth;
        frame.at = end + 1;
    }
    return false;
}

/** @param {Frame} frame @param {NonNullable<Effect['binary']>} binary @returns {Value} */
function computed(frame, binary) {
    const y = pop(frame);
    const x = pop(frame);
    const result = binary(x, y);
    if (typeof result === 'boolean') {
        return Number(result);
    }
    return typeof result === 'bigint' ? BigInt.asIntN(64, result) : result | 0;
}
