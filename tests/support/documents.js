/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/* Reads the links of the documents, and their blocks of code: files that are named in the first line. */

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The documents outside docs/. */
const OTHERS = [
    ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
    ...['c-src/README.md', 'emscripten/README.md', 'js-glue/README.md'],
];

/** @returns {string[]} the paths of all, from the root */
export function allDocuments() {
    const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
        .map((file) => `docs/${file}`);
    return [...OTHERS, ...pages].sort();
}

/** @param {string} path from the root */
export function textOf(path) {
    return readFileSync(join(ROOT, path), 'utf8');
}

/**
 * A block of code between fences.
 *
 * @typedef {object} Block
 * @property {string} document
 * @property {string} language
 * @property {string} name in a comment in its first line; '' if it has none
 * @property {string} text
 */

const FENCED = /^```(\S*)\n([^]*?)^```$/gm;
const NAME = /^(?:\/\/|#|<!--) (\S+\.\w+)(?: -->)?$/;

/** @param {string} document @returns {Block[]} */
export function blocksOf(document) {
    return [...textOf(document).matchAll(FENCED)].map(([, language = '', text = '']) => ({
        document,
        language,
        name: NAME.exec(text.split('\n')[0] ?? '')?.[1] ?? '',
        text,
    }));
}

/**
 * The files in a document's blocks of code.
 *
 * @param {string} document
 * @returns {Map<string, string>} texts by name
 */
export function filesOf(document) {
    const named = blocksOf(document).filter(({ name }) => name !== '');
    return new Map(named.map(({ name, text }) => [name, text]));
}

/**
 * The files at which the document's programs begin: no other block names them.
 *
 * @param {string} document
 */
export function programsOf(document) {
    const blocks = blocksOf(document);
    const isPart = (/** @type {string} */ name) =>
        blocks.some((block) => block.name !== name && refersTo(block, name));
    return [...filesOf(document).keys()].filter((name) => !isPart(name));
}

/**
 * @param {Block} block
 * @param {string} name of a file beside it
 */
function refersTo({ language, text }, name) {
    const references = language === 'sh' ? [` ${name} `] : [`'./${name}'`, `"${name}"`];
    return references.some((reference) => text.includes(reference));
}

/**
 * The first table of a document.
 *
 * @param {string} document
 * @returns {Map<string, Record<string, string>>} cells by the first of their row, and by the titles in lower case
 */
export function tableOf(document) {
    const lines = [...textOf(document).matchAll(/^\| (.*) \|$/gm)].map(([, line = '']) => line.split(' | '));
    const [titles = [], ...rows] = lines;
    return new Map(
        rows.map((cells) => [
            cells[0] ?? '',
            Object.fromEntries(cells.map((cell, at) => [titles[at]?.toLowerCase(), cell])),
        ]),
    );
}

/**
 * The output that a program's comments promise.
 *
 * @param {string} text
 */
export function promisedOutput(text) {
    const promises = [...text.matchAll(/\bconsole\.log\(.*\);? *\/\/ (.*)$/gm)].map(
        ([, words = '']) => words,
    );
    const calls = text.match(/\bconsole\.log\(/g) ?? [];
    if (calls.length !== promises.length) {
        throw new Error(`not every console.log() has a comment that says what it prints:\n${text}`);
    }
    return promises;
}
