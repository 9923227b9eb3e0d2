/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Mutants are listed as in a diff:
 *
 *     === the file that the next ones change [what finds those that do not say it]
 *     # a comment
 *     what goes wrong [what finds it]
 *         - what stands in the file, exactly once; without such a line: what the change before this one replaces
 *         + what is put in its place
 *
 * A scenario of the explorer finds it, or a test. What takes several changes may name a file in between. */

/**
 * @typedef {{ file: string, from: string, to: string }} Change
 * @typedef {{ name: string, foundIn: string | undefined, changes: Change[] }} Entry
 */

const BLOCK =
    /^(?:=== (?<file>\S+)|(?<name>.+?))(?:\s+\[(?<finder>.+)\])?\n(?<body>(?: {4}(?:===|[-+]).*\n)*)$/;
const CHANGE = /(?: {4}=== (?<file>\S+)\n)?(?<from>(?: {4}-.*\n)*)(?<to>(?: {4}\+.*\n)*)/g;

/** @param {string} [lines] with their marks */
function unmarked(lines = '') {
    return lines.replace(/^ {4}[-+] ?/gm, '').replace(/\n$/, '');
}

/** @param {string} list @returns {Entry[]} */
export function entriesOf(list) {
    let [file, from, usual] = ['', '', /** @type {string | undefined} */ (undefined)];
    /** @type {Entry[]} */
    const entries = [];
    for (const block of list.trim().split(/\n+(?=[^ \n])/)) {
        const { file: newFile, name = '', finder, body = '' } = BLOCK.exec(`${block}\n`)?.groups ?? {};
        if (newFile) {
            [file, usual] = [newFile, finder];
        } else if (body) {
            const changes = [...body.matchAll(CHANGE)].flatMap(({ 0: all, groups = {} }) => {
                file = groups.file ?? file;
                from = groups.from ? unmarked(groups.from) : from;
                return all ? { file, from, to: unmarked(groups.to) } : [];
            });
            entries.push({ name, foundIn: finder ?? usual, changes });
        } else if (!block.startsWith('#')) {
            throw new Error(`this is no mutant: ${block}`);
        }
    }
    return entries;
}

/** @param {string} list of mutants that each change one place @returns {import('./mutants.js').SourceMutant[]} */
export function mutantsOf(list) {
    return entriesOf(list).flatMap(({ name, foundIn, changes }) =>
        changes.map((change) => ({ name, foundIn, ...change })),
    );
}
