/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/* The links of documents, in the repository or in an installed package: each leads to a file, and to a heading where it names one. */

const FENCED = /^```[^]*?^```$/gm;
const LINK = /\]\((?!https?:)([^)#]*)#?([^)]*)\)/g;

/** @param {string} file */
function proseOf(file) {
    return readFileSync(file, 'utf8').replace(FENCED, '');
}

/**
 * The anchors that a document's headings have, as GitHub and VitePress make them.
 *
 * @param {string} file
 */
function anchorsOf(file) {
    return [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
            .toLowerCase()
            .replace(/[^\w\- ]/g, '')
            .replaceAll(' ', '-'),
    );
}

/**
 * The defects of a document's links.
 *
 * @param {string} root
 * @param {string} document its path from there
 */
export function wrongLinks(root, document) {
    const file = join(root, document);
    const links = [...proseOf(file).matchAll(LINK)];
    return links.flatMap(([link, path = '', anchor = '']) => {
        const target = path === '' ? file : join(dirname(file), path);
        const leads = existsSync(target) && (anchor === '' || anchorsOf(target).includes(anchor));
        return leads ? [] : [`${document}: ${link} leads nowhere`];
    });
}
