/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The files and commands that README and docs/bundlers.md give a newcomer, taken from their text. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** @param {string} path from the root */
function textOf(path) {
    return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/**
 * The blocks of code by the names that their first lines give.
 *
 * @param {string} text
 * @returns {Record<string, string>}
 */
function filesIn(text) {
    const blocks = text.matchAll(/^```(?:js|html)\n((?:\/\/|<!--) (\S+)(?: -->)?\n[^]*?)^```$/gm);
    return Object.fromEntries([...blocks].map(([, block = '', name = '']) => [name, block]));
}

/**
 * The lines to type, in order.
 *
 * @param {string} text
 * @returns {{ command: string, purpose: string }[]} purpose: the comment behind the command, or ''
 */
function linesIn(text) {
    const shell = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block).join('');
    const lines = shell.matchAll(/^(\S.*?)(?: +# (.*))?$/gm);
    return [...lines].map(([, command = '', purpose = '']) => ({ command, purpose }));
}

const INSTALLS = 'npm install --save-dev ';
const CONFIGURES = 'npm pkg ';

/**
 * @param {string} text
 * @param {string} heading with its #
 */
function under(heading, text) {
    const begin = text.indexOf(`\n${heading}\n`);
    assert.notEqual(begin, -1, `docs/bundlers.md has no ${heading}`);
    const body = text.slice(begin + heading.length + 2);
    const level = heading.indexOf(' ');
    const end = body.search(new RegExp(`^#{1,${level}} `, 'm'));
    return end === -1 ? body : body.slice(0, end);
}

const PAGES = under('## Pages and bundlers', textOf('docs/bundlers.md'));

/** The packages that the guide tells to install, for all bundlers. */
export const PACKAGES = packagesIn(linesIn(PAGES));

/** @param {ReturnType<typeof linesIn>} lines */
function packagesIn(lines) {
    const commands = lines.map(({ command }) => command).filter((command) => command.startsWith(INSTALLS));
    return commands.flatMap((command) => command.slice(INSTALLS.length).split(' '));
}

/** The two threads of the README, as it shows them. */
export const README_FILES = filesIn(textOf('README.md'));

/** The page that loads them. */
export const PAGE_FILES = filesIn(PAGES.slice(0, PAGES.indexOf('\n### ')));

/** A page that loads the module as a file, as it does with Vite, and its worker. */
export const { 'page-with-file.js': FILE_PAGE = '', 'worker-with-file.js': FILE_WORKER = '' } = filesIn(
    under('## The module as a file', textOf('docs/bundlers.md')),
);

/** The content security policy that it says is enough. */
export const [, POLICY = ''] = /`(script-src [^`]*; [^`]*)`/.exec(PAGES) ?? [];
assert.match(POLICY, /'wasm-unsafe-eval'/);

/**
 * The code blocks of a document under a heading of the third level.
 *
 * @param {string} title
 * @param {string} [document] its text; otherwise "Pages and bundlers" of docs/bundlers.md
 * @returns {{ files: Record<string, string>, packages: string[], configures: string[], commands: Record<string, string> }}
 *     configures: the lines that change package.json for every app; commands: all others, by their purposes
 */
export function chapter(title, document = PAGES) {
    const text = under(`### ${title}`, `\n${document}`);
    const lines = linesIn(text);
    const rest = lines.filter(({ command }) => !command.startsWith(INSTALLS));
    const isForAll = (/** @type {{ command: string, purpose: string }} */ { command, purpose }) =>
        command.startsWith(CONFIGURES) && purpose === '';
    return {
        files: filesIn(text),
        packages: packagesIn(lines),
        configures: rest.filter(isForAll).map(({ command }) => command),
        commands: Object.fromEntries(
            rest.filter((line) => !isForAll(line)).map(({ command, purpose }) => [purpose, command]),
        ),
    };
}
