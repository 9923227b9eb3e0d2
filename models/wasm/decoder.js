/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Reads a WebAssembly module into lists of instructions. It knows those that the module's contract allows
 * (tests/verification/contract.test.js) and that have occurred, and throws on any other, so that nothing is
 * silently skipped. */

/**
 * The form of the operands behind an opcode.
 * @typedef {'none' | 'block' | 'depth' | 'depths' | 'index' | 'i32' | 'i64'} Immediate
 *
 * @typedef {object} Instruction
 * @property {string} name
 * @property {number} index of a local or a function
 * @property {number | bigint} value of a constant
 * @property {number} offset of an access
 * @property {number[]} depths of a branch
 * @property {number[]} targets of a branch: where its block starts; RETURN: out of the function
 * @property {number} arity the number of values that the block leaves
 * @property {number} otherwise where a block's `else` is, or -1
 * @property {number} end where its `end` is
 * @property {string} look the spin loop of this load (shipped-module.js)
 * @property {import('./interpreter.js').Effect | undefined} effect the interpreter's effect of the
 *     instruction, set when it first runs
 * @property {Uint8Array} bytes
 * @property {Span} span
 *
 * @typedef {object} Code a function
 * @property {number} parameters
 * @property {number} results
 * @property {(number | bigint)[]} zeros the first values of the locals beyond the parameters
 * @property {Uint8Array} declarations of those locals
 * @property {Instruction[]} instructions
 * @property {SizedSpan} span
 *
 * @typedef {{ start: number, end: number }} Span in the file, up to the first place behind
 * @typedef {Span & { sizeAt: number }} SizedSpan with the place of the number of bytes
 *
 * @typedef {{ functions: Code[], exports: Map<string, number>, sections: Map<number, Uint8Array>, codeSection:
 *     SizedSpan }} Module
 */

export const RETURN = -1;

/** Thrown for an instruction that the contract does not allow, or that the decoder does not know. */
export class UnknownInstruction extends Error {
    name = 'UnknownInstruction';
}

/** @param {number} first opcode @param {string} type @param {string} names of instructions without an immediate */
function numbered(first, type, names) {
    return Object.fromEntries(names.split(' ').map((name, at) => [first + at, [`${type}.${name}`]]));
}

const COMPARISONS = 'eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';

/** @type {Record<number, [name: string, immediate?: Immediate]>} */
export const PLAIN = {
    0x01: ['nop'], // the body of an empty function
    0x02: ['block', 'block'],
    0x03: ['loop', 'block'],
    0x04: ['if', 'block'],
    0x05: ['else'],
    0x0b: ['end'],
    0x0c: ['br', 'depth'],
    0x0d: ['br_if', 'depth'],
    0x0e: ['br_table', 'depths'],
    0x0f: ['return'],
    0x10: ['call', 'index'],
    0x1a: ['drop'],
    0x1b: ['select'],
    0x20: ['local.get', 'index'],
    0x21: ['local.set', 'index'],
    0x22: ['local.tee', 'index'],
    0x41: ['i32.const', 'i32'],
    0x42: ['i64.const', 'i64'],
    ...numbered(0x45, 'i32', COMPARISONS),
    ...numbered(0x50, 'i64', COMPARISONS),
    ...numbered(0x6a, 'i32', 'add sub mul'),
    ...numbered(0x70, 'i32', 'rem_u and or xor shl shr_s shr_u rotl'),
    ...numbered(0x7c, 'i64', 'add sub mul'),
    ...numbered(0x83, 'i64', 'and or xor shl shr_s shr_u'),
    0xa7: ['i32.wrap_i64'],
    0xac: ['i64.extend_i32_s'],
    0xad: ['i64.extend_i32_u'],
};

export const ATOMIC_PREFIX = 0xfe;

/** @type {Record<number, string>} */
export const ATOMIC = {
    0x00: 'memory.atomic.notify',
    0x01: 'memory.atomic.wait32',
    0x10: 'i32.atomic.load',
    0x11: 'i64.atomic.load',
    0x17: 'i32.atomic.store',
    0x18: 'i64.atomic.store',
    0x1e: 'i32.atomic.rmw.add',
    0x2c: 'i32.atomic.rmw.and',
    0x33: 'i32.atomic.rmw.or',
    0x48: 'i32.atomic.rmw.cmpxchg',
    0x49: 'i64.atomic.rmw.cmpxchg',
};

export const SECTION = { CUSTOM: 0, TYPE: 1, IMPORT: 2, FUNCTION: 3, EXPORT: 7, CODE: 10 };
export const KIND_FUNCTION = 0;
export const TYPE_I32 = 0x7f;
export const TYPE_I64 = 0x7e;

/**
 * Accesses to words that one thread at a time may use; only the module of depths has them
 * (c-src/recursive_mutex.h).
 */
export const OWNED = { 0x28: 'i32.load', 0x36: 'i32.store' };

const BLOCK_TYPE_EMPTY = -64;
const HEADER_BYTES = 8;

/** The bytes from a place on, as the numbers and names of the format. */
export class Reader {
    /** @type {Uint8Array} */
    #bytes;

    /** @param {Uint8Array} bytes @param {number} at */
    constructor(bytes, at) {
        this.#bytes = bytes;
        this.at = at;
    }

    get isAtEnd() {
        return this.at >= this.#bytes.length;
    }

    byte() {
        const byte = this.#bytes[this.at];
        if (byte === undefined) {
            throw new Error('the module ends too early');
        }
        this.at += 1;
        return byte;
    }

    /** Reads a part that begins here with its number of bytes. @returns {SizedSpan} */
    sized() {
        const sizeAt = this.at;
        const size = this.unsigned();
        return { sizeAt, start: this.at, end: this.at + size };
    }

    /** @param {boolean} signed */
    big(signed) {
        let value = 0n;
        for (let shift = 0n; ; shift += 7n) {
            const byte = BigInt(this.byte());
            value |= (byte & 0x7fn) << shift;
            if ((byte & 0x80n) === 0n) {
                const isNegative = signed && (byte & 0x40n) !== 0n;
                return isNegative ? value - (1n << (shift + 7n)) : value;
            }
        }
    }

    unsigned() {
        return Number(this.big(false));
    }

    signed() {
        return Number(this.big(true));
    }

    /** @param {number} start */
    since(start) {
        return this.#bytes.subarray(start, this.at);
    }

    name() {
        const length = this.unsigned();
        this.at += length;
        return new TextDecoder().decode(this.since(this.at - length));
    }

    /** @template T @param {() => T} item */
    list(item) {
        return Array.from({ length: this.unsigned() }, item);
    }
}

/**
 * @param {Uint8Array} bytes
 * @param {Record<number, string>} [accesses] further accesses that are allowed besides the atomic ones
 * @returns {Module}
 */
export function decode(bytes, accesses = {}) {
    const reader = new Reader(bytes, HEADER_BYTES);
    /** @type {{ parameters: number, results: number }[]} */
    let types = [];
    /** @type {number[]} */
    let typeOf = [];
    /** @type {Map<string, number>} */
    const exports = new Map();
    /** @type {Map<number, Uint8Array>} */
    const sections = new Map();
    /** @type {Code[]} */
    let functions = [];
    let codeSection = { sizeAt: 0, start: 0, end: 0 };

    while (!reader.isAtEnd) {
        const section = reader.byte();
        const span = reader.sized();
        if (section === SECTION.TYPE) {
            types = reader.list(() => {
                reader.byte();
                const parameters = reader.list(() => reader.byte()).length;
                return { parameters, results: reader.list(() => reader.byte()).length };
            });
        } else if (section === SECTION.FUNCTION) {
            typeOf = reader.list(() => reader.unsigned());
        } else if (section === SECTION.EXPORT) {
            reader.list(() => {
                const name = reader.name();
                if (reader.byte() !== KIND_FUNCTION) {
                    throw new Error(`the export ${name} is not a function`);
                }
                exports.set(name, reader.unsigned());
            });
        } else if (section === SECTION.CODE) {
            codeSection = span;
            functions = reader
                .list(() => decodeBody(reader, accesses))
                .map((body, at) => {
                    const type = types[typeOf[at] ?? -1];
                    if (!type) {
                        throw new Error(`function ${at} has no type`);
                    }
                    return { ...type, ...body };
                });
        }
        reader.at = span.end;
        sections.set(section, reader.since(span.start));
    }
    return { functions, exports, sections, codeSection };
}

/** @param {Reader} reader @param {Record<number, string>} accesses */
function decodeBody(reader, accesses) {
    const span = reader.sized();
    const zeros = reader
        .list(() => ({ count: reader.unsigned(), type: reader.byte() }))
        .flatMap(({ count, type }) => new Array(count).fill(zeroOf(type)));
    const declarations = reader.since(span.start);
    const instructions = [];
    while (reader.at < span.end) {
        instructions.push(decodeInstruction(reader, accesses));
    }
    linkBlocks(instructions);
    return { zeros, declarations, instructions, span };
}

/** @param {number} type @returns {number | bigint} */
function zeroOf(type) {
    if (type !== TYPE_I32 && type !== TYPE_I64) {
        throw new Error(`unknown type 0x${type.toString(16)}`);
    }
    return type === TYPE_I64 ? 0n : 0;
}

/** @param {Reader} reader @param {Record<number, string>} accesses @returns {Instruction} */
function decodeInstruction(reader, accesses) {
    const start = reader.at;
    const opcode = reader.byte();
    const isAtomic = opcode === ATOMIC_PREFIX;
    const atomic = isAtomic ? reader.unsigned() : undefined;
    const access = atomic === undefined ? accesses[opcode] : ATOMIC[atomic];
    const [name, immediate = 'none'] = access === undefined && !isAtomic ? (PLAIN[opcode] ?? []) : [access];
    if (name === undefined) {
        throw new UnknownInstruction(`unknown instruction 0x${opcode.toString(16)} ${atomic ?? ''}`);
    }
    const index = immediate === 'index' ? reader.unsigned() : 0;
    const value = immediate === 'i32' ? reader.signed() : immediate === 'i64' ? reader.big(true) : 0;
    const arity = immediate === 'block' && reader.signed() !== BLOCK_TYPE_EMPTY ? 1 : 0;
    const depths = immediate === 'depths' ? reader.list(() => reader.unsigned()) : [];
    if (immediate === 'depth' || immediate === 'depths') {
        depths.push(reader.unsigned());
    }
    let offset = 0;
    if (access !== undefined) {
        reader.unsigned(); // the alignment, which is always the natural one
        offset = reader.unsigned();
    }
    return {
        ...{ name, index, value, offset, depths, targets: [], arity, otherwise: -1, end: -1, look: '' },
        ...{ effect: undefined, bytes: reader.since(start), span: { start, end: reader.at } },
    };
}

/** Links blocks to their ends, and branches to the blocks that they leave. @param {Instruction[]} instructions */
function linkBlocks(instructions) {
    /** @type {number[]} */
    const open = [];
    instructions.forEach((instruction, at) => {
        const around = instructions[open.at(-1) ?? -1];
        if (['block', 'loop', 'if'].includes(instruction.name)) {
            open.push(at);
        } else if (instruction.name === 'else' && around) {
            around.otherwise = at;
            instruction.targets = [open.at(-1) ?? -1];
        } else if (instruction.name === 'end' && around) {
            around.end = at;
            open.pop();
        } else {
            instruction.targets = instruction.depths.map((depth) => open.at(-1 - depth) ?? RETURN);
        }
    });
}
