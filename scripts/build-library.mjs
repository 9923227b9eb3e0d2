/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes emscripten/holdfast-library.js, which Emscripten links into C programs with callbacks: the glue's
 * code for waits, in one function, between the lines of js-glue/emscripten/library.js.in. Emscripten's own
 * tools process the file again, so it may not be newer than they are. Their old optimiser knows ES2017.
 * Closure renames every name that is not quoted, even names of the engine that it does not know. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { ancestor } from 'acorn-walk';
import { build } from 'esbuild';
import MagicString from 'magic-string';
import { writeChanged } from './write-changed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PLACE = '/* the glue */';

/** Names of the engine or the package, and names that are read by computed keys. */
const QUOTED = new Set([
    ...['Atomics', 'waitAsync', 'async', 'value', 'compareExchange', 'load', 'store', 'notify', 'wait'],
    ...[
        'MessageChannel',
        'port1',
        'port2',
        'onmessage',
        'postMessage',
        'scheduler',
        'performance',
        'timeOrigin',
    ],
    ...['WorkerGlobalScope', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask'],
    ...['setImmediate', 'postTask', 'now', 'document', 'defaultView'],
    ...['turn', 'line'],
    'findLastIndex',
]);

/**
 * Returns declarations of a pattern's variables, one by one.
 *
 * @param {any} pattern
 * @param {string} whole the expression that it takes apart
 * @returns {string[]}
 */
function partsOf(pattern, whole) {
    const parts =
        pattern.type === 'ArrayPattern'
            ? pattern.elements.map((/** @type {any} */ value, /** @type {number} */ at) => [value, `[${at}]`])
            : pattern.properties.map((/** @type {any} */ { key, value }) => [value, memberOf(key)]);
    return parts.map((/** @type {[any, string]} */ [value, access]) => {
        if (value?.type !== 'Identifier') {
            throw new Error('a destructuring pattern may contain only plain names');
        }
        return `, ${value.name} = ${whole}${access}`;
    });
}

/** @param {any} key */
function memberOf(key) {
    return QUOTED.has(key.name) ? `['${key.name}']` : `.${key.name}`;
}

/**
 * Replaces spreads, which are newer than ES2017. esbuild's functions for them are longer.
 *
 * @param {MagicString} edited
 * @param {any} node an object
 */
function assignSpreads(edited, { properties, start, end }) {
    if (!properties.some(isSpread)) {
        return;
    }
    edited.appendLeft(start, 'Object.assign({}, ');
    edited.update(start, start + 1, isSpread(properties[0]) ? ' ' : '{');
    properties.forEach((/** @type {any} */ property, /** @type {number} */ at) => {
        const [before, after] = [properties[at - 1], properties[at + 1]];
        if (isSpread(property)) {
            edited.remove(property.start, property.argument.start);
            if (before && !isSpread(before)) {
                edited.appendRight(property.start, '}, ');
            }
        }
        if (after && isSpread(property) && !isSpread(after)) {
            edited.appendLeft(after.start, '{ ');
        }
    });
    edited.update(end - 1, end, isSpread(properties.at(-1)) ? ')' : '})');
}

/** @param {any} property */
const isSpread = ({ type }) => type === 'SpreadElement';

/**
 * Returns the module with names that Closure leaves alone or renames everywhere. A private name becomes a public one with its
 * class's name, since esbuild's way, a WeakMap for each, is slow.
 *
 * @param {string} text
 */
export function withSafeNames(text) {
    const edited = new MagicString(text);
    const ofClass = (/** @type {any} */ name, /** @type {any[]} */ ancestors, isMember = true) => {
        if (isMember && QUOTED.has(name.name)) {
            throw new Error(`${name.name} cannot be a member of a glue class, since calls quote that name`);
        }
        if (name.type === 'PrivateIdentifier') {
            const owner = ancestors.findLast(({ type }) => type.startsWith('Class') && type !== 'ClassBody');
            edited.update(name.start, name.end, `${name.name}_of_${owner.id.name}`);
        }
    };
    const quoteKey = (/** @type {any} */ { key, computed, shorthand }) => {
        if (!key || computed || !QUOTED.has(key.name)) {
            return;
        }
        edited.appendLeft(key.start, shorthand ? `'${key.name}': ` : "'");
        if (!shorthand) {
            edited.appendRight(key.end, "'");
        }
    };
    ancestor(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), {
        PropertyDefinition: ({ key }, _state, ancestors) => ofClass(key, ancestors),
        MethodDefinition: ({ key }, _state, ancestors) => ofClass(key, ancestors),
        /** @param {any} node @param {unknown} _state @param {any[]} ancestors */
        MemberExpression({ object, property, computed, optional }, _state, ancestors) {
            ofClass(property, ancestors, false);
            if (!computed && QUOTED.has(property.name)) {
                edited.update(object.end, property.end, `${optional ? '?.' : ''}['${property.name}']`);
            }
        },
        // The old optimiser loses variables that are declared by patterns.
        VariableDeclarator({ id, init, start, end }) {
            if (id.type !== 'Identifier') {
                if (!init) {
                    throw new Error('a loop must not destructure its values');
                }
                const whole = `from_${start}`;
                edited.update(id.start, id.end, whole);
                edited.appendLeft(end, partsOf(id, whole).join(''));
            }
        },
        ObjectPattern({ properties }, _state, ancestors) {
            const isParameter = ancestors.at(-2)?.type !== 'VariableDeclarator';
            if (isParameter && properties.some((/** @type {any} */ { key }) => QUOTED.has(key?.name))) {
                throw new Error('a parameter must not destructure a name of the engine');
            }
        },
        ObjectExpression(node) {
            node.properties.forEach(quoteKey);
            assignSpreads(edited, node);
        },
    });
    return edited.toString();
}

const rewriting = {
    name: 'rewriting',
    /** @param {import('esbuild').PluginBuild} plugin */
    setup(plugin) {
        plugin.onLoad({ filter: /\.js$/ }, ({ path }) => ({
            contents: withSafeNames(readFileSync(path, 'utf8')),
            loader: 'ts', // as TypeScript, esbuild writes fields as assignments, not as names in strings
        }));
    },
};

/**
 * Bundles a module of the glue with its imports, in the library's form.
 *
 * @param {string} entry
 */
export async function asInLibrary(entry) {
    const { outputFiles } = await build({
        entryPoints: [join(ROOT, 'js-glue', entry)],
        absWorkingDir: ROOT, // the names of the bundled modules are relative to this folder
        bundle: true,
        format: 'esm',
        target: 'es2017',
        legalComments: 'none',
        tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
        write: false,
        plugins: [rewriting],
        logLevel: 'warning',
    });
    return outputFiles[0]?.text ?? '';
}

/** @returns {Promise<string>} the text of the library */
export async function library() {
    const frame = readFileSync(join(ROOT, 'js-glue', 'emscripten', 'library.js.in'), 'utf8');
    const glue = (await asInLibrary(join('emscripten', 'callbacks.js'))).replace(
        /export \{\s*Callbacks\s*\};/,
        '',
    );
    const [head, tail, more] = frame.split(PLACE);
    if (tail === undefined || more !== undefined) {
        throw new Error(`js-glue/emscripten/library.js.in must contain ${PLACE} exactly once`);
    }
    return head + glue.trim() + tail;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    writeChanged(join(ROOT, 'emscripten', 'holdfast-library.js'), await library());
}
