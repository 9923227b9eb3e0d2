/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The README's facts, its code, which runs as it stands, and all links of the documents. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { allDocuments, filesOf, ROOT, textOf } from '../support/documents.js';
import { wrongLinks } from '../support/links.js';

const SCRATCH = join(ROOT, 'build', 'readme');
/** Documents whose code runs here; tests/docs/documents.test.js runs the code of the others. */
const DOCUMENTS = ['README.md', 'docs/errors.md', 'docs/debugging.md'];
const CHILD_LIMIT_MS = 120_000;

/** @param {string} name of a block */
function codeOf(name) {
    const block = DOCUMENTS.map((document) => filesOf(document).get(name)).find(Boolean);
    assert.ok(block, `no document has a block called ${name}`);
    return block;
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
        cwd: SCRATCH,
        encoding: 'utf8',
        timeout: CHILD_LIMIT_MS,
    });
    assert.equal(status, 0, `${command} ${args.join(' ')}\n${error ?? ''}\n${stdout}\n${stderr}`);
    return { stdout, stderr };
}

/**
 * Writes the block, and runs it in Node.
 * @param {string} name
 */
function runInNode(name) {
    writeFileSync(join(SCRATCH, name), codeOf(name));
    return run(process.execPath, [name]);
}

before(() => {
    rmSync(SCRATCH, { recursive: true, force: true });
    mkdirSync(join(SCRATCH, 'node_modules'), { recursive: true });
    symlinkSync(ROOT, join(SCRATCH, 'node_modules', 'holdfast'));
});

after(() => rmSync(SCRATCH, { recursive: true, force: true }));

test('readme: facts in the README and in the documents agree with the build', () => {
    run(process.execPath, [join(ROOT, 'scripts', 'readme-facts.mjs'), '--check']);
});

test('readme: the example of the page and its worker counts to two', async () => {
    for (const name of ['page.js', 'worker.js']) {
        // No bundler here, and workers know no import maps.
        const block = codeOf(name).replaceAll("'holdfast'", "'/js-glue/index.js'");
        writeFileSync(
            join(SCRATCH, name),
            name === 'page.js' ? `${block}globalThis.counter = counter;\n` : block,
        );
    }
    writeFileSync(
        join(SCRATCH, 'index.html'),
        '<!doctype html><script type="module" src="page.js"></script>\n',
    );
    const browser = await launchBrowser('chromium');
    const server = await serve({ folders: ['js-glue', 'build/readme'] });
    try {
        const page = await browser.newPage();
        await page.goto(`${server.origin}/build/readme/`);
        await page.waitForFunction('globalThis.counter?.[0] === 2');
    } finally {
        await browser.close();
        await server.close();
    }
});

test('readme: a timeout error points to the request that waits for its own section', () => {
    const { stderr } = runInNode('find-the-place.mjs');
    assert.match(stderr, /^inner request: HF_TIMEOUT .*held by this thread/);
});

test('readme: a signal to a hanging process prints who holds what', () => {
    const name = 'ask-by-signal.mjs';
    const hangs = `
        await orders.acquireAsync();
        process.once('SIGUSR2', () => setTimeout(() => process.exit(), 100));
        process.kill(process.pid, 'SIGUSR2');
        await orders.acquireAsync(); // for ever
    `;
    writeFileSync(join(SCRATCH, name), codeOf(name) + hangs);
    const { stderr } = run(process.execPath, [name]);
    assert.match(stderr, /Mutex 'orders', held by main/);
});

test('readme: the PerformanceObserver of the example prints the thread that waited for a lock', () => {
    const { stdout } = runInNode('observe.mjs');
    // On a busy machine there may be a wait of some milliseconds, too.
    assert.match(stdout, /^(main: table: wait for \d+\.\d ms\n)?main: table: hold for \d+\.\d ms\n$/);
});

test('readme: the codes in the documents and in the types are exactly those of the errors and the reports', () => {
    const glue = readdirSync(join(ROOT, 'js-glue'), { recursive: true, encoding: 'utf8' }).filter(
        (file) => file.endsWith('.js') && !file.endsWith('-bytes.js'),
    );
    const codesIn = (/** @type {string} */ text) => text.match(/(?<=')HF_[A-Z_]+(?=')/g) ?? [];
    const thrown = new Set(
        glue.flatMap((file) => codesIn(textOf(`js-glue/${file}`).replace(/\/\*[^]*?\*\//g, ''))),
    );
    const [typed = ''] = /@typedef [^]*? ErrorCode\n[^]*?\*\//.exec(textOf('js-glue/errors.js')) ?? [];
    const rowsOf = (/** @type {string} */ document) =>
        [...textOf(document).matchAll(/^\| `(HF_[A-Z_]+)` \|/gm)].map(([, name = '']) => name).sort();
    const listed = rowsOf('docs/errors.md');
    const [, reported = ''] = /@property \{(.*\|.*)\} code$/m.exec(textOf('js-glue/debug/report.js')) ?? [];
    assert.deepEqual(rowsOf('docs/debugging.md'), codesIn(reported).sort(), 'reports');
    assert.deepEqual(codesIn(typed).sort(), listed);
    assert.deepEqual([...thrown].sort(), [...new Set([...listed, ...codesIn(reported)])].sort());
});

test('readme: each link of a document leads to an existing file or heading', () => {
    assert.deepEqual(
        allDocuments().flatMap((document) => wrongLinks(ROOT, document)),
        [],
    );
});
