/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The settings of servers that docs/isolation.md gives: each makes a page isolated. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installBundlers } from '../package/bundlers/apps.js';
import { startDevServer } from '../package/bundlers/dev-server.js';
import { filesOf } from '../support/documents.js';
import { installedTools, layOut } from '../support/documents-run.js';
import { askNginx } from '../support/nginx.js';

const HEADERS = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** @type {ReturnType<typeof layOut>} */
let settings;
before(() => {
    settings = layOut('docs/isolation.md', 'servers');
});
after(() => settings?.remove());

/** @param {string} name of a file of docs/isolation.md @returns {Promise<any>} */
function settingsIn(name) {
    return import(String(pathToFileURL(join(settings.folder, name))));
}

/** @param {string} folder @param {string} name with its folder in there @param {string} text */
function write(folder, name, text) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
}

/** @param {(name: string) => unknown} get */
function assertIsolating(get) {
    for (const [name, value] of Object.entries(HEADERS)) {
        assert.equal(get(name), value, name);
    }
}

test('docs: both documents show the same settings for Vite', () => {
    const [here, there] = ['docs/isolation.md', 'docs/start/page.md'].map((document) =>
        filesOf(document).get('vite.config.mjs'),
    );
    assert.equal(here, there);
});

/* The development servers: the paths that each expects for the page and its script, and the address of the
 * script. */
for (const { name, command, page, script, address } of [
    {
        name: 'vite.config.mjs',
        command: 'vite',
        page: 'index.html',
        script: 'page.js',
        address: '/page.js',
    },
    {
        name: 'vite.config.mjs',
        command: 'vite preview',
        page: 'dist/index.html',
        script: 'dist/page.js',
        address: '/page.js',
    },
    {
        name: 'webpack.config.mjs',
        command: 'webpack serve --mode development',
        page: 'public/index.html',
        script: 'src/index.js',
        address: '/main.js',
    },
]) {
    test(`docs: with ${name}, ${command} serves isolated files`, async () => {
        installBundlers();
        const app = join(settings.folder, command.replaceAll(' ', '-'));
        write(app, name, filesOf('docs/isolation.md').get(name) ?? '');
        write(app, page, '<!doctype html>served');
        write(app, script, "console.log('served');");
        const server = await startDevServer(app, command);
        try {
            for (const path of ['/', address]) {
                const answer = await fetch(server.origin + path);
                assert.match(await answer.text(), /served/);
                assertIsolating((header) => answer.headers.get(header));
            }
        } finally {
            await server.close();
        }
    });
}

/* Next.js would read this file. tests/package/next.test.js asks a server of it. */
test('docs: next.config.mjs isolates every response of Next.js', async () => {
    const { default: config } = await settingsIn('next.config.mjs');
    const [rule, ...others] = await config.headers();
    assert.deepEqual(others, []);
    assert.equal(rule.source, '/(.*)');
    const values = new Map(
        rule.headers.map((/** @type {{ key: string, value: string }} */ { key, value }) => [key, value]),
    );
    assertIsolating((name) => values.get(name));
});

test('docs: server.mjs serves isolated files with Express', async (t) => {
    symlinkSync(
        join(installedTools(), 'node_modules', 'express'),
        join(settings.folder, 'node_modules', 'express'),
    );
    mkdirSync(join(settings.folder, 'public'));
    writeFileSync(join(settings.folder, 'public', 'index.html'), 'served');
    const text = filesOf('docs/isolation.md').get('server.mjs') ?? '';
    const listens = 'app.listen(8080,';
    assert.ok(text.includes(listens));
    const changed = text
        .replace(
            "express.static('public')",
            `express.static(${JSON.stringify(join(settings.folder, 'public'))})`,
        )
        .replace(listens, 'export const server = app.listen(0,');
    writeFileSync(join(settings.folder, 'server.mjs'), changed);
    const { server } = await settingsIn('server.mjs');
    t.after(() => server.close());
    await once(server, 'listening');

    const answer = await fetch(`http://127.0.0.1:${server.address().port}/`);
    assert.equal(await answer.text(), 'served');
    assertIsolating((name) => answer.headers.get(name));
});

test('docs: with site.conf nginx serves isolated files and isolated error pages', async () => {
    const root = join(settings.folder, 'www');
    mkdirSync(root);
    writeFileSync(join(root, 'index.html'), 'served');
    const text = filesOf('docs/isolation.md').get('site.conf') ?? '';
    assert.ok(text.includes('root /srv/www;'));
    const block = text.replace('/srv/www', root);
    for (const [path, status] of [
        ['/', 200],
        ['/none', 404],
    ]) {
        const answer = await askNginx(settings.folder, block, String(path));
        assert.equal(answer.statusCode, status);
        assertIsolating((name) => answer.headers[name.toLowerCase()]);
    }
});
