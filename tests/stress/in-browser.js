/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';

/** A page counts as hung if it prints nothing for this long beyond its time. */
const PATIENCE_MS = 60_000;
/** The time allowed for each death: Chromium lets a blocked thread live on for two seconds. */
const PATIENCE_PER_DEATH_MS = 10_000;
const MS_PER_MINUTE = 60_000;
/** Games have watchdogs of their own; this limit is for all else. */
const LONGEST_GAMES_MS = 24 * 60 * MS_PER_MINUTE;

/**
 * Calls a function of page.js on a page.
 *
 * @param {import('../../browsers/launch.js').BrowserName} name
 * @param {string} entry
 * @param {{ bytes: Uint8Array, tell: (line: string) => void }} options
 * @param {number} protocolTimeout milliseconds
 * @returns {Promise<any>}
 */
async function callOnPage(name, entry, { bytes, tell, ...options }, protocolTimeout) {
    const server = await serve({
        isFixed: true,
        folders: ['js-glue', 'models', 'tests'],
        programs: ['tests/stress/browser-thread.js'],
    });
    const browser = await launchBrowser(name, { protocolTimeout });
    try {
        const page = await browser.newPage();
        page.on('console', (message) => tell(message.text()));
        page.on('pageerror', (error) => tell(String(error)));
        await page.goto(`${server.origin}/tests/browser/blank.html`);
        return await page.evaluate(
            async (called, given) => {
                const address = '/tests/stress/page.js';
                const functions = await import(address);
                return functions[called](given);
            },
            entry,
            { ...options, bytes: [...bytes] },
        );
    } finally {
        await browser.close();
        await server.close();
    }
}

/**
 * @param {import('../../browsers/launch.js').BrowserName} name
 * @returns {import('./run.js').Place}
 */
export function inBrowser(name) {
    return {
        stress: (options) =>
            callOnPage(
                name,
                'stressOnPage',
                options,
                options.minutes * MS_PER_MINUTE + options.deaths * PATIENCE_PER_DEATH_MS + PATIENCE_MS,
            ),
        games: (options) => callOnPage(name, 'playOnPage', options, LONGEST_GAMES_MS),
    };
}
