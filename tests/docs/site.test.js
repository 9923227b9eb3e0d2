/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The site that `npm run docs` builds: it fails on links that lead nowhere, and has a page for every name. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import * as holdfast from '../../js-glue/index.js';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { allDocuments, ROOT } from '../support/documents.js';

const SITE = join(ROOT, 'build', 'site');
const LIMIT_SECONDS = 300;

before(() => {
    const build = [process.execPath, join(ROOT, 'scripts', 'docs.mjs')];
    const { ok, output } = runQuietly(build, { cwd: ROOT, limitSeconds: LIMIT_SECONDS });
    assert.ok(ok, output);
});

/** @param {string} page of the site */
function htmlOf(page) {
    return readFileSync(join(SITE, `${page}.html`), 'utf8');
}

/** The page of a name that is exported, from whichever entry. @param {string} name with its kind's folder */
function referenceOf(name) {
    const files = readdirSync(join(SITE, 'api'), { recursive: true, encoding: 'utf8' });
    const file = files.find((path) => `/${path}`.endsWith(`/${name}.html`));
    assert.ok(file, `the reference has no ${name}`);
    return readFileSync(join(SITE, 'api', file), 'utf8');
}

test('docs-site: the site contains each page of docs/', () => {
    const pages = allDocuments().filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');
    const addresses = pages.map((path) => path.slice('docs/'.length).replace(/(README)?\.md$/, ''));
    const files = addresses.map((page) => `${page.endsWith('/') ? `${page}index` : page}.html`);
    assert.deepEqual(
        files.filter((file) => !existsSync(join(SITE, file))),
        [],
    );
});

test('docs-site: the reference describes the exports of the package', () => {
    // A second name, as SharedEvent of Event, has no page.
    const names = Object.entries(holdfast).flatMap(([name, value]) => (value.name === name ? [name] : []));
    assert.ok(names.length > 15);
    for (const name of names) {
        const folder = /^[A-Z]/.test(name) ? 'classes' : 'functions';
        assert.match(referenceOf(`${folder}/${name}`), new RegExp(`<h1[^>]*>[^<]*${name}`));
    }
    assert.match(referenceOf('classes/Mutex'), /Takes the lock\./);
    assert.match(referenceOf('functions/support'), /Reports what this thread can do/);
    assert.match(referenceOf('functions/trace'), /<h1[^>]*>[^<]*trace/);
});

test('docs-site: the site contains the C headers, with their contracts', () => {
    assert.match(htmlOf('c/mutex'), /or HF_DEADLOCK iff the caller holds it already\./);
});

test('docs-site: links between the documents are links of the site', () => {
    const home = htmlOf('index');
    for (const page of ['/guide', '/errors', '/c/mutex']) {
        assert.ok(home.includes(`href="${page}`), page);
    }
});
