/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The Emscripten program of docs/start/emscripten.md and its page, in a fresh folder with the packed package, served in
 * each way that it tells. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { filesOf, promisedOutput, ROOT, textOf } from '../support/documents.js';
import { runCommandOf } from '../support/documents-run.js';
import { initProject, installInto, pack } from '../support/packed-package.js';
import { linesOf } from '../support/page-lines.js';
import { build, installBundlers } from './bundlers/apps.js';
import { startDevServer } from './bundlers/dev-server.js';
import { chapter } from './bundlers/guide.js';

const DOCUMENT = 'docs/start/emscripten.md';
const FILES = filesOf(DOCUMENT);
/** The settings file of each bundler, left out for the other bundler. */
const SETTINGS = ['vite.config.mjs', 'webpack.config.mjs'];
const FOLDER = join(ROOT, 'build', 'emscripten-page');

/** @type {import('../../browsers/launch.js').Browser} */
let browser;
/** The folder as the document leaves it before it is served. */
const fresh = join(FOLDER, 'fresh');

before(async () => {
    installBundlers();
    rmSync(FOLDER, { recursive: true, force: true });
    const packed = join(FOLDER, 'packed');
    mkdirSync(packed, { recursive: true });
    initProject(fresh);
    installInto(pack(packed), fresh);
    for (const [name, text] of FILES) {
        if (!SETTINGS.includes(name)) {
            writeFileSync(join(fresh, name), text);
        }
    }
    runCommandOf(DOCUMENT, 'H=', fresh);
    browser = await launchBrowser('chromium');
});
after(() => browser?.close());

/**
 * A folder of its own.
 *
 * @param {string} name
 * @param {Record<string, string>} [files]
 * @param {string[]} [lines] to type first
 */
function appFor(name, files = {}, lines = []) {
    const app = join(FOLDER, name);
    cpSync(fresh, app, { recursive: true });
    for (const [file, text] of Object.entries(files)) {
        writeFileSync(join(app, file), text);
    }
    build(app, lines.join('\n'));
    return app;
}

/** @param {string} origin @param {string} program @param {string} [path] of its page */
async function assertPrints(origin, program, path = '/') {
    const promised = promisedOutput(FILES.get(program) ?? '');
    assert.deepEqual(await linesOf(browser, `${origin}${path}`, promised.length), promised);
}

/** @param {string} root @param {string} [path] of the page */
async function assertServed(root, path) {
    const server = await serve({ root });
    try {
        await assertPrints(server.origin, 'page.js', path);
    } finally {
        await server.close();
    }
}

/**
 * @param {string} app
 * @param {string} command
 * @param {(origin: string) => Promise<void>} use
 */
async function withDevServer(app, command, use) {
    const server = await startDevServer(app, command);
    try {
        await use(server.origin);
    } finally {
        await server.close();
    }
}

describe('emscripten, page: by Vite', () => {
    const { files, commands } = chapter('Vite', textOf(DOCUMENT));
    const commandTo = (/** @type {string} */ purpose) => commands[purpose] ?? '';
    /** @type {string} */
    let app;
    before(() => {
        app = appFor('vite', files);
    });

    test('the page of the document works with the development server', () =>
        withDevServer(app, commandTo('develops'), (origin) => assertPrints(origin, 'page.js')));

    test("a worker attaches to the program's memory, and places a lock in it", () =>
        withDevServer(app, commandTo('develops'), async (origin) => {
            const page = readFileSync(join(app, 'index.html'), 'utf8');
            for (const program of ['attach.js', 'placed.js']) {
                writeFileSync(join(app, `${program}.html`), page.replace('page.js', program));
                await assertPrints(origin, program, `/${program}.html`);
            }
        }));

    test('the page of the document works once built and served', async () => {
        build(app, commandTo('builds'));
        await withDevServer(app, commandTo('serves what was built'), (origin) =>
            assertPrints(origin, 'page.js'),
        );
        await assertServed(join(app, 'dist'));
    });
});

describe('emscripten, page: by webpack', () => {
    const { files, configures, commands } = chapter('webpack', textOf(DOCUMENT));
    /** @type {string} */
    let app;
    before(() => {
        app = appFor('webpack', files, configures);
    });

    test('the page of the document works with the development server', () =>
        withDevServer(app, commands.develops ?? '', (origin) => assertPrints(origin, 'page.js')));

    test('the page of the document works once built', async () => {
        build(app, commands.builds ?? '');
        await assertServed(join(app, 'dist'));
    });
});

test('emscripten, page: the page of the document works without a bundler', () =>
    assertServed(appFor('plain'), '/plain.html'));
