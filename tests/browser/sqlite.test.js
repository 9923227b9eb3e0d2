/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* docs/examples/sqlite as a page; tests/docs/sqlite.test.js has it in Node. */
import { after, before, test } from 'node:test';
import { linesOf } from '../../browsers/example-output.js';
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
    return (await linesOf(page, `${server.page}sqlite/?${SECONDS}`, WATCHDOG_MS)).map(parse);
}

inEachBrowser((place) => {
    test('sqlite: the page queries while four threads write, and its frames continue', async (t) => {
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
