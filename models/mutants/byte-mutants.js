/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { decode } from '../wasm/decoder.js';
import { constant, spliced } from '../wasm/encoder.js';
import { opcodeOf, unsigned } from '../wasm/writer.js';

/* Every module that differs in one operation of the code of gates and what stands on them: another opcode, constant,
 * width, offset, local or target, or the operation left out. What an engine would refuse is no mutant, nor is a shift
 * by a count that comes to the same. */

/**
 * @typedef {import('../wasm/decoder.js').Instruction} Instruction
 *
 * @typedef {object} ByteMutant
 * @property {string} name unique: function, place, change
 * @property {string} operator the kind of change
 * @property {Uint8Array} bytes
 *
 * @typedef {object} Place
 * @property {Instruction} instruction
 * @property {Instruction | undefined} next
 * @property {number[]} own its bytes
 * @property {number} locals of the function
 * @property {number} parameters of the function that it calls
 *
 * @typedef {{ to: string, code: number[] }} Replacement
 */

/** No thread of the explorer's gates calls anything else. The table of threads is explored by itself. */
const SCOPE = /^(mutex|gate|owned|semaphore|rwlock)_/;

const DROP = opcodeOf('drop');
const IS_ZERO = opcodeOf('i32.eqz');

/** By what stands behind the type. @type {Record<string, string[]>} */
const SWAPS = {
    eq: ['ne'],
    ne: ['eq'],
    lt_s: ['le_s', 'ge_s', 'lt_u'],
    lt_u: ['le_u', 'ge_u', 'lt_s'],
    gt_s: ['ge_s', 'le_s', 'gt_u'],
    gt_u: ['ge_u', 'le_u', 'gt_s'],
    le_s: ['lt_s', 'gt_s', 'le_u'],
    le_u: ['lt_u', 'gt_u', 'le_s'],
    ge_s: ['gt_s', 'lt_s', 'ge_u'],
    ge_u: ['gt_u', 'lt_u', 'ge_s'],
    add: ['sub'],
    sub: ['add'],
    mul: ['add'],
    and: ['or'],
    or: ['and'],
    xor: ['and', 'or'],
    shl: ['shr_u'],
    shr_u: ['shl'],
    shr_s: ['shl', 'shr_u'],
};

const SHIFT = /\.(shl|shr_[su]|rotl)$/;

/** @type {Record<string, number>} */
const WIDTH = { i32: 32, i64: 64 };

/** With alignments as powers of two. @type {Record<string, [string, number[], number][]>} */
const NARROWER = {
    'i64.atomic.load': [
        ['i64.atomic.load8_u', [0xfe, 0x14], 0],
        ['i64.atomic.load16_u', [0xfe, 0x15], 1],
        ['i64.atomic.load32_u', [0xfe, 0x16], 2],
    ],
    'i64.atomic.rmw.cmpxchg': [
        ['i64.atomic.rmw8.cmpxchg_u', [0xfe, 0x4c], 0],
        ['i64.atomic.rmw16.cmpxchg_u', [0xfe, 0x4d], 1],
        ['i64.atomic.rmw32.cmpxchg_u', [0xfe, 0x4e], 2],
    ],
};

/** How many a notify wakes. */
const [ONE, ALL] = [1n, -1n];
const OTHER_OFFSETS = [0, 4, 8, 12, 16];
const WAIT_RESULTS = [0, 1, 2];

/** @param {string} to @param {...number[]} parts @returns {Replacement} */
function by(to, ...parts) {
    return { to, code: parts.flat() };
}

/** @param {Place} place @returns {Replacement[]} */
function otherOpcodes({ instruction: { name }, own }) {
    const [type = '', operation = ''] = name.split('.');
    if (name === 'i32.eqz') {
        return [by('nothing')];
    }
    if (name === 'i64.eqz') {
        return [by('not i64.eqz', own, IS_ZERO)];
    }
    return (SWAPS[operation] ?? []).map((other) => by(`${type}.${other}`, opcodeOf(`${type}.${other}`)));
}

/** Without its first bit, and without its last. @param {bigint} value */
function withoutABit(value) {
    const first = 1n << BigInt(value.toString(2).length - 1);
    return value === 0n ? [] : [value ^ first, value & (value - 1n)];
}

/** @param {Place} place @returns {Replacement[]} */
function otherConstants({ instruction: { name, value }, next }) {
    const [type = ''] = name.split('.');
    const width = WIDTH[type] ?? 0;
    if (name !== `${type}.const`) {
        return [];
    }
    const known = BigInt(value);
    const isCount = next?.name === 'memory.atomic.notify';
    const others = [
        ...[known + 1n, known - 1n, 0n],
        ...withoutABit(BigInt.asUintN(width, known)),
        ...(isCount ? [ONE, ALL] : []),
    ].map((any) => BigInt.asIntN(width, any));
    const modulus = BigInt(next && SHIFT.test(next.name) ? width : 2 ** width);
    return [...new Set(others)]
        .filter((other) => (other - known) % modulus !== 0n)
        .map((other) => by(String(other), constant(type, other)));
}

/** @param {Place} place @returns {Replacement[]} */
function otherBranches({ instruction: { name, depths }, own }) {
    const [depth = 0] = depths;
    const elsewhere = [depth + 1, Math.max(depth - 1, 0)]
        .filter((other) => other !== depth)
        .map((other) => by(`${name} ${other}`, opcodeOf(name), unsigned(other)));
    switch (name) {
        case 'br':
            return [...elsewhere, by('nothing')];
        case 'br_if':
            return [
                ...elsewhere,
                by('never', DROP),
                by('always', DROP, opcodeOf('br'), unsigned(depth)),
                by('if not', IS_ZERO, own),
            ];
        case 'if':
        case 'select':
            return [
                by('never', DROP, constant('i32', 0), own),
                by('always', DROP, constant('i32', 1), own),
                by(`${name} not`, IS_ZERO, own),
            ];
        case 'br_table':
            return otherTables(depths);
        case 'return':
            return [by('nothing')];
        default:
            return [];
    }
}

/** Each target of a br_table becomes each of the others. @param {number[]} depths @returns {Replacement[]} */
function otherTables(depths) {
    const used = [...new Set(depths)];
    return depths.flatMap((depth, at) =>
        used
            .filter((other) => other !== depth)
            .map((other) => {
                const targets = depths.with(at, other);
                return by(
                    `br_table ${targets.join(' ')}`,
                    opcodeOf('br_table'),
                    unsigned(targets.length - 1),
                    targets.flatMap(unsigned),
                );
            }),
    );
}

/** The engine refuses those of other types. @param {Place} place @returns {Replacement[]} */
function otherLocals({ instruction: { name, index }, locals }) {
    const neighbours = new Set([(index + 1) % locals, (index + locals - 1) % locals]);
    const others = [...neighbours]
        .filter((other) => other !== index && name.startsWith('local.'))
        .map((other) => by(`${name} ${other}`, opcodeOf(name), unsigned(other)));
    switch (name) {
        case 'local.set':
            return [...others, by('drop', DROP)];
        case 'local.tee':
            return [...others, by('nothing')];
        default:
            return others;
    }
}

/** @param {Place} place @returns {Replacement[]} */
function withoutCall({ instruction: { name }, parameters }) {
    if (name !== 'call') {
        return [];
    }
    const drops = new Array(parameters).fill(DROP).flat();
    return [
        by('nothing', drops),
        by('i32.const 0', drops, constant('i32', 0)),
        by('i64.const 0', drops, constant('i64', 0)),
    ];
}

/** @param {Place} place @returns {Replacement[]} */
function otherAccesses({ instruction: { name, offset }, own }) {
    const narrower = (NARROWER[name] ?? []).map(([other, opcode, alignment]) =>
        by(other, opcode, [alignment], unsigned(offset)),
    );
    const isAccess = name.includes('atomic.');
    const moved = OTHER_OFFSETS.filter((other) => isAccess && other !== offset).map((other) =>
        by(`offset ${other}`, own.slice(0, -1), unsigned(other)),
    );
    switch (name) {
        case 'i64.atomic.rmw.cmpxchg':
            return [
                ...narrower,
                ...moved,
                by('a load', DROP, DROP, opcodeOf('i64.atomic.load'), own.slice(-2)),
            ];
        case 'memory.atomic.notify':
            return [...moved, by('nothing', DROP)];
        case 'memory.atomic.wait32':
            return [
                ...moved,
                by('no limit', DROP, constant('i64', -1), own),
                ...WAIT_RESULTS.map((result) =>
                    by(`i32.const ${result}`, DROP, DROP, DROP, constant('i32', result)),
                ),
            ];
        default:
            return [...narrower, ...moved];
    }
}

/** @type {Record<string, (place: Place) => Replacement[]>} */
const OPERATORS = {
    opcode: otherOpcodes,
    constant: otherConstants,
    branch: otherBranches,
    local: otherLocals,
    call: withoutCall,
    access: otherAccesses,
};

/**
 * By index: the name of the export, or of the one that calls it, and by which of its calls.
 * @param {import('../wasm/decoder.js').Module} module
 */
function functionsInScope({ exports, functions }) {
    /** @type {Map<number, string>} */
    const names = new Map();
    const open = [...exports].filter(([name]) => SCOPE.test(name)).map(([name, at]) => ({ name, at }));
    for (let next = open.shift(); next; next = open.shift()) {
        const { name, at } = next;
        if (!names.has(at)) {
            names.set(at, name);
            const called =
                functions[at]?.instructions.filter((instruction) => instruction.name === 'call') ?? [];
            open.push(...called.map(({ index }, nth) => ({ name: `${name} > call ${nth}`, at: index })));
        }
    }
    return names;
}

/** @param {Instruction} instruction */
function textOf({ name, index, value, offset, depths }) {
    const immediate = name.endsWith('.const')
        ? value
        : name.startsWith('local.')
          ? index
          : name.includes('atomic.')
            ? offset
            : depths.join(' ');
    return `${name} ${immediate}`.trimEnd();
}

/** @param {Uint8Array} bytes of a module @returns {Generator<ByteMutant>} */
export function* byteMutants(bytes) {
    const module = decode(bytes);
    for (const [at, functionName] of functionsInScope(module)) {
        const code = /** @type {import('../wasm/decoder.js').Code} */ (module.functions[at]);
        for (const [position, instruction] of code.instructions.entries()) {
            const { span } = instruction;
            const place = {
                instruction,
                next: code.instructions[position + 1],
                own: [...bytes.subarray(span.start, span.end)],
                locals: code.parameters + code.zeros.length,
                parameters: module.functions[instruction.index]?.parameters ?? 0,
            };
            for (const [operator, replacementsOf] of Object.entries(OPERATORS)) {
                for (const { to, code: replacement } of replacementsOf(place)) {
                    const mutated = spliced(bytes, module.codeSection, code.span, span, replacement);
                    const name = `${functionName} +0x${(span.start - code.span.start).toString(16)}: ${textOf(instruction)} → ${to}`;
                    if (WebAssembly.validate(/** @type {Uint8Array<ArrayBuffer>} */ (mutated))) {
                        yield { name, operator, bytes: mutated };
                    }
                }
            }
        }
    }
}
