/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { writeDocument } from './document.js';
import { EXCEPTIONS } from './exceptions.js';
import { fetchRuntime } from './fetch.js';
import { showLimit } from './limits.js';
import { failuresOf, rowsOf } from './results.js';
import { readCases, runFile } from './run-file.js';
import { RUNTIMES } from './runtimes.js';
import { SUITE } from './suite.js';
import { tableOfFiles, tableOfTests } from './table.js';

const WORDS = RUNTIMES.map(({ word }) => word);

const USAGE = `npm run test:runtimes -- [options] [files of the suite]
    --in RUNTIME   ${WORDS.join(', ')}; may be given several times (all)
    --reports      the table of what earlier runs left in build/runtimes/reports, which need not be one run
    --write        the table of all into docs/runtimes.md`;

class UsageError extends Error {}

function parseWords() {
    try {
        return parseArgs({
            options: {
                in: { type: 'string', multiple: true, default: WORDS },
                reports: { type: 'boolean', default: false },
                write: { type: 'boolean', default: false },
                help: { type: 'boolean', default: false },
            },
            allowPositionals: true,
        });
    } catch (error) {
        throw new UsageError(error instanceof Error ? error.message : String(error));
    }
}

/**
 * Chooses the named ones of all.
 *
 * @param {string[]} all
 * @param {string[]} named
 */
function choose(all, named) {
    const unknown = named.find((name) => !all.includes(name));
    if (unknown !== undefined) {
        throw new UsageError(`${unknown} is none of ${all.join(', ')}`);
    }
    return all.filter((name) => named.includes(name));
}

function parse() {
    const { values, positionals } = parseWords();
    const words = choose(WORDS, values.in);
    const files = choose(SUITE, positionals.length === 0 ? SUITE : positionals);
    if (values.write && words.length * files.length < WORDS.length * SUITE.length) {
        throw new UsageError('--write is for all runtimes and all files');
    }
    return { ...values, files, runtimes: RUNTIMES.filter(({ word }) => words.includes(word)) };
}

/**
 * @param {import('./runtimes.js').Runtime} runtime
 * @param {string} file
 */
function runAndTell(runtime, file) {
    const begin = performance.now();
    const cases = runFile(runtime, file);
    const passed = cases.filter(({ outcome }) => outcome === 'passed').length;
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.error(`${runtime.name}: ${file}: ${passed} of ${cases.length} passed, ${seconds} s`);
    return cases;
}

/**
 * @param {import('./runtimes.js').Runtime[]} runtimes
 * @returns {string[]} a message for each known limit (exceptions.js) that its runtime no longer has
 */
function changedLimits(runtimes) {
    return runtimes.flatMap((runtime) =>
        EXCEPTIONS.filter((exception) => exception.runtime === runtime.word).flatMap((exception) => {
            const { ok, output } = showLimit(exception, fetchRuntime(runtime), runtime);
            return ok ? [] : [`${runtime.name}: ${exception.name} is not so any more\n${output}`];
        }),
    );
}

function main() {
    const { runtimes, files, reports, write, help } = parse();
    if (help) {
        console.log(USAGE);
        return;
    }
    const rows = rowsOf(runtimes, files, reports ? readCases : runAndTell);
    console.log(tableOfTests(rows, runtimes));
    console.log(tableOfFiles(rows, runtimes));
    const faults = [...failuresOf(rows, runtimes), ...changedLimits(runtimes)];
    faults.forEach((fault) => console.error(`\n${fault}`));
    if (faults.length > 0) {
        process.exitCode = 1;
    } else if (write) {
        writeDocument(rows, runtimes);
    }
}

try {
    main();
} catch (error) {
    console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error);
    process.exitCode = 1;
}
