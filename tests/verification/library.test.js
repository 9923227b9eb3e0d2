/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'acorn';
import { full } from 'acorn-walk';
import { asInLibrary, library } from '../../scripts/build-library.mjs';

/* Programs in C wait by the code that the models explore: the library that they link has the glue's own
 * functions. */

/**
 * The functions in a text, by name. A bundler adds a number to the second function of a name.
 *
 * @param {string} text
 * @returns {Map<string, string>}
 */
function functionsOf(text) {
    const functions = new Map();
    full(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), (/** @type {any} */ node) => {
        const { name } = node.id ?? node.key ?? {};
        if (node.type === 'FunctionDeclaration' || node.type === 'MethodDefinition') {
            const plain = text
                .slice(node.start, node.end)
                .replace(/\b([a-zA-Z_]+?)\d+\b/g, '$1')
                .replace(/\b(\w+): \1\b/g, '$1');
            functions.set(name.replace(/\d+$/, ''), plain.replace(/\s+/g, ' '));
        }
    });
    return functions;
}

test('library: the Emscripten library waits by the same queue that the models explore', async () => {
    const decisions = functionsOf(await asInLibrary('waiting/queue.js'));
    // Without the lines and braces that Emscripten's preprocessor replaces: they are not JavaScript.
    const glue = (await library()).replace(/^#.*$/gm, '').replaceAll(/\{\{\{.*?\}\}\}/g, 'then');
    const built = functionsOf(glue);
    // The library has classes of its own for requests and gates.
    const needed = [...decisions].filter(([name]) => name.endsWith('_of_Queue'));
    assert.ok(needed.length >= 8, `${needed.length} functions`);
    for (const [name, text] of needed) {
        assert.equal(built.get(name), text);
    }
});

test('library: the Emscripten library has no syntax that Emscripten 3.1.6 does not know', async () => {
    const glue = (await library()).replace(/^#.*$/gm, '').replaceAll(/\{\{\{.*?\}\}\}/g, 'then');
    parse(glue, { ecmaVersion: 2017 });
});
