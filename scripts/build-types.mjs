/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes types/: the types that TypeScript makes of the sources' comments, for programs with any settings. It has only what the
 * entries need, once for ES modules and once for CommonJS (.d.cts), whose classes differ at run time, too. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENTRIES } from './entries.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TYPES = join(ROOT, 'types');

/** Types of engines that not every program has. */
const ENGINE = join(TYPES, 'engine.d.ts');
const ENGINE_NAMES = {
    'WebAssembly.Memory': 'Memory',
    'WebAssembly.Module': 'Module',
    AbortSignal: 'Signal',
};

/** @param {string} file @param {string} text */
function withEngine(file, text) {
    const path = relative(dirname(file), ENGINE).replace(/\.d\.ts$/, '.js');
    const place = `('${path.startsWith('.') ? path : `./${path}`}')`;
    const name = /\/\*[^]*?\*\/|\b(WebAssembly\.Memory|WebAssembly\.Module|AbortSignal)\b/g;
    return text.replace(name, (found, /** @type {keyof typeof ENGINE_NAMES | undefined} */ known) =>
        known ? `import${place}.${ENGINE_NAMES[known]}` : found,
    );
}

/** Removes the comments from which types were made, since they would state each type twice. @param {string}
 * text */
function withoutTypedefs(text) {
    return text.replace(/\/\*\*(?:(?!\*\/)[^])*?@typedef(?:(?!\*\/)[^])*\*\/\n/g, '');
}

/** If CommonJS is allowed, TypeScript takes a module without a default export for its own default export. */
const NO_DEFAULT = `/** As CommonJS has it. There is no default export. */
export declare const __esModule: true;
`;

/** The generator of the reference cannot read JSDoc's types inside classes. */
const INSIDE_CLASSES = new Map([
    ['tc39', 'export namespace Mutex {\n    type UnlockToken = InstanceType<typeof Mutex.UnlockToken>;\n}\n'],
]);

const OVERLOAD = /^ {4}(\/\*\*\n(?:(?!\*\/)[^])*?) *\* @overload\n((?:(?!\*\/)[^])*?\*\/\n)/gm;

/**
 * If there is only one overload, TypeScript keeps its comment, and puts the implementation's comment before the
 * method.
 */
const ONLY_OVERLOAD =
    /^( {4}\/\*\*\n(?:(?!\*\/)[^])*?) *\* @overload\n((?:(?!\*\/)[^])*?\*\/\n) {4}\/\*\*(?:(?!\*\/)[^])*\*\/\n/gm;

/** Adds the comments of overloads, which TypeScript leaves out if there are several. @param {string} text of types @param
 * {string} source */
function withOverloads(text, source) {
    let [done, rest] = ['', text.replace(ONLY_OVERLOAD, '$1$2')];
    for (const { 0: comment, 1: before = '', 2: after = '', index } of source.matchAll(OVERLOAD)) {
        if (rest.includes(before + after)) {
            continue;
        }
        const [, name = ''] = /^ {4}(?:async )?(\w+)\(/m.exec(source.slice(index + comment.length)) ?? [];
        const place = new RegExp(`(?<!\\*/)\\n(?= {4}${name}[<(])`).exec(rest);
        if (!place) {
            throw new Error(`${name}() has more comments than overloads`);
        }
        const end = place.index + 1;
        const signature = rest.indexOf('\n', end); // the next overload goes behind this one
        done += `${rest.slice(0, end)}    ${before}${after}${rest.slice(end, signature)}`;
        rest = rest.slice(signature);
    }
    return done + rest;
}

const SPECIFIER = /(\bfrom |\bimport\()(['"])(\.[^'"]*)\.js\2/g;

/** @param {string} file @param {Set<string>} found */
function addReachable(file, found) {
    if (!found.has(file)) {
        found.add(file);
        for (const [, , , path = ''] of readFileSync(file, 'utf8').matchAll(SPECIFIER)) {
            addReachable(join(dirname(file), `${path}.d.ts`), found);
        }
    }
    return found;
}

rmSync(TYPES, { recursive: true, force: true });
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.types.json'], { cwd: ROOT, stdio: 'inherit' });
copyFileSync(join(ROOT, 'js-glue', 'engine.d.ts'), ENGINE);
const all = readdirSync(TYPES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => join(TYPES, file));
for (const file of all.filter((file) => file !== ENGINE)) {
    const source = join(ROOT, 'js-glue', relative(TYPES, file).replace(/\.d\.ts$/, '.js'));
    const text = withOverloads(readFileSync(file, 'utf8'), readFileSync(source, 'utf8'));
    writeFileSync(file, withEngine(file, withoutTypedefs(text)));
}
/** @type {Set<string>} */
const reachable = new Set();
for (const entry of ENTRIES) {
    const file = join(TYPES, `${entry}.d.ts`);
    addReachable(file, reachable);
    appendFileSync(file, (INSIDE_CLASSES.get(entry) ?? '') + NO_DEFAULT);
}
for (const file of all) {
    if (reachable.has(file)) {
        const text = readFileSync(file, 'utf8').replace(SPECIFIER, '$1$2$3.cjs$2');
        writeFileSync(file.replace(/\.ts$/, '.cts'), text);
    } else {
        rmSync(file);
    }
}
