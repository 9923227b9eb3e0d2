/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A realm in a browser for the package. Its microtasks run after all other code has returned, so only blocking threads can run in
 * it. */

/** @type {import('./glue-code.js').Realm} */
export const realm = {
    bundle() {
        throw new Error('a page has no bundler, so pass the code of the package');
    },
    evaluate: (code) => (0, eval)(code),
    runToEnd: (task) => task(),
};
