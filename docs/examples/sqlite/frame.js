/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Runs one build of the program, and posts the line that it prints to the page. */

const [mutexes, ...words] = location.search.slice(1).split('&');

/** @param {unknown} error */
const fail = (error) => parent.postMessage({ error: String(error) });

Object.assign(globalThis, {
    /** Settings that Emscripten's output reads. */
    Module: {
        arguments: words,
        print: (/** @type {string} */ line) => parent.postMessage({ line }),
        printErr: console.error,
        onAbort: fail,
    },
});

const script = document.createElement('script');
script.src = `../../../build/sqlite/${mutexes}.js`;
script.onerror = () => fail(`${script.src} is not there: node docs/examples/sqlite/build.mjs makes it`);
document.head.append(script);
