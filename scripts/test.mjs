/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runStep, setUp } from './setup.mjs';
import { purposeOf, testFilesOf } from './test-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// A test ends itself by its own watchdog, which can say what it waited for. This one is for the rest.
const TEST_TIMEOUT_MS = 10 * 60 * 1000;

/** These wait or compute, build nothing that others load, and compare no rates of threads by narrow bounds. */
const SIDE_BY_SIDE = /^tests\/(glue|verification)\//;

/**
 * @param {string[]} options of Node
 * @param {string[]} files
 * @param {number} atATime how many of them
 * @returns {Promise<number>} the exit code
 */
async function runTests(options, files, atATime) {
    const child = spawn(
        process.execPath,
        [
            '--test',
            '--test-reporter=spec',
            `--test-timeout=${TEST_TIMEOUT_MS}`,
            `--test-concurrency=${atATime}`,
            ...options,
            ...files,
        ],
        { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const [code] = await once(child, 'close');
    return code ?? 1;
}

/**
 * @param {string[]} options of Node
 * @param {string[]} files
 */
async function runAll(options, files) {
    const beside = files.filter((file) => SIDE_BY_SIDE.test(file));
    const alone = files.filter((file) => !beside.includes(file));
    const besideCode = beside.length > 0 ? await runTests(options, beside, 2) : 0;
    const aloneCode = alone.length > 0 ? await runTests(options, alone, 1) : 0;
    if (besideCode !== 0 && alone.length > 0) {
        console.error('test: some of tests/glue and tests/verification have failed, see above');
    }
    process.exitCode = besideCode || aloneCode;
}

/* `npm test -- tests/glue/mutex.test.js --test-name-pattern=wakes` sets up what these files need, and runs them with
 * these options. */
const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('-'));
const files = runStep('test', () => testFilesOf(words.filter((word) => !options.includes(word))));
runStep('setup', () => setUp(purposeOf(files)));
await runAll(options, files);
