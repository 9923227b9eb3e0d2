/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A realm in a browser for the package: microtasks run after all other code has returned, so only threads that block
 * can run. */

/** @type {import('./glue-code.js').Realm} */
export const realm = {
    bundle() {
        throw new Error('the code of the package has to be given here');
    },
    evaluate: (code) => (0, eval)(code),
    runToEnd: (task) => task(),
};
