/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The packed package in fresh apps, made by each bundler as docs/bundlers.md tells a newcomer to, and opened in a
 * browser. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { build, ENVIRONMENT, FAMILY, FORBIDDEN, makeApp, readmeThreads, setUp } from './bundlers/apps.js';
import { startDevServer } from './bundlers/dev-server.js';
import { chapter, FILE_PAGE, FILE_WORKER, PACKAGES, POLICY } from './bundlers/guide.js';
import { visit } from './bundlers/visit.js';
import { CLASS_NAMES } from '../support/classes.js';
import { outputOf } from '../support/packed-package.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The purposes of further commands that the guide has for a bundler. Every bundler has commands that make files,
 * install packages and build.
 *
 * @type {Record<string, { serves: string[], sets?: string[], awaitsInFunction?: boolean, writesImportMap?: boolean }>}
 */
const BUNDLERS = {
    Vite: { serves: ['develops', 'serves what was built'] },
    webpack: { serves: ['develops'] },
    Parcel: {
        serves: ['develops'],
        sets: ['finds holdfast/trace'],
        awaitsInFunction: true,
        writesImportMap: true,
    },
    Rollup: { serves: [] },
    esbuild: { serves: ['develops'] },
};

/* The classes that the README's two threads do not use. */
const OTHERS = CLASS_NAMES.filter((name) => name !== 'Mutex');

/* The report of the page of bundlers/family/, with three threads of 200 rounds. */
const FAMILY_OUTCOME = {
    items: 600,
    turns: 600,
    table: 600,
    nested: 400,
    isFree: true,
    firsts: 1,
    seatsKept: true,
    errors: ['HF_TIMEOUT', 'HF_NOT_OWNER'],
    isTraced: true,
    mayShare: true,
};

/** @type {string} */
let tarball;
/** @type {import('../../browsers/launch.js').Browser} */
let browser;
before(async () => {
    tarball = setUp();
    browser = await launchBrowser('chromium');
});
after(() => browser?.close());

/**
 * Serves a folder as its own site, with a content security policy.
 *
 * @param {string} root
 * @param {string} [policy]
 * @param {string} [path] of the page
 */
async function visitSite(root, policy = POLICY, path = '/') {
    const server = await serve({
        root,
        headers: { 'Content-Security-Policy': `default-src 'self'; ${policy}` },
    });
    try {
        return await visit(browser, server.origin + path);
    } finally {
        await server.close();
    }
}

/**
 * The policy for a page with an import map, which is a script within it.
 *
 * @param {string} html
 */
function policyFor(html) {
    const [, map] = /<script type="?importmap"?>([^]*?)<\/script>/.exec(html) ?? [];
    assert.ok(map, `no import map in ${html}`);
    const hash = createHash('sha256').update(map).digest('base64');
    return POLICY.replace('script-src', `script-src 'sha256-${hash}'`);
}

/** @param {string} dist */
function scriptsIn(dist) {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /\.m?js$/.test(file),
    );
    return files.map((file) => readFileSync(join(dist, file), 'utf8')).join('\n');
}

/**
 * Handles contain their kind, so class names survive minifying as strings.
 *
 * @param {string} scripts
 */
function othersIn(scripts) {
    return OTHERS.filter((name) => new RegExp(`(["'\`])${name}\\1`).test(scripts));
}

for (const [bundler, ways] of Object.entries(BUNDLERS)) {
    const { files, packages, configures, commands } = chapter(bundler);
    const { serves, sets = [] } = ways;
    const commandTo = (/** @type {string} */ purpose) => commands[purpose] ?? '';

    describe(`with ${bundler}`, () => {
        const policy = (/** @type {string} */ dist) =>
            ways.writesImportMap ? policyFor(readFileSync(join(dist, 'index.html'), 'utf8')) : POLICY;
        /** Bytes, gzip, that the page with Mutex alone loads. */
        let mutexBytes = NaN;
        /** @type {string} */
        let mutexApp;

        before(() => {
            mutexApp = makeApp(`${bundler}-mutex`, { ...readmeThreads(ways), ...files }, configures);
        });

        test(`bundlers: the guide lists the commands that ${bundler} needs: installs, ${['builds', ...serves].join(', ')}`, () => {
            assert.notEqual(packages.length, 0);
            assert.deepEqual(Object.keys(commands).sort(), ['builds', ...serves, ...sets].sort());
        });

        test(`bundlers: ${bundler} builds the README's example, and leaves out code that it does not use`, async () => {
            build(mutexApp, commandTo('builds'));
            const dist = join(mutexApp, 'dist');
            const { outcome, scriptBytes } = await visitSite(dist, policy(dist));
            assert.equal(outcome, 2);
            assert.deepEqual(othersIn(scriptsIn(dist)), []);
            mutexBytes = scriptBytes;
        });

        test(`bundlers: ${bundler} builds an app that shares every class with workers`, async (t) => {
            const lines = [...configures, ...sets.map(commandTo)];
            const app = makeApp(`${bundler}-family`, { ...FAMILY, ...files }, lines);
            build(app, commandTo('builds'));
            const dist = join(app, 'dist');
            const { outcome, scriptBytes } = await visitSite(dist, policy(dist));
            assert.deepEqual(outcome, FAMILY_OUTCOME);
            assert.deepEqual(othersIn(scriptsIn(dist)), OTHERS);
            assert.ok(mutexBytes < scriptBytes);
            t.diagnostic(
                `${bundler}: the page loads ${mutexBytes} bytes of script (gzip) with Mutex alone, ${scriptBytes} with all`,
            );
        });

        for (const purpose of serves) {
            test(`bundlers: ${bundler} ${purpose} the README's example`, async () => {
                const server = await startDevServer(mutexApp, commandTo(purpose));
                try {
                    const { outcome } = await visit(browser, server.origin);
                    assert.equal(outcome, 2);
                } finally {
                    await server.close();
                }
            });
        }
    });
}

test('bundlers: the guide installs exactly the packages that are tested', () => {
    const { devDependencies } = JSON.parse(
        readFileSync(join(ROOT, 'tests/package/bundlers/package.json'), 'utf8'),
    );
    const checkers = ['@arethetypeswrong/cli', 'publint'];
    assert.deepEqual([...PACKAGES, ...checkers].sort(), Object.keys(devDependencies).sort());
});

test('bundlers: without a bundler, an import map finds the package for the page', async () => {
    const { files } = chapter('Without a bundler');
    const app = makeApp('plain', { ...readmeThreads(), ...files });
    const worker = join(app, 'worker.js');
    writeFileSync(
        worker,
        readFileSync(worker, 'utf8').replace("'holdfast'", "'/node_modules/holdfast/js-glue/index.js'"),
    );
    const { outcome } = await visitSite(app, policyFor(files['plain.html'] ?? ''), '/plain.html');
    assert.equal(outcome, 2);
});

for (const [bundler, { page, way }] of Object.entries({
    Vite: { page: FILE_PAGE, way: 'as the guide has it' },
    webpack: {
        page: FILE_PAGE.replace(/import file from .*\n/, '').replace(
            'fetch(file)',
            "fetch(new URL('holdfast/holdfast.wasm', import.meta.url))",
        ),
        way: 'by new URL()',
    },
})) {
    test(`bundlers: ${bundler} puts the module into a separate file, ${way}`, async () => {
        const { files, configures, commands } = chapter(bundler);
        const shown = page.replace('console.log(data)', 'globalThis.outcome = data');
        const app = makeApp(
            `${bundler}-file`,
            { ...readmeThreads(), ...files, 'page.js': shown, 'worker-with-file.js': FILE_WORKER },
            configures,
        );
        build(app, commands.builds ?? '');
        const dist = join(app, 'dist');
        const { outcome } = await visitSite(dist);
        assert.equal(outcome, 'the worker has locked');
        const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
            file.endsWith('.wasm'),
        );
        assert.equal(modules.length, 1);
    });
}

test('bundlers: if a policy forbids WebAssembly, the error says what to allow', async () => {
    const app = makeApp('forbidden', FORBIDDEN);
    const { outcome } = await visitSite(app, POLICY.replace(" 'wasm-unsafe-eval'", ''));
    assert.equal(outcome.code, 'HF_NO_WEBASSEMBLY');
    assert.match(outcome.message, /'wasm-unsafe-eval' to script-src/);
    assert.match(outcome.cause, /CompileError/);
});

test('package: publint finds nothing', () => {
    outputOf(['publint', 'run', '--strict', tarball], ROOT, ENVIRONMENT);
});

test('package: every kind of import and require() finds the types', () => {
    const words = ['attw', '--exclude-entrypoints', 'holdfast.wasm', '--', tarball];
    outputOf(words, ROOT, ENVIRONMENT);
});
