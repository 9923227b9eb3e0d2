/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/* The places in the C sources where an atomic operation has an order. They are read from the sources, so a
 * new site is among the mutants at once. */

/**
 * A compare-exchange may take the lock for several reasons, each with its own tag: each is a site.
 * @typedef {object} OrderSite
 * @property {number} number from 1
 * @property {string} file
 * @property {string} inFunction
 * @property {string} tag in the file's table ORDERS
 * @property {string} operation such as hf__cas64_acq
 * @property {number} at where its name stands in the file
 * @property {string} only the C condition under which it is this case
 *
 * @typedef {import('../mutants/mutant-build.js').Edit} Edit
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OPERATIONS = 'c-src/include/holdfast/atomic.h';

const ORDERED_CALL = /\bhf__\w+_(?:acq|rel|acqrel|sc)(?=\()/g;
const TAG = /\[([ABR]\d)\]/g;
/** The comment with the tags may be above the loop around an operation. */
const TAG_LINES_ABOVE = 12;

/** Conditions that separate the reasons for taking the lock, where one operation serves them all. */
const CASES = /** @type {Record<string, string>} */ ({
    A1: 'heir_of(word) == 0',
    A2: 'heir_of(word) == self',
    A3: 'heir_of(word) != 0 && heir_of(word) != self',
});

/** The files of a mutex as the glue uses it. */
const EXPLORED_FILES = ['c-src/gate.c', 'c-src/gate_block.c', 'c-src/mutex.c'];

/** Functions of these files that a mutex does not call: for readers of wrapped programs, and for events. */
const NOT_OF_A_MUTEX = ['hf__gate_join', 'hf__gate_shut'];

/**
 * Functions used only after a death, and the module of holds, which is not native. No scenario here has a
 * death, and no native test depends on the orders of these functions.
 */
const NOT_SHOWN = [
    'hf__gate_abandon',
    'hf__gate_take_over',
    'leaves_with',
    'hf__holds_downgrade',
    'has_died',
    'hf__agents_probe',
    'hf__agent_leave',
    'take_slot',
    'probe_owner',
];

/** @param {OrderSite} site */
export function isShown({ inFunction }) {
    return !NOT_SHOWN.includes(inFunction);
}

/** True if the explorer runs this site. @param {OrderSite} site */
export function isExplored({ file, inFunction }) {
    return EXPLORED_FILES.includes(file) && !NOT_OF_A_MUTEX.includes(inFunction);
}

/** The functions that only the litmus tests reach. */
const IN_LITMUS = [
    'hf_event_set',
    'hf_event_reset',
    'hf_event_is_set',
    'hf__event_step',
    'hf__gate_shut',
    'hf_latch_count_down',
    'hf_latch_count',
    'hf__latch_step',
    'hf__barrier_step',
    'hf_once_is_done',
    'hf__once_set_done',
];

/** True if a litmus test reaches the site. @param {OrderSite} site */
export function isInLitmus({ file, inFunction, tag }) {
    return IN_LITMUS.includes(inFunction) || (file === 'c-src/barrier.c' && tag === 'B1');
}

/** @param {string} file */
function textOf(file) {
    return readFileSync(join(ROOT, file), 'utf8');
}

/** @returns {OrderSite[]} */
export function orderSites() {
    return unnumberedSites().map((site, at) => ({ number: at + 1, ...site }));
}

function unnumberedSites() {
    const files = readdirSync(join(ROOT, 'c-src'), { recursive: true, encoding: 'utf8' })
        .map((name) => join('c-src', name))
        .filter((file) => /\.[ch]$/.test(file) && file !== OPERATIONS)
        .sort();
    return files.flatMap((file) => {
        const text = textOf(file);
        return Array.from(text.matchAll(ORDERED_CALL), ({ 0: operation, index }) => {
            const before = text.slice(0, index);
            const place = { file, inFunction: lastFunctionIn(before), operation, at: index };
            const tags = tagsOf(text, index);
            if (tags.length === 0) {
                throw new Error(`${operation} in ${place.inFunction} of ${file} has no tag`);
            }
            return tags.map((tag) => ({ ...place, tag, only: tags.length > 1 ? caseOf(tag) : '1' }));
        }).flat();
    });
}

/** @param {string} tag */
function caseOf(tag) {
    const condition = CASES[tag];
    if (!condition) {
        throw new Error(
            `models/orders/order-sites.js needs a condition for ${tag}: other cases have the same operation`,
        );
    }
    return condition;
}

/** @param {string} text */
function lastFunctionIn(text) {
    const names = text.matchAll(/^(?:\w[^\n;=]*?\b)?(\w+)\((?!\()/gm);
    return [...names].at(-1)?.[1] ?? '';
}

/**
 * The tags in the operation's line, or in the nearest line above that has any.
 * @param {string} text
 * @param {number} at
 */
function tagsOf(text, at) {
    const end = text.indexOf('\n', at);
    const lines = text.slice(0, end).split('\n').reverse().slice(0, TAG_LINES_ABOVE);
    const tagged = lines.find((line) => line.match(TAG));
    return Array.from(tagged?.matchAll(TAG) ?? [], ([, tag = '']) => tag);
}

/* Sources in which each operation gets the number of its site, so that one build serves all: the site to
 * relax is chosen at run time. */

/** An operation with an order: its result, name, parameters and body. */
const OPERATION = /^static inline (\w+) (hf__\w+_(?:acq|rel))\((?!void\))([^)]*)\)\n\{\n([^}]*)\}\n/gm;

/** @param {string} text @param {OrderSite} site */
function withNumber(text, { operation, at, only, number }) {
    const twin = `${operation}_at(`;
    const isTwin = text.startsWith(twin, at);
    const rest = text.slice(at + (isTwin ? twin : `${operation}(`).length);
    // Exactly one of the cases is true.
    return `${text.slice(0, at)}${twin}(${only}) * ${number}${isTwin ? ' +' : ','} ${rest}`;
}

/**
 * @param {string} prelude of the header
 * @param {(operation: { type: string, name: string, parameters: string, values: string, body: string }) => string} twinOf its
 *     twin with `_at` behind its name, which takes the site first
 * @returns {Edit[]}
 */
function withSites(prelude, twinOf) {
    const sites = orderSites().filter(isShown);
    const sources = [...new Set(sites.map(({ file }) => file))].map((file) => ({
        file,
        text: sites.filter((site) => site.file === file).reduceRight(withNumber, textOf(file)),
    }));
    const text = textOf(OPERATIONS)
        .replace(INCLUDE, `${INCLUDE}${prelude}`)
        .replace(OPERATION, (original, type, name, parameters, body) => {
            const values = parameters.replace(/[^,]*?(\w+)(?=,|$)/g, ' $1').trim();
            return `${original}${twinOf({ type, name, parameters, values, body })}`;
        });
    return [...sources, { file: OPERATIONS, text }];
}

const INCLUDE = '#include <stdint.h>\n';

/** The environment variable that names the site to relax. */
export const RELAXED_SITE = 'HOLDFAST_RELAXED_SITE';

/** Sources for native programs: a variable of the environment names the site to relax. */
export function sitesByEnvironment() {
    const prelude = `#include <stdlib.h>
__attribute__((weak)) uint32_t hf__relaxed_site;
__attribute__((weak, constructor)) void hf__choose_relaxed_site(void)
{
    const char *number = getenv("${RELAXED_SITE}");
    hf__relaxed_site = number ? (uint32_t)atoi(number) : 0;
}
`;
    return withSites(
        prelude,
        ({ type, name, parameters, values, body }) => `static inline ${type} ${name}_relaxed(${parameters})
{
${body.replace(/__ATOMIC_\w+/g, '__ATOMIC_RELAXED')}}
static inline ${type} ${name}_at(uint32_t site, ${parameters})
{
    return site == hf__relaxed_site ? ${name}_relaxed(${values}) : ${name}(${values});
}
`,
    );
}

/* WebAssembly's instructions have no orders. So each order gets a window of the address space, and each site
 * a range of windows. An operation acts on the word through its window. */

/** Larger than any address of a model. */
const WINDOW_BYTES = 0x100000;
const SITE_BYTES = 16 * WINDOW_BYTES;

/** Sources for the explorer: an access has its site and order in its address. */
export function sitesByAddress() {
    return withSites(
        `#define SEEN_FROM(bytes, word) ((__typeof__(word))((uintptr_t)(word) + (bytes)))\n`,
        ({
            type,
            name,
            parameters,
            values,
        }) => `static inline ${type} ${name}_at(uint32_t site, ${parameters})
{
    return ${name}(${values.replace('word', `SEEN_FROM(site * ${SITE_BYTES}u, word)`)});
}
`,
    );
}

/** The numbers that C compilers give to the orders. */
const ORDERS = /** @type {const} */ ({
    0: 'relaxed',
    2: 'acquire',
    3: 'release',
    4: 'acq_rel',
    5: 'seq_cst',
});

/** @typedef {typeof ORDERS[keyof typeof ORDERS]} Order */

/** The sources with orders in their addresses. @param {Edit[]} edits @returns {Edit[]} */
export function withWindows(edits) {
    const header = edits.find(({ file }) => file === OPERATIONS)?.text ?? textOf(OPERATIONS);
    const window = `#define IN_WINDOW(order, word) \\
    ((__typeof__(word))((uintptr_t)(word) + (uintptr_t)(order) * ${WINDOW_BYTES}))\n`;
    const text = header
        .replace(/(__atomic_\w+)\(word, ([^;]*?)(__ATOMIC_\w+)/g, '$1(IN_WINDOW($3, word), $2$3')
        .replace(INCLUDE, `${INCLUDE}${window}`);
    return [...edits.filter(({ file }) => file !== OPERATIONS), { file: OPERATIONS, text }];
}

/**
 * @param {number} address
 * @param {number} [relaxed] the number of the site that is relaxed
 * @returns {{ address: number, order: Order }}
 */
export function fromWindow(address, relaxed) {
    const number = Math.floor((address % SITE_BYTES) / WINDOW_BYTES);
    if (!(number in ORDERS)) {
        throw new Error(`the address ${address} is outside of all windows`);
    }
    const order = ORDERS[/** @type {keyof typeof ORDERS} */ (number)];
    const isRelaxed = Math.floor(address / SITE_BYTES) === relaxed;
    return { address: address % WINDOW_BYTES, order: isRelaxed ? 'relaxed' : order };
}
