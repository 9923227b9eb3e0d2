/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { KIND_FUNCTION, Reader, SECTION, TYPE_I32, TYPE_I64 } from '../wasm/decoder.js';
import { list, name, signed, sized, unsigned, opcodeOf } from '../wasm/writer.js';

/* Makes a copy of the module in which each atomic instruction is a call of a new function, which asks first:
 *
 *     (func (param $address i32) (param $expected i64) (param $value i64) (result i64)
 *         (drop (call $ask (number of the site) (address) (expected) (value)))
 *         (i64.atomic.rmw.cmpxchg (local.get $address) (local.get $expected) (local.get $value)))
 *
 * For memory.atomic.wait32 and notify the answer is the result. All other bytes of the functions stay the same, except the limits
 * of spin loops (shipped-module.js) and the function numbers in calls, which the import of `ask` moves by one. */

/**
 * @typedef {import('../wasm/decoder.js').Module} Module
 * @typedef {import('../wasm/decoder.js').Instruction} Instruction
 * @typedef {'i32' | 'i64'} Type
 * @typedef {{ operands: Type[], result?: Type }} Signature without the address
 * @typedef {Pick<Instruction, 'name' | 'look' | 'offset' | 'bytes'> & Signature} Site a kind of atomic instruction
 *
 * @typedef {{ bytes: Uint8Array, sites: Site[], names: string[], original?: Module }} AskingModule names:
 *     of its exports; original: not on a page
 */

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const ASK = 0;
const IMPORTED_FUNCTIONS = 1;
const FUNCTION_TYPE = 0x60;
const WIDENED = opcodeOf('i64.extend_i32_s');
const ASK_NAME = [...name('schedule'), ...name('ask'), KIND_FUNCTION];
const TYPE_CODE = { i32: TYPE_I32, i64: TYPE_I64 };

const ASK_TYPE = functionType(['i32', 'i32', 'i64', 'i64'], 'i32');

/** These instructions are not performed: the answer is their result. */
const ANSWERED = ['memory.atomic.wait32', 'memory.atomic.notify'];

/** @param {Module} original @returns {AskingModule} */
export function askingModule(original) {
    const { functions, exports, sections } = original;
    /** @type {Site[]} */
    const sites = [];
    const firstSite = functions.length + IMPORTED_FUNCTIONS;
    const bodies = functions.map(({ declarations, instructions }) => [
        ...declarations,
        ...instructions.flatMap((instruction) => [...rewritten(instruction, sites, firstSite)]),
    ]);
    const askType = new Reader(contentOf(sections, SECTION.TYPE), 0).unsigned();
    const typesOfSites = sites.map((_, at) => unsigned(askType + 1 + at));
    const contents = new Map([
        [SECTION.TYPE, extended(sections, SECTION.TYPE, [ASK_TYPE, ...sites.map(typeOf)])],
        [SECTION.IMPORT, extended(sections, SECTION.IMPORT, [[...ASK_NAME, ...unsigned(askType)]])],
        [SECTION.FUNCTION, extended(sections, SECTION.FUNCTION, typesOfSites)],
        [SECTION.EXPORT, list([...exports].map(exportOf))],
        [SECTION.CODE, list([...bodies, ...sites.map(bodyOf)].map(sized))],
    ]);
    const bytes = [...sections].flatMap(([id, content]) => [id, ...sized(contents.get(id) ?? content)]);
    return { bytes: Uint8Array.of(...HEADER, ...bytes), sites, names: [...exports.keys()], original };
}

/** @param {[text: string, index: number]} exported */
function exportOf([text, index]) {
    return [...name(text), KIND_FUNCTION, ...unsigned(index + IMPORTED_FUNCTIONS)];
}

/**
 * @param {Instruction} instruction
 * @param {Site[]} sites
 * @param {number} firstSite the number of the first site's function
 */
function rewritten(instruction, sites, firstSite) {
    const { name, index, value, bytes } = instruction;
    if (name.includes('.atomic.')) {
        return [...opcodeOf('call'), ...unsigned(firstSite + siteOf(instruction, sites))];
    }
    if (name === 'call') {
        return [...opcodeOf('call'), ...unsigned(index + IMPORTED_FUNCTIONS)];
    }
    // The decoder may have changed the limit of a spin loop, so the constant is encoded again.
    return name === 'i32.const' ? [...opcodeOf(name), ...signed(value)] : bytes;
}

/** @param {Instruction} instruction @param {Site[]} sites */
function siteOf({ name, offset, look, bytes }, sites) {
    const known = sites.findIndex(
        (site) => site.name === name && site.offset === offset && site.look === look,
    );
    return known >= 0 ? known : sites.push({ name, offset, look, bytes, ...signatureOf(name) }) - 1;
}

/** @param {string} name @returns {Signature} */
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

/** @param {Module['sections']} sections @param {number} id */
function contentOf(sections, id) {
    return sections.get(id) ?? Uint8Array.of(0);
}

/** @param {Module['sections']} sections @param {number} id @param {number[][]} items */
function extended(sections, id, items) {
    const content = contentOf(sections, id);
    const reader = new Reader(content, 0);
    const count = reader.unsigned() + items.length;
    return [...unsigned(count), ...content.subarray(reader.at), ...items.flat()];
}

/** @param {Type[]} parameters @param {Type | undefined} result */
function functionType(parameters, result) {
    const codes = (/** @type {Type[]} */ types) => list(types.map((type) => [TYPE_CODE[type]]));
    return [FUNCTION_TYPE, ...codes(parameters), ...codes(result ? [result] : [])];
}

/** @param {Site} site */
function typeOf({ operands, result }) {
    return functionType(['i32', ...operands], result);
}

/** @param {Site} site @param {number} number */
function bodyOf({ name, offset, operands, bytes }, number) {
    const get = (/** @type {number} */ local) => [...opcodeOf('local.get'), ...unsigned(local)];
    const zero = [...opcodeOf('i64.const'), ...signed(0)];
    const told = [0, 1].flatMap((at) => {
        const type = operands[at];
        return type === undefined ? zero : [...get(at + 1), ...(type === 'i32' ? WIDENED : [])];
    });
    const locals = ['address', ...operands].flatMap((_, local) => get(local));
    return [
        ...unsigned(0), // no locals
        ...[...opcodeOf('i32.const'), ...signed(number)],
        ...[...get(0), ...opcodeOf('i32.const'), ...signed(offset), ...opcodeOf('i32.add')],
        ...told,
        ...[...opcodeOf('call'), ...unsigned(ASK)],
        ...(ANSWERED.includes(name) ? [] : [...opcodeOf('drop'), ...locals, ...bytes]),
        ...opcodeOf('end'),
    ];
}
