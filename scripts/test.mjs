/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from './run-quietly.mjs';
import { runStep, setUp } from './setup.mjs';
import { purposeOf, testFilesOf } from './test-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// A test ends itself by its own watchdog, which can say what it waited for. This one is for the rest.
const TEST_TIMEOUT_MS = 10 * 60 * 1000;

/** These wait or compute. The others compare speeds, have a page that must not wait for a core, or share a folder. */
const SIDE_BY_SIDE =
    /^tests\/(glue|verification)\/|^tests\/browser\/(?!overtaking|page|pthread|requests|sqlite)|^tests\/docs\/(?!readme)|^tests\/package\/(?!emscripten-page)|^tests\/tools\/(?!bench|start)/;

const AT_A_TIME = 2;

/** Each of these installs what `npm pack` makes. */
const INSTALLS = /^tests\/package\/(?!dist|page-bytes)/;

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
    const besideCode = beside.length > 0 ? await runTests(options, beside, AT_A_TIME) : 0;
    const aloneCode = alone.length > 0 ? await runTests(options, alone, 1) : 0;
    if (besideCode !== 0 && alone.length > 0) {
        console.error('test: some of those that ran side by side have failed, see above');
    }
    process.exitCode = besideCode || aloneCode;
}

/** Packs once for all who install it. */
function pack() {
    const folder = join(ROOT, 'build', 'packed');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const { ok, output } = runQuietly(['npm', 'pack', '--silent', '--pack-destination', folder], {
        cwd: ROOT,
    });
    if (!ok) {
        throw new Error(`npm pack failed:\n${output}`);
    }
    process.env.HOLDFAST_PACKED = folder;
}

/* `npm test -- tests/glue/mutex.test.js --test-name-pattern=wakes` sets up what these files need, and runs them with
 * these options. */
const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('-'));
const files = runStep('test', () => testFilesOf(words.filter((word) => !options.includes(word))));
runStep('setup', () => setUp(purposeOf(files)));
if (files.filter((file) => INSTALLS.test(file)).length > 1) {
    runStep('setup', pack);
}
await runAll(options, files);
