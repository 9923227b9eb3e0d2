/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Rows as Markdown, which the command prints and the document holds. */

/** @typedef {import('./results.js').Row} Row */
/** @typedef {import('./runtimes.js').Runtime} Runtime */

/** @param {import('./verdict.js').Verdict} verdict */
function cellOf({ is, words }) {
    return { passed: '✓', excepted: words, failed: '**failed**' }[is];
}

/** @param {string[]} cells */
const line = (cells) => `| ${cells.join(' | ')} |\n`;

/** @param {string} first @param {Runtime[]} runtimes */
function headOf(first, runtimes) {
    return line([first, ...runtimes.map(({ name }) => name)]) + line(['---', ...runtimes.map(() => '---')]);
}

/** @param {string} text of a title, which may have a bar */
const escaped = (text) => text.replaceAll('|', '\\|');

/**
 * A row a test, a table a file.
 *
 * @param {Row[]} rows
 * @param {Runtime[]} runtimes
 */
export function tableOfTests(rows, runtimes) {
    const files = new Set(rows.map(({ file }) => file));
    return [...files]
        .map((file) => {
            const lines = rows
                .filter((row) => row.file === file)
                .map(({ title, verdicts }) => line([escaped(title), ...verdicts.map(cellOf)]));
            return `### ${file}\n\n${headOf('test', runtimes)}${lines.join('')}`;
        })
        .join('\n');
}

/**
 * The numbers of a file's tests that passed, are excepted, or failed.
 *
 * @param {import('./verdict.js').Verdict[]} verdicts of one runtime
 */
function countsOf(verdicts) {
    const count = (/** @type {string} */ kind) => verdicts.filter(({ is }) => is === kind).length;
    const parts = [
        `${count('passed')} ✓`,
        count('excepted') > 0 ? `${count('excepted')} excepted` : '',
        count('failed') > 0 ? `**${count('failed')} failed**` : '',
    ];
    return parts.filter((part) => part !== '').join(', ');
}

/**
 * A row for each file with results that differ between runtimes, and a list of the other files.
 *
 * @param {Row[]} rows
 * @param {Runtime[]} runtimes
 */
export function tableOfFiles(rows, runtimes) {
    const cells = (/** @type {Row[]} */ some) =>
        runtimes.map((_, at) => countsOf(some.flatMap(({ verdicts }) => verdicts[at] ?? [])));
    const results = [...new Set(rows.map(({ file }) => file))].map((file) => ({
        file,
        counts: cells(rows.filter((row) => row.file === file)),
    }));
    const isAlike = (/** @type {{ counts: string[] }} */ { counts }) => new Set(counts).size === 1;
    const alike = results.filter(isAlike).map(({ file, counts: [count = ''] }) => `\`${file}\` ${count}`);
    return (
        headOf('file', runtimes) +
        line(['version', ...runtimes.map(({ version }) => version)]) +
        results
            .filter((result) => !isAlike(result))
            .map(({ file, counts }) => line([file, ...counts]))
            .join('') +
        line(['**all**', ...cells(rows)]) +
        (alike.length > 0 ? `\nAlike in all runtimes:\n${alike.join(',\n')}.\n` : '')
    );
}
