/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/* The site that `npm run docs` builds, from the pages that scripts/docs.mjs has laid out. */

const BUILD = fileURLToPath(new URL('../../build/', import.meta.url));
const SOURCE = `${BUILD}site-source`;

/**
 * A link to each page that is generated in a folder.
 *
 * @param {string} folder
 * @param {RegExp} kind of page, by its path in there
 */
function pagesOf(folder, kind) {
    return readdirSync(`${SOURCE}/${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((file) => kind.test(file))
        .sort()
        .map((file) => ({ text: basename(file, '.md'), link: `/${folder}/${file.replace(/\.md$/, '')}` }));
}

export default {
    title: 'holdfast',
    description: "Locks for the web's threads",
    srcDir: SOURCE,
    outDir: `${BUILD}site`,
    cacheDir: `${BUILD}site-cache`,
    ignoreDeadLinks: false,
    themeConfig: {
        search: { provider: 'local' },
        outline: [2, 3],
        sidebar: [
            {
                text: 'Start',
                items: [
                    { text: 'holdfast', link: '/' },
                    { text: 'On a page', link: '/start/page' },
                    { text: 'In Node', link: '/start/node' },
                    { text: 'In React', link: '/start/react' },
                    { text: 'In an Emscripten program', link: '/start/emscripten' },
                    { text: 'In a C program', link: '/start/c' },
                    { text: 'In a module without Emscripten', link: '/start/freestanding' },
                ],
            },
            {
                text: 'Use',
                items: [
                    { text: 'Guide', link: '/guide' },
                    { text: 'Bundlers', link: '/bundlers' },
                    { text: 'When a program hangs', link: '/debugging' },
                    { text: 'Where may I block?', link: '/blocking' },
                    { text: 'Cross-origin isolation', link: '/isolation' },
                    { text: 'Recipes', link: '/recipes' },
                    { text: 'Testing code that uses holdfast', link: '/testing' },
                    { text: 'Coming from another lock', link: '/migration' },
                    { text: 'Errors', link: '/errors' },
                    { text: 'Examples', link: '/examples/' },
                ],
            },
            {
                text: 'JavaScript API',
                link: '/api/',
                collapsed: true,
                items: pagesOf('api', /(classes|functions)\/\w+\.md$/),
            },
            { text: 'C API', link: '/c/', collapsed: true, items: pagesOf('c', /^(?!index)\w+\.md$/) },
            {
                text: 'Project',
                items: [
                    { text: 'Figures', link: '/benchmarks' },
                    { text: 'Verification', link: '/verification' },
                    { text: 'Runtimes', link: '/runtimes' },
                    { text: 'Contributing', link: '/contributing' },
                    { text: 'Releasing', link: '/releasing' },
                    { text: 'Security', link: '/security' },
                    { text: 'Changelog', link: '/changelog' },
                ],
            },
        ],
    },
};
