/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * Not a lock: what an awaited call costs anyway.
 *
 * @type {import('../contestants.js').Contestant}
 */
export const noLock = {
    title: 'no lock, await of a resolved promise',
    blocks: 'it is no lock',
    shares: 'it is no lock',
    open: () => ({ executeLocked: (callback) => Promise.resolve(callback()) }),
};
