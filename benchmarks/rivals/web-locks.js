/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @type {{ request<T>(name: string, callback: () => T): Promise<T> } | undefined} */
const locks = /** @type {any} */ (globalThis.navigator)?.locks;

/** https://www.w3.org/TR/web-locks/ @type {import('../contestants.js').Contestant} */
export const webLocks = {
    title: 'Web Locks',
    missing: locks ? undefined : 'this runtime has none; Node has from version 24 on',
    blocks: 'they are async only',
    open({ name }) {
        return { execAsync: (callback) => /** @type {any} */ (locks).request(name, callback) };
    },
};
