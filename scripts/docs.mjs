/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from './run-quietly.mjs';
import { ensureNodeModules } from './setup.mjs';

/* Builds the documents' site into build/site: copies the pages to the site's paths, generates the API's pages from the sources,
 * and runs VitePress, which fails on a dead link. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'build', 'site-source');
const SITE = join(ROOT, 'build', 'site');
const GENERATOR = join(ROOT, 'docs', '.vitepress');
const HEADERS = 'c-src/include/holdfast';
const LIMIT_SECONDS = 300;

/** @param {string} folder from the root @param {string} ending @param {boolean} [recursive] */
function filesIn(folder, ending, recursive = false) {
    return readdirSync(join(ROOT, folder), { recursive, encoding: 'utf8' })
        .filter((file) => file.endsWith(ending) && !file.startsWith('.vitepress'))
        .map((file) => `${folder}/${file}`);
}

/**
 * The files whose path on the site differs from that in the repository.
 *
 * @returns {Map<string, string>} the site's paths by the repository's
 */
function sitePaths() {
    const documents = filesIn('docs', '.md', true).filter((file) => file !== 'docs/README.md');
    const pageOf = (/** @type {string} */ file) =>
        file.slice('docs/'.length).replace(/README\.md$/, 'index.md');
    return new Map([
        ['README.md', 'index.md'],
        ['CONTRIBUTING.md', 'contributing.md'],
        ['CHANGELOG.md', 'changelog.md'],
        ['SECURITY.md', 'security.md'],
        ...documents.map((file) => /** @type {[string, string]} */ ([file, pageOf(file)])),
        ...filesIn('docs/figures', '').map(figurePath),
        ['c-src/README.md', 'c/index.md'],
        ...filesIn(HEADERS, '.h').map(headerPath),
    ]);
}

/** @param {string} file @returns {[string, string]} */
function figurePath(file) {
    return [file, file.slice('docs/'.length)];
}

/** @param {string} file @returns {[string, string]} */
function headerPath(file) {
    return [file, `c/${basename(file, '.h')}.md`];
}

const LINK = /\[([^\]]*)\]\((?!https?:|#)([^)#]*)(#[^)]*)?\)/g;

/**
 * Rewrites a document's links for the site. A link to a file that is only in the repository becomes plain text. A dead link
 * stays, for VitePress to find.
 *
 * @param {string} file
 * @param {Map<string, string>} paths
 */
function withSiteLinks(file, paths) {
    const here = dirname(/** @type {string} */ (paths.get(file)));
    return readFileSync(join(ROOT, file), 'utf8').replace(LINK, (link, words, target, anchor = '') => {
        const path = join(dirname(file), target);
        const page = paths.get(path);
        if (page !== undefined) {
            return `[${words}](./${relative(here, page)}${anchor})`;
        }
        return existsSync(join(ROOT, path)) ? words : link;
    });
}

/** Makes a page of a header, whose comments are the contract. @param {string} file */
function headerPage(file) {
    const text = readFileSync(join(ROOT, file), 'utf8').replace(/^\/\* SPDX[^]*?\*\/\n/, '');
    return `# ${basename(file)}\n\n\`#include <holdfast/${basename(file)}>\`\n\n\`\`\`c\n${text}\`\`\`\n`;
}

/**
 * @param {string} file
 * @param {string} page
 * @param {Map<string, string>} paths
 */
function layOut(file, page, paths) {
    const target = join(SOURCE, page);
    mkdirSync(dirname(target), { recursive: true });
    if (file.endsWith('.md')) {
        writeFileSync(target, withSiteLinks(file, paths));
    } else if (file.endsWith('.h')) {
        writeFileSync(target, headerPage(file));
    } else {
        cpSync(join(ROOT, file), target);
    }
}

/**
 * @param {string} tool its program, in the packages of the generator
 * @param {string[]} args
 */
function run(tool, args) {
    const commandLine = [process.execPath, join(GENERATOR, 'node_modules', tool), ...args];
    const { ok, output } = runQuietly(commandLine, { cwd: ROOT, limitSeconds: LIMIT_SECONDS });
    if (!ok) {
        throw new Error(`${tool} failed:\n${output}`);
    }
}

ensureNodeModules(GENERATOR);
rmSync(SOURCE, { recursive: true, force: true });
rmSync(SITE, { recursive: true, force: true });
const paths = sitePaths();
paths.forEach((page, file) => layOut(file, page, paths));
run('typedoc/bin/typedoc', ['--options', join(GENERATOR, 'typedoc.json'), '--out', join(SOURCE, 'api')]);
run('vitepress/bin/vitepress.js', ['build', join(ROOT, 'docs')]);
console.log(`The site: ${relative(process.cwd(), join(SITE, 'index.html'))}`);
