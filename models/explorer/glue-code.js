/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The package as it ships, with the programs, as code for any number of instances. Two things differ: snapshots can see the
 * private fields, and a few constants have other values. */

/**
 * @typedef {object} Realm
 * @property {(from?: string) => string} bundle thread.js and its imports, in that folder
 * @property {(code: string) => any} evaluate
 * @property {(task: () => void) => void} runToEnd runs a task, and all microtasks that come of it
 *
 * @typedef {any} Thread the exports of thread.js, and more
 *
 * @typedef {{ make: (scope: object, webAssembly: object) => Thread, unused: Thread[] }} Code
 */

const isNode = 'process' in globalThis;
/** @type {{ realm: Realm }} */
const { realm } = await import(isNode ? './node-realm.js' : './page-realm.js');

export const { runToEnd } = realm;

/**
 * Constants with other values, so that a timer's delay distinguishes a poll from the end of a watch, and no
 * step asks for the long reservation.
 */
const OTHERS = {
    POLL_MS: 2,
    LONGEST_POLL_MS: 2,
    GATE_HURRIED_POLL_MS: 2,
    LATE_STEP_EVERY: 'NaN',
    MOST_CALLS: 1, // otherwise equal states would have different counts
    CORE_TEXT: '"~00"',
    FAMILY_TEXT: '"~00"',
    DEPTHS_TEXT: '"~01"',
};

/** Variables that are the same for the whole life of an instance. */
const FIXED_VARIABLES = /^(scope|host|environment|compiled|setup)\d*$|_exports$/;

/** @param {string} code */
function variablesOf(code) {
    const found = code.matchAll(/^ {2}var ([a-z]\w*)(?:;$| = (?!class))/gm);
    return [...found].map(([, name = '']) => name).filter((name) => !FIXED_VARIABLES.test(name));
}

/** @param {string} code @param {Record<string, string | number>} constants */
function withConstants(code, constants) {
    let text = code;
    for (const [name, value] of Object.entries(constants)) {
        const found = new RegExp(`^( {2}var ${name} = ).*;$`, 'm');
        if (!found.test(text)) {
            throw new Error(`the package has no constant ${name}`);
        }
        text = text.replace(found, `$1${value};`);
    }
    return text;
}

/** @type {Map<string, Code>} */
const codes = new Map();

/**
 * @param {Record<string, string | number>} constants with other values
 * @param {string} [from] a folder whose sources do not change
 */
export function codeOf(constants, from = '') {
    const key = JSON.stringify([from, constants]);
    let code = codes.get(key);
    if (!code) {
        const text = withoutPrivacy(withConstants(bundled(from), { ...OTHERS, ...constants }));
        code = { make: compiled(text), unused: [] };
        codes.set(key, code);
    }
    return code;
}

/**
 * Restarts an unused instance, or makes a new one: classes are slow to make and to collect.
 * @param {Code} code
 * @param {object} scope
 * @param {object} webAssembly
 */
export function takeThread({ make, unused }, scope, webAssembly) {
    const thread = unused.pop();
    thread?.startAgain(scope, webAssembly);
    return thread ?? make(scope, webAssembly);
}

/** @type {Map<string, string>} */
const bundles = new Map();

/** @param {string} from a folder of sources; '': this repository's */
export function bundled(from = '') {
    const bundle = bundles.get(from) ?? realm.bundle(from || undefined);
    bundles.set(from, bundle);
    return bundle;
}

/** Sets the bundle on a page, which cannot make one. @param {string} bundle */
export function useBundle(bundle) {
    bundles.set('', bundle);
}

/** Turns private fields into public ones, named with their class. @param {string} code */
function withoutPrivacy(code) {
    let name = '';
    const lines = code.split('\n').map((line) => {
        name = /^ {2}var (\w+) = class/.exec(line)?.[1] ?? name;
        return line.replaceAll(/#(\w+) in /g, `"${name}$$$1" in `).replaceAll(/#(\w+)/g, `${name}$$$1`);
    });
    return lines.join('\n');
}

/**
 * Statements that run once only: functions, classes, and helpers of esbuild. A statement begins with two
 * blanks.
 */
const ONCE_ONLY = /^ {2}((async )?function|return|__|\/\/|var \w+(;| = class\b)|var (__|\w+_exports))/;

/** @param {string} code */
function firstValues(code) {
    const [, ...statements] = code.split(/\n(?= {2}[^\s})\]])/);
    return statements
        .filter((statement) => !ONCE_ONLY.test(statement))
        .map((statement) => statement.replace(/^ {2}var ({.*);/, '($1);').replace(/^ {2}var /, ''))
        .join('\n');
}

/** @param {string} code @returns {Code['make']} */
function compiled(code) {
    // Only variables without a value: static blocks have already set the others.
    const undefinedAtFirst = [...code.matchAll(/^ {2}var (\w+);$/gm)].map(([, name]) => name).join(', ');
    const further = `variables: () => ({ ${variablesOf(code).join(', ')} }),
        startAgain(scope, webAssembly) {
            globalThis = scope;
            WebAssembly = webAssembly;
            [${undefinedAtFirst}] = loaded;
            ${firstValues(code)}
        }`;
    const withVariables = code.replace(
        /return __toCommonJS\((\w+)\);\s*\}\)\(\);\s*$/,
        `const loaded = [${undefinedAtFirst}];\nreturn { ...__toCommonJS($1), ${further} };\n})(); return thread;`,
    );
    return realm.evaluate(`(function (globalThis, WebAssembly) { ${withVariables} })`);
}
