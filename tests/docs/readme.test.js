/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What the documents say: the facts and the code of the README, which is run as it stands, and all links. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { allDocuments, filesOf, ROOT, SHIPPED, textOf } from '../support/documents.js';
import { runCommandOf } from '../support/documents-run.js';

const SCRATCH = join(ROOT, 'build', 'readme');
/** Whose code is run here; tests/docs/documents.test.js has the others. */
const DOCUMENTS = ['README.md', 'docs/errors.md', 'docs/guide.md'];
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
 * Writes the block, with what a test needs around it, and runs it in Node.
 * @param {string} name
 * @param {{ as?: string, head?: string, tail?: string, options?: string[] }} [around]
 */
function runInNode(name, { as = name, head = '', tail = '', options = [] } = {}) {
    writeFileSync(join(SCRATCH, as), head + codeOf(name) + tail);
    return run(process.execPath, [...options, as]);
}

before(() => {
    rmSync(SCRATCH, { recursive: true, force: true });
    mkdirSync(join(SCRATCH, 'node_modules'), { recursive: true });
    symlinkSync(ROOT, join(SCRATCH, 'node_modules', 'holdfast'));
    // What Emscripten writes for Node is CommonJS.
    writeFileSync(join(SCRATCH, 'package.json'), '{ "type": "commonjs" }\n');
});

after(() => rmSync(SCRATCH, { recursive: true, force: true }));

test('readme: its facts and those of the guide are those of the build', () => {
    run(process.execPath, [join(ROOT, 'scripts', 'readme-facts.mjs'), '--check']);
});

test('readme: the page and its worker count to two', async () => {
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

test('readme: the two threads of Node count to two', () => {
    writeFileSync(join(SCRATCH, 'worker.mjs'), codeOf('worker.mjs'));
    const tail = "process.on('exit', () => console.log(counter[0]));\n";
    const { stdout, stderr } = runInNode('main.mjs', { tail });
    assert.match(stdout, /^[12]\n2\n$/);
    assert.equal(stderr, '');
});

test('readme: a timeout finds the request that waits for its own section', () => {
    const { stderr } = runInNode('find-the-place.mjs');
    assert.match(stderr, /^inner request: HF_TIMEOUT .*Other code of this thread holds it/);
});

test('readme: an observer prints who waited for a lock', () => {
    const { stdout } = runInNode('observe.mjs');
    // On a busy machine there may be a wait of some milliseconds, too.
    assert.match(stdout, /^(main: table: wait for \d+\.\d ms\n)?main: table: hold for \d+\.\d ms\n$/);
});

test('readme: the C program is compiled by the command, and JavaScript takes its lock', () => {
    writeFileSync(join(SCRATCH, 'main.c'), codeOf('main.c'));
    runCommandOf('README.md', 'H=', SCRATCH);
    const head = `import { createRequire } from 'node:module';
        const createProgram = createRequire(import.meta.url)('./program.js');\n`;
    const tail = `program._run_section();
        console.log(mutex.tryLock(), program._address_of_lock() === mutex.byteOffset);
        process.exit(0);\n`;
    // Emscripten 3.1.6 takes a global fetch for a sign of the web.
    const options = ['--no-experimental-fetch'];
    const { stdout } = runInNode('program-page.js', { as: 'program-page.mjs', head, tail, options });
    assert.equal(stdout, 'true true\n');
});

test('readme: every code of an error stands in docs/errors.md, and no other', () => {
    const glue = readdirSync(join(ROOT, 'js-glue'), { recursive: true, encoding: 'utf8' }).filter(
        (file) => file.endsWith('.js') && !file.endsWith('-bytes.js'),
    );
    const thrown = new Set(
        glue.flatMap((file) => textOf(`js-glue/${file}`).match(/(?<=')HF_[A-Z_]+(?=')/g) ?? []),
    );
    const listed = [...textOf('docs/errors.md').matchAll(/^\| `(HF_[A-Z_]+)` \|/gm)].map(([, name]) => name);
    assert.deepEqual(listed.sort(), [...thrown].sort());
});

/** @param {string} path from the root */
function isShipped(path) {
    const { files } = JSON.parse(textOf('package.json'));
    return [...files, 'README.md', 'LICENSE'].some((entry) => path === entry || path.startsWith(`${entry}/`));
}

/**
 * The anchors that a document's headings have.
 * @param {string} path
 */
function anchorsOf(path) {
    return [...textOf(path).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
            .toLowerCase()
            .replace(/[^\w\- ]/g, '')
            .replaceAll(' ', '-'),
    );
}

/**
 * What is wrong with the links of a document.
 * @param {string} document
 */
function wrongLinks(document) {
    return textOf(document)
        .split('\n\n')
        .flatMap((paragraph) =>
            [...paragraph.matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].flatMap((match) => {
                const [link, file, anchor = ''] = match;
                const target = file ? relative(ROOT, join(ROOT, dirname(document), file)) : document;
                const saysSo = paragraph.slice(0, match.index).includes('in the repository:');
                if (!existsSync(join(ROOT, target)) || (anchor && !anchorsOf(target).includes(anchor))) {
                    return [`${document}: ${link} leads nowhere`];
                }
                return isShipped(target) || saysSo || !isShipped(document)
                    ? []
                    : [`${document}: ${link} is not in the package`];
            }),
        );
}

test('readme: links lead somewhere, and in the package too unless they say that they do not', () => {
    assert.deepEqual(
        SHIPPED.filter((document) => !isShipped(document)),
        [],
    );
    assert.deepEqual(allDocuments().flatMap(wrongLinks), []);
});
