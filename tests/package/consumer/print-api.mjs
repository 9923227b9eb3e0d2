/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Run by tests/package/package.test.js in a project that has installed the package: prints every name that users can
 * reach, one a line. */
import * as holdfast from 'holdfast';
import * as channels from 'holdfast/channel';
import * as debugging from 'holdfast/debug';
import * as external from 'holdfast/external';
import * as keyed from 'holdfast/keyed';
import * as recoverable from 'holdfast/recoverable';
import * as tc39 from 'holdfast/tc39';
import * as tracing from 'holdfast/trace';
import * as webLocks from 'holdfast/web-locks';

/**
 * @param {object} object
 * @param {string | symbol} key
 */
function kindOf(object, key) {
    const { get, value } = Object.getOwnPropertyDescriptor(object, key);
    return get ? 'getter' : typeof value;
}

/** @param {string | symbol} key */
function nameOf(key) {
    // Runtimes describe this symbol each in its own way.
    return key === Symbol.dispose ? '[Symbol.dispose]' : String(key);
}

/**
 * @param {string} path
 * @param {object} object
 * @param {string[]} leftOut
 */
function namesOf(path, object, leftOut) {
    return Reflect.ownKeys(object)
        .filter((key) => !leftOut.includes(String(key)))
        .map((key) => `${path}.${nameOf(key)} ${kindOf(object, key)}`)
        .sort();
}

/** @param {unknown} value */
function isClass(value) {
    return typeof value === 'function' && /^class\b/.test(value.toString());
}

/**
 * A class with the unexported classes that it extends, and the name of the first exported one.
 *
 * @param {any} value
 */
function lineage(value) {
    const exported = new Set(Object.values(holdfast));
    const own = [];
    let next = value;
    do {
        own.push(next);
        next = Object.getPrototypeOf(next);
    } while (isClass(next) && !exported.has(next));
    return { own, parent: next.name };
}

for (const name of Object.keys(holdfast).sort()) {
    const value = holdfast[name];
    if (!isClass(value)) {
        console.log(`${name} ${typeof value}`);
        continue;
    }
    const { parent, own } = lineage(value);
    console.log(`${name} class${parent ? ` extends ${parent}` : ''}`);
    const lines = own.flatMap((part) => [
        ...namesOf(name, part, ['length', 'name', 'prototype']),
        ...namesOf(`${name}.prototype`, part.prototype, ['constructor']),
    ]);
    [...new Set(lines)].sort().forEach((line) => console.log(line));
}

const others = [holdfast, channels, debugging, keyed, recoverable, tracing].flatMap(Object.keys);
const more = Object.keys(external).filter((name) => !others.includes(name));
const missing = others.filter((name) => !(name in external));
console.log(
    `holdfast/external: all of the others${missing.map((name) => ` but ${name}`).join('')}, and ${more}`,
);
Object.entries(debugging).forEach(([name, value]) => console.log(`holdfast/debug: ${name} ${typeof value}`));
Object.entries(recoverable).forEach(([name, value]) => {
    const parent = Object.getPrototypeOf(value).name;
    console.log(`holdfast/recoverable: ${name} class extends ${parent}`);
});

/** @param {string} entry @param {object} classes */
function printClasses(entry, classes) {
    for (const [name, value] of Object.entries(classes)) {
        console.log(`${entry}: ${name} class`);
        const lines = [
            ...namesOf(`${entry}: ${name}`, value, ['length', 'name', 'prototype']),
            ...namesOf(`${entry}: ${name}.prototype`, value.prototype, ['constructor']),
        ];
        lines.sort().forEach((line) => console.log(line));
    }
}

printClasses('holdfast/channel', channels);
printClasses('holdfast/keyed', keyed);
printClasses('holdfast/tc39', tc39);
Object.entries(tracing).forEach(([name, value]) => console.log(`holdfast/trace: ${name} ${typeof value}`));
printClasses('holdfast/web-locks', webLocks);
