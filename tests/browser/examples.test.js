/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The programs of docs/examples as pages; tests/docs/examples.test.js has them in Node. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { outputOf } from '../../browsers/example-output.js';
import { startServer } from '../../docs/examples/serve.js';
import { EXAMPLES } from '../support/examples.js';
import { describeDefaultSpace } from '../support/space-words.js';
import { ONLY_IN_ALL } from '../support/tier.js';
import { inEachBrowser, withPage } from './each-browser.js';

const WATCHDOG_MS = 20_000;

/** The examples that `npm test` runs on pages; in Node it runs all of them. */
const QUICK = ['async-lock', 'articles'];

const WORDS_ON_PAGE = `import('/js-glue/index.js').then(({ Mutex }) => (${describeDefaultSpace})(Mutex))`;

/** @type {Awaited<ReturnType<typeof startServer>>} */
let isolated;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let plain;

before(async () => {
    isolated = await startServer({ isFixed: true });
    plain = await startServer({ isolated: false });
});

after(async () => {
    await isolated?.close();
    await plain?.close();
});

/**
 * @param {import('./each-browser.js').Page} page
 * @param {string} address
 */
async function outputOrWords(page, address) {
    try {
        return await outputOf(page, address, WATCHDOG_MS);
    } catch (error) {
        throw new Error(`${error}; ${await page.evaluate(WORDS_ON_PAGE)}`, { cause: error });
    }
}

/** @param {import('./each-browser.js').Place} place */
function exampleTests(place) {
    for (const [name, words] of Object.entries(EXAMPLES)) {
        const tier = QUICK.includes(name) ? {} : ONLY_IN_ALL;
        test(`examples: ${name} works as documented on a page`, tier, () =>
            withPage(place.browser, async (page) => {
                const output = await outputOrWords(page, `${isolated.page}?${name}`);
                assert.match(output, /\nDone\.\n$/);
                assert.match(output.replace(/Done\.\n$/, ''), words);
            }),
        );
    }

    test('examples: without the isolation headers the page names the missing ones', () =>
        withPage(place.browser, async (page) => {
            const output = await outputOrWords(page, `${plain.page}?two-teams`);
            assert.match(output, /^Failed: .*Cross-Origin-Opener-Policy: same-origin/);
        }));
}

inEachBrowser(exampleTests, { quickly: ['chromium'] });
