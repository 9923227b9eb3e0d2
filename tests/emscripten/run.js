/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The packed C library with a newer Emscripten than this machine's, one file a subject. Arguments name the
 * subjects to run; by default all. It fails without that Emscripten, since releases require this check. */
const SUBJECTS = ['library', 'callbacks', 'size', 'suspending', 'pthread', 'coroutines'];

const named = process.argv.slice(2);
const unknown = named.find((name) => !SUBJECTS.includes(name));
if (unknown !== undefined) {
    throw new Error(`there is no subject ${unknown}: ${SUBJECTS.join(', ')}`);
}
const { skip } = await import('./system.js');
if (skip) {
    throw new Error(skip);
}
for (const subject of named.length > 0 ? named : SUBJECTS) {
    await import(`./${subject}.js`);
}
