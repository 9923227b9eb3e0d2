/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';

/** A page that says nothing for so much longer than it should run hangs. */
const PATIENCE_MS = 60_000;
const MS_PER_MINUTE = 60_000;

/**
 * @param {import('../../browsers/launch.js').BrowserName} name
 * @returns {import('./run.js').RunInPlace}
 */
export function stressIn(name) {
    return async ({ seed, minutes, bytes, tell }) => {
        const server = await serve({ folders: ['js-glue', 'models', 'tests'] });
        const browser = await launchBrowser(name, { protocolTimeout: minutes * MS_PER_MINUTE + PATIENCE_MS });
        try {
            const page = await browser.newPage();
            page.on('console', (message) => tell(message.text()));
            page.on('pageerror', (error) => tell(String(error)));
            await page.goto(`${server.origin}/tests/browser/blank.html`);
            return await page.evaluate(
                async (options) => {
                    const address = '/tests/stress/page.js';
                    const { stressOnPage } = await import(address);
                    return stressOnPage(options);
                },
                { seed, minutes, bytes: [...bytes] },
            );
        } finally {
            await browser.close();
            await server.close();
        }
    };
}
