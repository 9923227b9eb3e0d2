/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFiles, testsOfChange } from './changed-files.mjs';
import { runQuietly } from './run-quietly.mjs';
import { runStep, setUp } from './setup.mjs';
import { allTestFiles, purposeOf, quickTestFiles, testFilesOf } from './test-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// Most tests have their own watchdog, which can say what they waited for. This limit is for the others.
const FILE_TIMEOUT_MS = 20 * 60 * 1000;

/** Files that compare speeds, which another file beside them would change. The quick tier compares none. */
const ALONE = /^tests\/browser\/(pthread|sqlite)|^tests\/package\/emscripten-page|^tests\/tools\/bench/;

/** How many files run at a time: they wait half of their time. */
const AT_A_TIME = 6;

/** How many of them have a browser: those of a lane share one of each kind. */
const BROWSER_LANES = 2;

/** Files whose pages must get their turns among workers that hammer: one of them at a time. */
const HAMMERED = /^tests\/browser\/(family|page|threads)/;

/** Counts of turns in other threads' rounds, which a second file would change. */
const COUNTED = /^tests\/browser\/overtaking/;

/** Files with a browser. */
const BROWSERS =
    /^tests\/browser\/|^tests\/(deaths|fuzz|stress)\/browser|^tests\/docs\/readme|^tests\/package\/(bundlers|emscripten-page|react)/;

/** The longest files begin first, so that none of them runs alone at the end. */
const LONGEST = [
    'tests/browser/threads.test.js',
    'tests/browser/family.test.js',
    'tests/browser/callbacks.test.js',
    'tests/verification/native-sanitized.test.js',
    'tests/package/emscripten.test.js',
    'tests/docs/documents.test.js',
    'tests/package/package.test.js',
    'tests/package/emscripten-async.test.js',
    'tests/package/c-headers.test.js',
    'tests/glue/abandoned.test.js',
    'tests/glue/recoverable.test.js',
    'tests/tools/house.test.js',
];

/** Browsers that several programs can share, one after the other. */
const BROWSER_NAMES = /** @type {const} */ (['chromium', 'firefox']);

/** Tests that install the tarball of `npm pack`. */
const INSTALLS = /^tests\/package\/(?!dist|page-bytes)/;

/** @typedef {{ file: string, code: number, output: string, isShown: boolean }} Run a file's exit code, and its report */

/**
 * @param {string} file
 * @param {string[]} options of Node
 * @param {Record<string, string>} environment
 * @param {boolean} isShown whether its report is printed while it runs
 * @returns {Promise<Run>}
 */
async function runFile(file, options, environment, isShown) {
    const child = spawn(process.execPath, ['--test-reporter=spec', ...options, file], {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...environment },
        timeout: FILE_TIMEOUT_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
            output += text;
            if (isShown) {
                process.stdout.write(text);
            }
        });
    }
    const [code, signal] = await once(child, 'close');
    return { file, code: code ?? 1, output: signal ? `${output}✖ ended by ${signal}\n` : output, isShown };
}

/** The counts at the end of a report. */
const COUNT = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo) (\d+)\n/gm;
const DURATION = /^ℹ duration_ms .*\n/m;

/**
 * Runs the files of a queue one after the other, and prints each report when it is whole.
 *
 * @param {string[]} queue of which others may take files meanwhile
 * @param {(file: string) => Promise<Run>} run
 */
async function runQueue(queue, run) {
    /** @type {Run[]} */
    const runs = [];
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
        const ended = await run(file);
        if (!ended.isShown) {
            process.stdout.write(`▶ ${file}\n${ended.output.replace(COUNT, '').replace(DURATION, '')}`);
        }
        runs.push(ended);
    }
    return runs;
}

/** @param {string} file */
const rankOf = (file) => (LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length);

/**
 * @param {string[]} files
 * @param {Promise<Record<string, string>>[]} environments of the lanes with browsers
 * @param {(file: string, environment?: Record<string, string>) => Promise<Run>} run
 */
async function runInLanes(files, environments, run) {
    const sorted = files.toSorted((one, other) => rankOf(one) - rankOf(other));
    const hammered = sorted.filter((file) => HAMMERED.test(file));
    const browsers = sorted.filter((file) => BROWSERS.test(file) && !hammered.includes(file));
    const others = sorted.filter((file) => !BROWSERS.test(file));
    const runOthers = () => runQueue(others, (file) => run(file));
    const lanes = Array.from({ length: AT_A_TIME - environments.length }, runOthers);
    const withBrowser = environments.map(async (environment, lane) => {
        const runOne = async (/** @type {string} */ file) => run(file, await environment);
        return [
            ...(lane === 0 ? await runQueue(hammered, runOne) : []),
            ...(await runQueue(browsers, runOne)),
            ...(await runOthers()),
        ];
    });
    return (await Promise.all([...lanes, ...withBrowser])).flat();
}

/** Starts the browsers that files share. If a browser is missing, each file says so itself. */
async function startBrowsers() {
    const { launchBrowser } = await import('../browsers/launch.js');
    const { share } = await import('../browsers/shared.js');
    const starts = BROWSER_NAMES.map(async (name) => share(name, await launchBrowser(name)));
    return (await Promise.allSettled(starts)).flatMap((start) => ('value' in start ? start.value : []));
}

/** The heading of the reporter's last part, which has each failure with its error. */
const FAILURES = '✖ failing tests:';

/** Prints the failures of all files at the end, since some logs keep only the last lines. @param {Run[]} runs */
function printEnd(runs) {
    /** @type {Record<string, number>} */
    const counts = {};
    for (const { output } of runs) {
        for (const [, what = '', count] of output.matchAll(COUNT)) {
            counts[what] = (counts[what] ?? 0) + Number(count);
        }
    }
    for (const [what, count] of Object.entries(counts)) {
        console.log(`ℹ ${what} ${count}`);
    }
    for (const { file, output } of runs.filter(({ code }) => code !== 0)) {
        console.log(`\n▶ ${file}\n${output.slice(Math.max(0, output.lastIndexOf(FAILURES)))}`);
    }
}

/**
 * @param {string[]} options of Node
 * @param {string[]} files
 */
async function runAll(options, files) {
    const run = (/** @type {string} */ file, environment = {}) =>
        runFile(file, options, environment, files.length === 1);
    const browserCount = files.filter((file) => BROWSERS.test(file)).length;
    // A single file starts its browsers itself.
    const shared = Array.from({ length: BROWSER_LANES }, (_, lane) =>
        browserCount > 2 * lane + 1 ? startBrowsers() : Promise.resolve([]),
    );
    const environments = shared.map(async (lane) =>
        Object.assign({}, ...(await lane).map(({ environment }) => environment)),
    );
    const runAlone = async (/** @type {string} */ file) =>
        run(file, BROWSERS.test(file) ? await environments[0] : {});
    const alone = files.filter((file) => COUNTED.test(file) || (!isQuick && ALONE.test(file)));
    const beside = files.filter((file) => !alone.includes(file));
    const runs = [...(await runInLanes(beside, environments, run)), ...(await runQueue(alone, runAlone))];
    if (files.length > 1) {
        printEnd(runs);
    }
    (await Promise.all(shared)).flat().forEach(({ end }) => end());
    process.exitCode = runs.find(({ code }) => code !== 0)?.code ?? 0;
}

/** Packs the package once for all tests that install it. */
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

/** Makes each test file add a line to the file when it ends (test-times.mjs). @param {string} file */
function recordTimes(file) {
    rmSync(file, { force: true });
    process.env.HOLDFAST_TEST_TIMES = file;
    return ['--import', './scripts/test-times.mjs'];
}

/** @param {string} file that `recordTimes` has named */
function printTimes(file) {
    const times = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    times.sort((one, other) => other.cpuSeconds - one.cpuSeconds);
    const sum = (/** @type {string} */ key) => times.reduce((total, each) => total + each[key], 0);
    const all = { file: 'all', cpuSeconds: sum('cpuSeconds'), wallSeconds: sum('wallSeconds') };
    console.log('\n| test file | processor, s | wall, s |\n|---|--:|--:|');
    for (const { file, cpuSeconds, wallSeconds } of [...times, all]) {
        console.log(`| \`${file}\` | ${cpuSeconds.toFixed(1)} | ${wallSeconds.toFixed(1)} |`);
    }
}

/* `npm test -- tests/glue/mutex.test.js --test-name-pattern=wakes` sets up what these files need, and runs them with
 * these options. Without names `npm test` runs the quick tier; with `--changed`, those of its files that a change affects; with
 * `--all`, all files. `--times` prints at the end how long each file took. */
const words = process.argv.slice(2);
const [ALL, CHANGED, TIMES] = ['--all', '--changed', '--times'];
const names = words.filter((word) => !word.startsWith('-'));
const options = words.filter((word) => word.startsWith('-') && ![ALL, CHANGED, TIMES].includes(word));
const isQuick = names.length === 0 && !words.includes(ALL);
if (isQuick) {
    process.env.HOLDFAST_QUICK = '1'; // tests/support/tier.js
}
const files = runStep('test', () => {
    const some = names.length > 0 ? testFilesOf(names) : isQuick ? quickTestFiles() : allTestFiles();
    return words.includes(CHANGED) ? testsOfChange(changedFiles(), some) : some;
});
runStep('setup', () => setUp(purposeOf(files)));
process.env.EMCC_SKIP_SANITY_CHECK = '1'; // the set-up has used the compiler
if (files.filter((file) => INSTALLS.test(file)).length > 1) {
    runStep('setup', pack);
}
const timesFile = join(ROOT, 'build', 'test-times.jsonl');
await runAll(words.includes(TIMES) ? [...options, ...recordTimes(timesFile)] : options, files);
if (words.includes(TIMES)) {
    printTimes(timesFile);
}
