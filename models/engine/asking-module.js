/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { KIND_FUNCTION, Reader, SECTION, TYPE_I32, TYPE_I64 } from '../wasm/decoder.js';
import { list, name, signed, sized, unsigned, opcodeOf } from '../wasm/writer.js';

/* The module with each atomic instruction replaced by a call of a function behind all others, which asks first:
 *
 *     (func (param $address i32) (param $expected i64) (param $value i64) (result i64)
 *         (drop (call $ask (number of the site) (address) (expected) (value)))
 *         (i64.atomic.rmw.cmpxchg (local.get $address) (local.get $expected) (local.get $value)))
 *
 * `ask` is the only new import, and what it returns is used in place of memory.atomic.wait32 and notify alone. All
 * other bytes of the functions stay as they are, but for the limits of the spin loops (shipped-module.js) and for the
 * numbers of the functions that are called, which the import moves by one. */

/**
 * @typedef {'i32' | 'i64'} Type
 *
 * @typedef {object} Site a kind of atomic instruction; its place in the list is what `ask` is told first
 * @property {string} name
 * @property {string} look
 * @property {Type[]} operands behind the address
 *
 * @typedef {Site & { offset: number, result: Type | undefined, bytes: Uint8Array }} Replaced
 *
 * @typedef {object} AskingModule
 * @property {Uint8Array} bytes
 * @property {Site[]} sites
 * @property {string[]} names of its exports
 * @property {import('../wasm/decoder.js').Module} [original] what was rewritten; a page does not get it
 */

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const ASK = 0;
const IMPORTED_FUNCTIONS = 1;
const FUNCTION_TYPE = 0x60;
const WIDENED = [...opcodeOf('i64.extend_i32_s')];
const ASK_NAME = [...name('schedule'), ...name('ask'), KIND_FUNCTION];
const TYPE_CODE = { i32: TYPE_I32, i64: TYPE_I64 };

const ASK_TYPE = functionType(['i32', 'i32', 'i64', 'i64'], 'i32');

/** What takes the place of these is what was asked for. */
const ANSWERED = ['memory.atomic.wait32', 'memory.atomic.notify'];

/**
 * @param {import('../wasm/decoder.js').Module} original
 * @returns {AskingModule}
 */
export function askingModule(original) {
    const { functions, exports, sections } = original;
    /** @type {Replaced[]} */
    const sites = [];
    const firstSite = functions.length + IMPORTED_FUNCTIONS;
    const bodies = functions.map(({ declarations, instructions }) => [
        ...declarations,
        ...instructions.flatMap((instruction) => [...rewritten(instruction, sites, firstSite)]),
    ]);
    const askType = countOf(sections, SECTION.TYPE);
    const typesOfSites = sites.map((_, at) => unsigned(askType + 1 + at));
    const contents = new Map([
        [SECTION.TYPE, extended(sections, SECTION.TYPE, [ASK_TYPE, ...sites.map(typeOf)])],
        [SECTION.IMPORT, extended(sections, SECTION.IMPORT, [[...ASK_NAME, ...unsigned(askType)]])],
        [SECTION.FUNCTION, extended(sections, SECTION.FUNCTION, typesOfSites)],
        [SECTION.EXPORT, list([...exports].map(exportOf))],
        [SECTION.CODE, list([...bodies, ...sites.map(bodyOf)].map(sized))],
    ]);
    const bytes = [...sections].flatMap(([id, content]) => [id, ...sized(contents.get(id) ?? content)]);
    return {
        bytes: Uint8Array.of(...HEADER, ...bytes),
        sites: sites.map(({ name, look, operands }) => ({ name, look, operands })),
        names: [...exports.keys()],
        original,
    };
}

/** @param {[text: string, index: number]} exported */
function exportOf([text, index]) {
    return [...name(text), KIND_FUNCTION, ...unsigned(index + IMPORTED_FUNCTIONS)];
}

/**
 * @param {import('../wasm/decoder.js').Instruction} instruction
 * @param {Replaced[]} sites
 * @param {number} firstSite the number of the function of the first site
 * @returns {Iterable<number>}
 */
function rewritten(instruction, sites, firstSite) {
    const { name, index, value, bytes } = instruction;
    if (name.includes('.atomic.')) {
        return [...opcodeOf('call'), ...unsigned(firstSite + siteOf(instruction, sites))];
    }
    if (name === 'call') {
        return [...opcodeOf('call'), ...unsigned(index + IMPORTED_FUNCTIONS)];
    }
    // The limit of a spin loop may be another one than in the bytes.
    return name === 'i32.const' ? [...opcodeOf(name), ...signed(value)] : bytes;
}

/**
 * @param {import('../wasm/decoder.js').Instruction} instruction
 * @param {Replaced[]} sites
 */
function siteOf({ name, offset, look, bytes }, sites) {
    const known = sites.findIndex(
        (site) => site.name === name && site.offset === offset && site.look === look,
    );
    return known >= 0 ? known : sites.push({ name, offset, look, bytes, ...signatureOf(name) }) - 1;
}

/**
 * @param {string} name
 * @returns {{ operands: Type[], result: Type | undefined }}
 */
function signatureOf(name) {
    if (name === 'memory.atomic.notify') {
        return { operands: ['i32'], result: 'i32' };
    }
    if (name === 'memory.atomic.wait32') {
        return { operands: ['i32', 'i64'], result: 'i32' };
    }
    const type = name.startsWith('i64') ? 'i64' : 'i32';
    const count = name.endsWith('.load') ? 0 : name.endsWith('.cmpxchg') ? 2 : 1;
    return { operands: new Array(count).fill(type), result: name.endsWith('.store') ? undefined : type };
}

/**
 * @param {Map<number, Uint8Array>} sections
 * @param {number} id
 */
function countOf(sections, id) {
    return new Reader(sections.get(id) ?? Uint8Array.of(0), 0).unsigned();
}

/**
 * A section's list with more items behind its own.
 * @param {Map<number, Uint8Array>} sections
 * @param {number} id
 * @param {number[][]} items
 */
function extended(sections, id, items) {
    const content = sections.get(id) ?? Uint8Array.of(0);
    const reader = new Reader(content, 0);
    const count = reader.unsigned() + items.length;
    return [...unsigned(count), ...content.subarray(reader.at), ...items.flat()];
}

/**
 * @param {Type[]} parameters
 * @param {Type | undefined} result
 */
function functionType(parameters, result) {
    const codes = (/** @type {Type[]} */ types) => list(types.map((type) => [TYPE_CODE[type]]));
    return [FUNCTION_TYPE, ...codes(parameters), ...codes(result ? [result] : [])];
}

/** @param {Replaced} site */
function typeOf({ operands, result }) {
    return functionType(['i32', ...operands], result);
}

/**
 * The function that stands in an instruction's place.
 * @param {Replaced} site
 * @param {number} number
 */
function bodyOf({ name, offset, operands, bytes }, number) {
    const get = (/** @type {number} */ local) => [...opcodeOf('local.get'), ...unsigned(local)];
    const zero = [...opcodeOf('i64.const'), ...signed(0)];
    const told = [0, 1].flatMap((at) => {
        const type = operands[at];
        return type === undefined ? zero : [...get(at + 1), ...(type === 'i32' ? WIDENED : [])];
    });
    return [
        ...unsigned(0), // no locals
        ...[...opcodeOf('i32.const'), ...signed(number)],
        ...[...get(0), ...opcodeOf('i32.const'), ...signed(offset), ...opcodeOf('i32.add')],
        ...told,
        ...[...opcodeOf('call'), ...unsigned(ASK)],
        ...(ANSWERED.includes(name)
            ? []
            : [...opcodeOf('drop'), ...[0, ...operands.keys()].flatMap((_, local) => get(local)), ...bytes]),
        ...opcodeOf('end'),
    ];
}
