/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How a program begins to use each package: what is imported, and what makes the first lock and runs a section. */

/**
 * @typedef {object} Start
 * @property {string} from what is imported
 * @property {() => void} [before] what has to be there first
 * @property {(all: any) => unknown} start
 */

const startHoldfast = (/** @type {any} */ { Mutex }) => new Mutex().executeLocked(() => {});

export const STARTS = {
    /** @type {Start} */
    holdfast: { from: 'holdfast', start: startHoldfast },
    /** Bundled, for programs that are (scenarios/load.js writes it). @type {Start} */
    'holdfast, bundled': {
        from: new URL('../build/load/holdfast.mjs', import.meta.url).href,
        start: startHoldfast,
    },
    /** @type {Start} */
    'async-mutex': { from: 'async-mutex', start: ({ Mutex }) => new Mutex().runExclusive(() => {}) },
    /** @type {Start} */
    'async-lock': { from: 'async-lock', start: (all) => new all.default().acquire('key', () => {}) },
    /** @type {Start} */
    'async-sema': {
        from: 'async-sema',
        async start({ Sema }) {
            const sema = new Sema(1);
            await sema.acquire();
            sema.release();
        },
    },
    /** @type {Start} */
    multithreading: {
        from: 'multithreading',
        // It reads this at once, and Node has it only from version 21 on.
        before: () => {
            /** @type {any} */ (globalThis).navigator ??= { hardwareConcurrency: 2 };
        },
        start: async ({ Mutex }) => (await new Mutex().lock()).dispose(),
    },
    /** The time of the module loader itself. @type {Start} */
    'an empty module': { from: 'data:text/javascript,', start: () => {} },
};
