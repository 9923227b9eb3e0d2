/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';

/** A page counts as hung if it prints nothing for this long beyond the time of its programs. */
const PATIENCE_MS = 20_000;

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} milliseconds
 * @returns {Promise<T | 'late'>}
 */
function orLate(promise, milliseconds) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve('late'), milliseconds);
        promise.then(resolve, reject).finally(() => clearTimeout(timer));
    });
}

/**
 * @param {import('../../browsers/launch.js').BrowserName} name
 * @returns {Promise<import('./in-node.js').Place>}
 */
export async function openBrowser(name) {
    const server = await serve({
        isFixed: true,
        folders: ['js-glue', 'models', 'tests'],
        programs: ['tests/stress/browser-thread.js'],
    });
    const browser = await launchBrowser(name, { protocolTimeout: 10 * PATIENCE_MS });
    /** @type {any} */
    let page;

    async function openPage() {
        page = await browser.newPage();
        await page.goto(`${server.origin}/tests/browser/blank.html`);
    }

    /** @param {import('./referee.js').Code} code @param {number} patience */
    async function play(code, patience) {
        if (page === undefined) {
            await openPage();
        }
        const played = page.evaluate(
            async (/** @type {any} */ given, /** @type {number} */ limit) => {
                const address = '/tests/fuzz/page.js';
                const { playOnPage } = await import(address);
                return (await playOnPage(given, limit)) ?? null;
            },
            code,
            patience,
        );
        const failure = await orLate(played, patience + PATIENCE_MS);
        if (failure !== null) {
            const gone = page;
            page = undefined;
            played.catch(() => {});
            await orLate(gone.close(), PATIENCE_MS);
        }
        const froze = {
            kind: 'hang',
            message: `the page did not answer within ${patience + PATIENCE_MS} ms`,
        };
        return failure === 'late' ? froze : (failure ?? undefined);
    }

    async function close() {
        await browser.close();
        await server.close();
    }

    return { play, close };
}
