/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runStep, setUp } from './setup.mjs';
import { purposeOf, testFilesOf } from './test-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// A test ends itself by its own watchdog, which can say what it waited for. This one is for the rest.
const TEST_TIMEOUT_MS = 10 * 60 * 1000;

/**
 * @param {string[]} options of Node
 * @param {string[]} files
 */
function runTests(options, files) {
    const child = spawn(
        process.execPath,
        [
            '--test',
            '--test-reporter=spec',
            `--test-timeout=${TEST_TIMEOUT_MS}`,
            // One file at a time: the tests start many threads, and some compare rates.
            '--test-concurrency=1',
            ...options,
            ...files,
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

/* `npm test -- tests/glue/mutex.test.js --test-name-pattern=wakes` sets up what these files need, and runs them with
 * these options. */
const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('-'));
const files = runStep('test', () => testFilesOf(words.filter((word) => !options.includes(word))));
runStep('setup', () => setUp(purposeOf(files)));
runTests(options, files);
