/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { launchBrowser, NoBrowserError } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { LockManager } from 'holdfast/web-locks';
import { figureOf } from '../figures.js';
import { requestRate } from '../jobs/web-locks.js';
import { interleave } from '../rounds.js';

const BROWSER = 'Chromium';
const AT_ONCE = [1, 100];

/** @typedef {(isEngine: boolean, atOnce: number, seconds: number) => Promise<number>} Measure */

/**
 * @param {string} where
 * @param {Measure} measure
 * @param {string | undefined} cannot why there is no manager of the engine's
 * @param {import('./scenarios.js').Options} options
 */
async function figuresOf(where, measure, cannot, { rounds, seconds }) {
    const figures = [];
    for (const atOnce of AT_ONCE) {
        /** @type {Record<string, () => Promise<number>>} */
        const managers = { ours: () => measure(false, atOnce, seconds) };
        if (cannot === undefined) {
            managers['engines'] = () => measure(true, atOnce, seconds);
        }
        const rates = await interleave(rounds, managers);
        const name = `navigator.locks of ${where}`;
        figures.push(
            figureOf(
                `${where}, requests for one name, ${atOnce} at a time`,
                '/s',
                rates['ours'] ?? [],
                cannot === undefined ? { name, rounds: rates['engines'] ?? [] } : { name, cannot },
            ),
        );
    }
    return figures;
}

/** @param {import('./scenarios.js').Options} options */
function inNode(options) {
    const engines = globalThis.navigator?.locks;
    /** @type {Measure} */
    const measure = (isEngine, atOnce, seconds) =>
        requestRate(isEngine ? engines : new LockManager(), atOnce, seconds);
    return figuresOf('Node', measure, engines ? undefined : 'it came with Node 24', options);
}

/** @param {import('./scenarios.js').Options} options */
async function onPage(options) {
    const browser = await launchBrowser('chromium');
    const server = await serve({ folders: ['dist', 'benchmarks', 'tests/browser'] });
    try {
        const page = await browser.newPage();
        await page.goto(`${server.origin}/tests/browser/blank.html`);
        /** @type {Measure} */
        const measure = (isEngine, atOnce, seconds) =>
            page.evaluate(
                async (isEngine, atOnce, seconds) => {
                    const [ours, jobs] = ['/dist/web-locks.js', '/benchmarks/jobs/web-locks.js'];
                    const { LockManager } = await import(ours);
                    const { requestRate } = await import(jobs);
                    return requestRate(isEngine ? navigator.locks : new LockManager(), atOnce, seconds);
                },
                isEngine,
                atOnce,
                seconds,
            );
        return await figuresOf(BROWSER, measure, undefined, options);
    } finally {
        await browser.close();
        await server.close();
    }
}

/** @type {import('./scenarios.js').Scenario} */
export const webLocks = {
    name: 'web-locks',
    title: 'requests for named locks on one thread, beside navigator.locks of Node and of a browser',
    async run(options) {
        const figures = await inNode(options);
        try {
            figures.push(...(await onPage(options)));
        } catch (error) {
            if (!(error instanceof NoBrowserError)) {
                throw error;
            }
        }
        return { figures };
    },
};
