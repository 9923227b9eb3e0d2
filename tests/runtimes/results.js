/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { exceptionFor } from './exceptions.js';
import { judge } from './verdict.js';

/* The results of all files in all runtimes, as rows of tests. */

/** @typedef {import('./runtimes.js').Runtime} Runtime */
/** @typedef {import('./junit.js').Case} Case */

/**
 * @typedef {object} Row a test
 * @property {string} file
 * @property {string} title
 * @property {import('./verdict.js').Verdict[]} verdicts one a runtime
 */

/** @param {Case[]} cases */
function byTitle(cases) {
    const map = new Map(cases.map((ran) => [ran.title, ran]));
    if (map.size < cases.length) {
        throw new Error(
            `two tests have one title: ${cases.find((ran) => map.get(ran.title) !== ran)?.title}`,
        );
    }
    return map;
}

/**
 * @param {Runtime[]} runtimes
 * @param {string[]} files
 * @param {(runtime: Runtime, file: string) => Case[]} casesOf
 * @returns {Row[]}
 */
export function rowsOf(runtimes, files, casesOf) {
    const columns = runtimes.map(
        (runtime) => new Map(files.map((file) => [file, byTitle(casesOf(runtime, file))])),
    );
    return files.flatMap((file) => {
        // Every runtime must have run each test that one of them ran.
        const titles = new Set(columns.flatMap((column) => [...(column.get(file)?.keys() ?? [])]));
        return [...titles].map((title) => ({
            file,
            title,
            verdicts: runtimes.map(({ word }, at) =>
                judge(columns[at]?.get(file)?.get(title), exceptionFor(word, title)),
            ),
        }));
    });
}

/** @param {Row[]} rows @param {Runtime[]} runtimes */
export function failuresOf(rows, runtimes) {
    return rows.flatMap(({ file, title, verdicts }) =>
        verdicts.flatMap(({ is, words }, at) =>
            is === 'failed' ? [`${runtimes[at]?.name}, ${file}: ${title}\n${words}`] : [],
        ),
    );
}
