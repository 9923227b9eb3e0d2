/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { runQuietly } from '../../scripts/run-quietly.mjs';

/* Checks the built module against the promises of wasm/README.md and the models' needs, and returns a list of
 * complaints. It reads the file with wabt's wasm-objdump, which shares no code with the decoder of models/. */

// The module uses only these instructions: above all no plain loads and stores, globals (the shadow stack's pointer is one),
// tables, memory.grow, bulk memory, floats, narrow accesses, 64-bit waits, fences, unreachable.
const ALLOWED_INSTRUCTIONS = [
    /^(block|loop|if|else|end|br|br_if|br_table|return|call|drop|select)$/,
    /^local\.(get|set|tee)$/,
    /^(i32|i64)\.(const|add|sub|mul|div_[su]|rem_[su]|and|or|xor|shl|shr_[su]|rotl|rotr|clz|ctz|popcnt)$/,
    /^(i32|i64)\.(eqz|eq|ne|lt_[su]|gt_[su]|le_[su]|ge_[su])$/,
    /^(i32\.wrap_i64|i64\.extend_i32_[su])$/,
    /^(i32|i64)\.atomic\.(load|store|rmw\.(add|sub|and|or|xor|xchg|cmpxchg))$/,
    /^memory\.atomic\.(wait32|notify)$/,
];

const ALLOWED_SECTIONS = ['Type', 'Import', 'Function', 'Export', 'Code', 'Custom "v"'];

const MEMORY_IMPORT = /^ - memory\[0\] pages: initial=1 max=65536 shared <- env\.memory$/m;

/**
 * How wide the accesses are that the functions behind an export make. The memory models promise little for a word that is
 * accessed in two widths, so each word has one width. Words of locks, whose halves change together, have 64 bits, as has the id
 * of a memory; all others have 32. (A step of a gate also uses `line`.) If a function uses both widths, the explorer keeps its
 * words apart (models/), except in `space_init`, whose id no lock touches. memory.atomic.wait32 compares half a word;
 * docs/verification.md says why that is safe.
 */
const WIDTHS_BEHIND_EXPORT = /** @type {[RegExp, string[]][]} */ ([
    [/^(mutex_lock_for_a_time|gate|owned|owner|space_init)/, ['i64', 'i32']],
    [/^(mutex|recursive_mutex|condition)_/, ['i64']],
    [/^(latch|once|space|agents?)_/, ['i32']],
    [/^(semaphore|rwlock|event|barrier|holds|channel)_/, ['i64', 'i32']],
]);

/**
 * @param {string} option
 * @param {string} file
 */
export function objdump(option, file) {
    const { ok, output } = runQuietly(['wasm-objdump', option, file]);
    assert.ok(ok, output);
    return output;
}

/**
 * A function and its instructions in their order.
 * @typedef {{ index: number, instructions: { name: string, operand: string }[] }} Body
 *
 * @param {string} file
 * @returns {Body[]}
 */
export function bodiesOf(file) {
    /** @type {Body[]} */
    const bodies = [];
    for (const line of objdump('-d', file).split('\n')) {
        const head = /^[0-9a-f]+ func\[(\d+)\]/.exec(line);
        // A row reads " 0006ff: 28 02 00 | i32.load 2 0"; rows of locals have the same form.
        const row = /^ [0-9a-f]+:[ 0-9a-f]*\| +(\S+) ?(.*)$/.exec(line);
        if (head) {
            bodies.push({ index: Number(head[1]), instructions: [] });
        } else if (row && !row[1]?.startsWith('local[')) {
            bodies.at(-1)?.instructions.push({ name: row[1] ?? '', operand: row[2] ?? '' });
        }
    }
    return bodies;
}

/**
 * The instructions of all functions, in their order.
 * @param {string} file
 */
export function instructionsOf(file) {
    return bodiesOf(file).flatMap(({ instructions }) => instructions.map(({ name }) => name));
}

/** @param {string} file */
export function sectionsOf(file) {
    const rows = objdump('-h', file).matchAll(/^ +(\w+) start=.*?( ".*")?$/gm);
    return Array.from(rows, ([, kind = '', name = '']) => kind + name);
}

/** @param {string} file */
function exportsOf(file) {
    const rows = objdump('-x', file).matchAll(/^ - (\w+)\[(\d+)\].* -> "(.*)"$/gm);
    return Array.from(rows, ([, kind = '', index, name = '']) => ({ kind, index: Number(index), name }));
}

/**
 * The complaints about a module: each names a clause and the violation. Empty if the module keeps the
 * contract.
 * @param {string} file
 * @returns {string[]}
 */
export function complaintsAbout(file) {
    return [
        ...wrongSections(file),
        ...wrongImports(file),
        ...wrongTypes(file),
        ...wrongInstructions(file),
        ...wrongWidths(file),
    ];
}

/** @param {string} file */
function wrongSections(file) {
    return sectionsOf(file)
        .filter((section) => !ALLOWED_SECTIONS.includes(section))
        .map((section) => `section: ${section}`);
}

/** @param {string} file */
function wrongImports(file) {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(file)));
    const others = imports
        .filter(({ module, name, kind }) => `${module}.${name} ${kind}` !== 'env.memory memory')
        .map(({ module, name, kind }) => `import: ${kind} ${module}.${name}`);
    const isShared = imports.length === 0 || MEMORY_IMPORT.test(objdump('-x', file));
    return isShared ? others : [...others, 'import: the memory is not shared, or not of any size'];
}

/**
 * The wrong types of parameters, results and locals. Instructions that move values name no type, so those are checked here.
 * @param {string} file
 */
function wrongTypes(file) {
    const rows = `${objdump('-x', file)}${objdump('-d', file)}`.matchAll(/ type(?:\[\d+\] (.*)|=(\w+))$/gm);
    const names = Array.from(
        rows,
        ([, signature, local]) => `${signature ?? local}`.match(/\w+/g) ?? [],
    ).flat();
    return [...new Set(names)]
        .filter((name) => !['i32', 'i64', 'nil'].includes(name))
        .map((name) => `type: ${name}`);
}

/** @param {string} file */
function wrongInstructions(file) {
    const names = new Set(instructionsOf(file));
    return [...names]
        .filter((name) => !ALLOWED_INSTRUCTIONS.some((allowed) => allowed.test(name)))
        .map((name) => `instruction: ${name}`);
}

/** @param {string} file */
function wrongWidths(file) {
    const bodies = new Map(bodiesOf(file).map((body) => [body.index, body]));
    return exportsOf(file).flatMap(({ kind, index, name }) => {
        const widths = WIDTHS_BEHIND_EXPORT.find(([pattern]) => pattern.test(name))?.[1];
        if (kind !== 'func' || !widths) {
            return [`export: ${kind} ${name}`];
        }
        const accesses = reachableFrom(bodies, index)
            .flatMap(({ instructions }) => instructions)
            .map((instruction) => instruction.name)
            .filter((access) => /^i\d\d\.atomic\./.test(access) && !widths.includes(access.slice(0, 3)));
        return [...new Set(accesses)].map((access) => `width: ${name} uses ${access}`);
    });
}

/**
 * @param {Map<number, Body>} bodies
 * @param {number} start
 */
function reachableFrom(bodies, start) {
    const reached = new Set([start]);
    for (const index of reached) {
        const calls = bodies.get(index)?.instructions.filter(({ name }) => name === 'call') ?? [];
        calls.forEach(({ operand }) => reached.add(Number.parseInt(operand, 10)));
    }
    return [...reached].flatMap((index) => bodies.get(index) ?? []);
}
