/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The programs of docs/examples as pages; tests/examples.test.js has them in Node. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BROWSER_NAMES, launchBrowser } from '../../browsers/launch.js';
import { startServer } from '../../docs/examples/serve.js';
import { EXAMPLES } from '../support/examples.js';
import { describeDefaultSpace } from '../support/space-words.js';

const WATCHDOG_MS = 20_000;

const WORDS_ON_PAGE = `import('/js-glue/index.js').then(({ Mutex }) => (${describeDefaultSpace})(Mutex))`;

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
before(async () => {
    server = await startServer();
});
after(() => server?.close());

/**
 * Waits until the example has ended, in whatever way.
 *
 * @param {import('../../browsers/launch.js').Page} page
 */
async function outputOf(page) {
    const hasEnded = () => /^(Done\.|Failed: .*)$/m.test(document.querySelector('output')?.value ?? '');
    try {
        await page.waitForFunction(hasEnded, { timeout: WATCHDOG_MS });
    } catch (error) {
        throw new Error(`${error}; ${await page.evaluate(WORDS_ON_PAGE)}`, { cause: error });
    }
    return page.$eval('output', (output) => output.value);
}

for (const browserName of BROWSER_NAMES) {
    describe(`in ${browserName}`, () => {
        /** @type {import('../../browsers/launch.js').Browser} */
        let browser;
        before(async () => {
            browser = await launchBrowser(browserName);
        });
        after(() => browser?.close());

        for (const [name, words] of Object.entries(EXAMPLES)) {
            test(`examples: ${name} keeps what it promises on a page`, async () => {
                const page = await browser.newPage();
                try {
                    await page.goto(`${server.page}?${name}`);
                    const output = await outputOf(page);
                    assert.match(output, /\nDone\.\n$/);
                    assert.match(output.replace(/Done\.\n$/, ''), words);
                } finally {
                    await page.close();
                }
            });
        }
    });
}

test('examples: without the isolation headers the page says which ones are missing', async () => {
    const plain = await startServer({ isolated: false });
    const browser = await launchBrowser('chromium');
    try {
        const page = await browser.newPage();
        await page.goto(`${plain.page}?two-teams`);
        assert.match(await outputOf(page), /^Failed: .*Cross-Origin-Opener-Policy: same-origin/);
    } finally {
        await browser.close();
        await plain.close();
    }
});
