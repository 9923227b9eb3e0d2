/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What README and guide tell a newcomer to write and to run, taken from them as it stands. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** @param {string} path from the root */
function textOf(path) {
    return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
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
 * The lines to type by what they do, which they say behind a #.
 *
 * @param {string} text
 * @returns {Record<string, string>}
 */
function commandsIn(text) {
    const shell = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block).join('');
    const lines = shell.matchAll(/^(\S.*?) +# (.*)$/gm);
    return Object.fromEntries([...lines].map(([, command = '', purpose = '']) => [purpose, command]));
}

/**
 * @param {string} text
 * @param {string} heading with its #
 */
function under(heading, text) {
    const begin = text.indexOf(`\n${heading}\n`);
    assert.notEqual(begin, -1, `docs/guide.md has no ${heading}`);
    const body = text.slice(begin + heading.length + 2);
    const level = heading.indexOf(' ');
    const end = body.search(new RegExp(`^#{1,${level}} `, 'm'));
    return end === -1 ? body : body.slice(0, end);
}

const PAGES = under('## Pages and bundlers', textOf('docs/guide.md'));

/** The packages that it tells to install. */
export const PACKAGES = [...PAGES.matchAll(/^npm install --save-dev (.*)$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
);

/** The two threads of the README, as it shows them. */
export const README_FILES = filesIn(textOf('README.md'));

/** The page that loads them. */
export const PAGE_FILES = filesIn(PAGES.slice(0, PAGES.indexOf('\n### ')));

/** The content security policy that it says is enough. */
export const [, POLICY = ''] = /`(script-src [^`]*; [^`]*)`/.exec(PAGES) ?? [];
assert.match(POLICY, /'wasm-unsafe-eval'/);

/**
 * What the guide has under one of the headings of "Pages and bundlers".
 *
 * @param {string} title
 */
export function chapter(title) {
    const text = under(`### ${title}`, `\n${PAGES}`);
    return { files: filesIn(text), commands: commandsIn(text) };
}
