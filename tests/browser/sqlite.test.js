/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* docs/examples/sqlite as a page; tests/docs/sqlite.test.js has it in Node. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../../docs/examples/serve.js';
import { checkRounds, isBuilt, parse } from '../support/sqlite-example.js';
import { inEachBrowser, withPage } from './each-browser.js';

const SECONDS = 1.5;

const WATCHDOG_MS = 60_000;

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;

before(async () => {
    server = await startServer();
});

after(() => server?.close());

/** @param {import('./each-browser.js').Page} page */
async function resultsOf(page) {
    await page.goto(`${server.page}sqlite/?${SECONDS}`);
    const hasEnded = () => /^(Done\.|Failed: .*)$/m.test(document.querySelector('output')?.value ?? '');
    const output = () => page.$eval('output', (output) => output.value);
    try {
        await page.waitForFunction(hasEnded, { timeout: WATCHDOG_MS });
    } catch (error) {
        throw new Error(`the page did not end; it said:\n${await output()}`, { cause: error });
    }
    const lines = (await output()).trim().split('\n');
    assert.equal(lines.pop(), 'Done.', lines.join('\n'));
    return lines.map(parse);
}

inEachBrowser((place) => {
    test('sqlite: the page queries while four threads write, and its frames go on', async (t) => {
        if (!isBuilt(t)) {
            return;
        }
        await checkRounds(async () => {
            const results = await withPage(place.browser, resultsOf);
            results.forEach((result) => t.diagnostic(JSON.stringify(result)));
            return results;
        });
    });
});
