/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runStep, setUp } from './setup.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// A test ends itself by its own watchdog, which can say what it waited for. This one is for the rest.
const TEST_TIMEOUT_MS = 10 * 60 * 1000;

/** Node 20 knows no globs here, and its own search would run the files that tests start in their threads. */
function allTestFiles() {
    return readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.js'))
        .sort()
        .map((file) => join('tests', file));
}

/**
 * `npm test -- tests/glue/mutex.test.js --test-name-pattern=wakes` runs these files with these options.
 * @param {string[]} words
 */
function splitArguments(words) {
    return {
        options: words.filter((word) => word.startsWith('-')),
        files: words.filter((word) => !word.startsWith('-')),
    };
}

/** @param {string[]} words */
function runTests(words) {
    const { options, files } = splitArguments(words);
    const child = spawn(
        process.execPath,
        [
            '--test',
            '--test-reporter=spec',
            `--test-timeout=${TEST_TIMEOUT_MS}`,
            // One file at a time: the tests start many threads, and some compare rates.
            '--test-concurrency=1',
            ...options,
            ...(files.length > 0 ? files : allTestFiles()),
        ],
        { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
    );
    child.on('error', (error) => {
        throw error;
    });
    child.on('close', (code) => {
        process.exitCode = code ?? 1;
    });
}

runStep(() => setUp('test'));
runTests(process.argv.slice(2));
