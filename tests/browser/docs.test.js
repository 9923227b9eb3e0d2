/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The documents' code for pages: each program prints what it says. tests/docs/documents.test.js has the list.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serve } from '../../browsers/serve.js';
import { filesOf, promisedOutput, tableOf } from '../support/documents.js';
import { copyPackage, installedTools, layOut } from '../support/documents-run.js';
import { linesOf } from '../support/page-lines.js';
import { callOn, inEachBrowser, onPage, withPage } from './each-browser.js';

const DOCUMENTS = ['docs/start/page.md', 'docs/isolation.md', 'docs/migration.md'];

/** Programs with a page of their own, which is made here. */
const ALONE = {
    'docs/start/page.md': ['what-is-missing.js'],
    'docs/isolation.md': ['is-isolated.js'],
    'docs/migration.md': ['web-locks-before.js', 'web-locks-after.js'],
};

/** The row of each kind of thread in the table of docs/blocking.md. */
const ROWS = {
    page: 'page, and every iframe',
    iframe: 'page, and every iframe',
    'dedicated worker': 'dedicated worker, nested ones too',
    'nested worker': 'dedicated worker, nested ones too',
    'shared worker': 'shared worker',
    'service worker': 'service worker',
    'audio worklet': 'audio worklet',
};

/** WebKit's driver does not report what a page prints while it loads, so there the page is asked. */
const HEARS_WHILE_LOADING = { chromium: true, firefox: true, webkit: false };

/** The limit of tests without a watchdog of their own. */
const WATCHDOG_MS = 20_000;

/** @type {Map<string, ReturnType<typeof layOut>>} */
const laidOut = new Map();
/** @type {Awaited<ReturnType<typeof serve>>} */
let isolated;
/** @type {Awaited<ReturnType<typeof serve>>} */
let plain;

/** Writes a page that runs a program of the document. @param {string} document @param {string} program */
function writePage(document, program) {
    const { folder } = /** @type {ReturnType<typeof layOut>} */ (laidOut.get(document));
    writeFileSync(
        join(folder, `${program}.html`),
        `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${program}"></script>\n`,
    );
}

before(async () => {
    for (const document of DOCUMENTS) {
        const files = layOut(document, 'browser');
        laidOut.set(document, files);
        for (const [name, text] of filesOf(document)) {
            // These pages have no bundler, so imports get a path.
            writeFileSync(
                join(files.folder, name),
                text.replace("from 'holdfast'", "from '/js-glue/index.js'"),
            );
        }
    }
    Object.entries(ALONE).forEach(([document, programs]) =>
        programs.forEach((program) => writePage(document, program)),
    );
    writePage('docs/isolation.md', 'app.js');
    const folders = ['js-glue', 'tests/browser', ...[...laidOut.values()].map(({ path }) => path)];
    isolated = await serve({ folders });
    plain = await serve({ folders, isolated: false });
});

after(async () => {
    await isolated?.close();
    await plain?.close();
    laidOut.forEach(({ remove }) => remove());
});

/** @param {{ origin: string }} server @param {string} document @param {string} page */
function addressOf({ origin }, document, page) {
    return `${origin}/${laidOut.get(document)?.path}/${page}`;
}

/**
 * @param {import('../../browsers/launch.js').Browser} browser
 * @param {{ origin: string }} server
 * @param {string} document
 * @param {string} program
 * @param {string} [page]
 */
async function assertPrints(browser, server, document, program, page = `${program}.html`) {
    const promised = promisedOutput(filesOf(document).get(program) ?? '');
    const address = addressOf(server, document, page);
    assert.deepEqual(await linesOf(browser, address, promised.length), promised);
}

/** @param {import('../../browsers/launch.js').Browser} browser @param {string} address */
async function assertBecomesIsolated(browser, address) {
    await withPage(browser, async (page) => {
        // The page reloads itself, even during this call.
        await page.goto(address).catch(() => {});
        const isIsolated = () => page.evaluate(() => crossOriginIsolated).catch(() => false);
        for (const end = performance.now() + WATCHDOG_MS; !(await isIsolated());) {
            assert.ok(performance.now() < end, `${address} is not isolated after ${WATCHDOG_MS} ms`);
        }
    });
}

/**
 * The promises for one browser, from the table in docs/blocking.md.
 *
 * @param {string} browserName
 */
function promisedOfThreads(browserName) {
    const rows = tableOf('docs/blocking.md');
    const promises = Object.entries(ROWS).map(([kind, row]) => {
        const cells = rows.get(row) ?? {};
        const waits = cells['waits by a promise']?.startsWith('yes');
        return [kind, { mayBlock: cells[browserName] === 'yes', asyncWait: waits ? 'waitAsync' : 'none' }];
    });
    return Object.fromEntries(promises);
}

/** A vite server of the first page, index.html, with the package as it is installed. @returns {Promise<any>} */
async function startVite() {
    const { folder, remove } = layOut('docs/start/page.md', 'vite', copyPackage);
    const { createServer } = await import(
        String(pathToFileURL(createRequire(`${installedTools()}/`).resolve('vite')))
    );
    const server = await createServer({
        root: folder,
        configFile: join(folder, 'vite.config.mjs'),
        server: { host: '127.0.0.1', port: 0 },
        logLevel: 'silent',
    });
    await server.listen();
    const close = () => server.close().then(remove);
    return { address: server.resolvedUrls.local[0], close };
}

/** @param {import('./each-browser.js').Place} place */
function testsOfAllBrowsers(place) {
    test('docs: the service worker isolates a page that is served without headers', () =>
        HEARS_WHILE_LOADING[place.name]
            ? assertPrints(place.browser, plain, 'docs/isolation.md', 'app.js')
            : assertBecomesIsolated(place.browser, addressOf(plain, 'docs/isolation.md', 'app.js.html')));

    test('docs: the table of features agrees with support() in each kind of thread', async () => {
        const reports = await onPage(place.browser, isolated, (page) =>
            callOn(page, '/tests/browser/kinds-of-thread.js', 'reportsOfAllKinds'),
        );
        assert.deepEqual(reports, promisedOfThreads(place.name));
    });

    if (place.name === 'chromium') {
        testsOfOneBrowser(place);
    }
}

/**
 * Runs tests that do not depend on the browser.
 *
 * @param {import('./each-browser.js').Place} place
 */
function testsOfOneBrowser(place) {
    for (const [document, programs] of Object.entries(ALONE)) {
        for (const program of programs) {
            test(`docs: ${document}: ${program} prints the documented output`, async () => {
                await assertPrints(place.browser, isolated, document, program);
            });
        }
    }

    test('docs: the example of the first page runs as printed, served by Vite', async () => {
        const server = await startVite();
        try {
            const promised = promisedOutput(filesOf('docs/start/page.md').get('page.js') ?? '');
            assert.deepEqual(await linesOf(place.browser, server.address, promised.length), promised);
        } finally {
            await server.close();
        }
    });

    test('docs: if the service worker does not isolate the page, the page reports this and does not reload again', async () => {
        const { path } = /** @type {ReturnType<typeof layOut>} */ (laidOut.get('docs/isolation.md'));
        const scripts = { [`/${path}/isolating-worker.js`]: "self.addEventListener('fetch', () => {});" };
        const server = await serve({ folders: ['js-glue', path], isolated: false, scripts });
        try {
            const lines = await linesOf(place.browser, `${server.origin}/${path}/app.js.html`, 1);
            assert.match(String(lines), /^Error: This page is not isolated/);
        } finally {
            await server.close();
        }
    });
}

inEachBrowser(testsOfAllBrowsers, { protocolTimeout: WATCHDOG_MS });
