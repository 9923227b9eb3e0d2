/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFiles, testsOfChange } from './changed-files.mjs';
import { runStep, setUp } from './setup.mjs';
import { allTestFiles, purposeOf, quickTestFiles, runsOf, testFilesOf } from './test-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// Most tests have a watchdog of their own, which prints what they waited for. This limit is for the others.
const FILE_TIMEOUT_MS = 10 * 60 * 1000;

/** Files that compare speeds, which another running file would change. The quick tier compares no speeds. */
const ALONE = /^tests\/browser\/(pthread|sqlite)|^tests\/package\/emscripten-page|^tests\/tools\/bench/;

/** How many files without a browser run at a time: they wait half of their time. One of each browser runs beside them. */
const AT_A_TIME = 3;

/** Files that count turns of other threads, which a second file would change. */
const COUNTED = /^tests\/browser\/overtaking/;

/** Files with a browser. */
const BROWSERS =
    /^tests\/browser\/|^tests\/(deaths|fuzz|stress)\/browser|^tests\/docs\/readme|^tests\/package\/(bundlers|emscripten-page|react)/;

/** Beside Firefox's tests: files whose browsers are their own, or Firefox. Chromium's stream has the others. */
const BESIDE_CHROMIUM = / in firefox$|^tests\/browser\/(cached|hidden|launch)\.test/;

/** The files that run together by this name. @param {string} name */
const partsOf = (name) =>
    isQuick ? files.filter((file) => file !== name && runsOf(file).includes(name)) : [];

/** The names by which a file runs. @param {string} file */
const namesOf = (file) => (isQuick ? runsOf(file) : [file]);

/** The longest files begin first, so that none of them runs alone at the end. */
const LONGEST = [
    'tests/browser/* in chromium',
    'tests/browser/* in firefox',
    'tests/verification/native-sanitized.test.js',
    'tests/glue/*',
    'tests/glue/deadlocks.test.js',
    'tests/verification/*',
    'tests/glue/abandoned.test.js',
    'tests/docs/documents.test.js',
    'tests/glue/debug.test.js',
    'tests/deaths/deaths.test.js',
    'tests/package/emscripten-async.test.js',
    'tests/glue/recoverable.test.js',
    'tests/package/emscripten.test.js',
    'tests/verification/specification.test.js',
    'tests/glue/overtaking.test.js',
    'tests/glue/keyed-deaths.test.js',
    'tests/glue/web-locks-shared.test.js',
    'tests/glue/hangs.test.js',
    'tests/glue/* without limits',
    'tests/package/package.test.js',
    'tests/package/emscripten-pthread.test.js',
    'tests/package/c-headers.test.js',
    'tests/tools/house.test.js',
    'tests/verification/schedules.test.js',
];

/** Browsers that several programs can share, one after the other. */
const BROWSER_NAMES = /** @type {const} */ (['chromium', 'firefox']);

/** Tests that need what `npm pack` makes: the tarball, or the types. */
const INSTALLS = /^tests\/package\/(bundlers|c-library|emscripten-page|hovers|next|package|react)\.test/;

/** @typedef {{ file: string, code: number, output: string, isShown: boolean }} Run a file's exit code, and its report */

/**
 * @param {string} file
 * @param {string[]} options of Node
 * @param {Record<string, string>} environment
 * @param {boolean} isShown whether its report is printed while it runs
 * @returns {Promise<Run>}
 */
async function runFile(file, options, environment, isShown) {
    const parts = partsOf(file);
    const [, browser] = / in (\w+)$/.exec(file) ?? [];
    const program = parts.length > 0 ? ['scripts/test-together.mjs', ...parts] : [file];
    const child = spawn(process.execPath, ['--test-reporter=spec', ...options, ...program], {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...environment, ...(browser && { HOLDFAST_BROWSERS: browser }) },
        timeout: FILE_TIMEOUT_MS * Math.max(parts.length, 1),
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
 * Runs the files of a queue one after the other, and prints each report when it is complete.
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
 * @param {(file: string) => Promise<Run>} run
 */
async function runSideBySide(files, run) {
    const sorted = files.toSorted((one, other) => rankOf(one) - rankOf(other));
    const browsers = sorted.filter((file) => BROWSERS.test(file));
    const others = sorted.filter((file) => !BROWSERS.test(file));
    const runOthers = () => runQueue(others, run);
    const isBeside = (/** @type {string} */ file) => isQuick && BESIDE_CHROMIUM.test(file);
    const streams = [browsers.filter((file) => !isBeside(file)), browsers.filter(isBeside)].map(
        async (queue) => [...(await runQueue(queue, run)), ...(await runOthers())],
    );
    return (await Promise.all([...streams, ...Array.from({ length: AT_A_TIME }, runOthers)])).flat();
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

/**
 * Prints what Node's test runner prints at its end, for all files. Failures come last, since some logs keep only the last lines.
 *
 * @param {Run[]} runs
 * @param {number} duration milliseconds
 */
function printEnd(runs, duration) {
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
    console.log(`ℹ duration_ms ${duration}`);
    for (const { file, output } of runs.filter(({ code }) => code !== 0)) {
        console.log(`\n▶ ${file}\n${output.slice(Math.max(0, output.lastIndexOf(FAILURES)))}`);
    }
}

/**
 * @param {string[]} options of Node
 * @param {string[]} files
 */
async function runAll(options, files) {
    const alone = files.filter((file) => COUNTED.test(file) || (!isQuick && ALONE.test(file)));
    const beside = [...new Set(files.filter((file) => !alone.includes(file)).flatMap(namesOf))];
    const isOne = alone.length + beside.length === 1;
    // A single file starts its browsers itself.
    const hasBrowsers = files.filter((file) => BROWSERS.test(file)).length > 1;
    const shared = hasBrowsers ? startBrowsers() : Promise.resolve([]);
    const environment = shared.then((all) => Object.assign({}, ...all.map((one) => one.environment)));
    const packed = files.filter((file) => INSTALLS.test(file)).length > 1 ? pack() : Promise.resolve();
    const run = async (/** @type {string} */ file) => {
        await (INSTALLS.test(file) && packed);
        return runFile(file, options, BROWSERS.test(file) ? await environment : {}, isOne);
    };
    const start = performance.now();
    const runs = [...(await runSideBySide(beside, run)), ...(await runQueue(alone, run))];
    if (!isOne) {
        printEnd(runs, performance.now() - start);
    }
    (await shared).forEach(({ end }) => end());
    process.exitCode = runs.find(({ code }) => code !== 0)?.code ?? 0;
}

/** Packs the package once for all tests that install it. If that fails, each of them tries it, and says why. */
async function pack() {
    const folder = join(ROOT, 'build', 'packed');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const words = ['pack', '--silent', '--pack-destination', folder];
    const [code] = await once(spawn('npm', words, { cwd: ROOT, stdio: 'ignore' }), 'close');
    if (code === 0) {
        process.env.HOLDFAST_PACKED = folder;
    }
}

/** Bundles the programs of threads once for all tests. */
async function bundleThreads() {
    const { bundlePrograms } = await import('../tests/support/one-file.js');
    const folder = join(ROOT, 'build', 'programs');
    rmSync(folder, { recursive: true, force: true });
    bundlePrograms(folder);
    process.env.HOLDFAST_PROGRAMS = folder;
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
process.env.EMCC_SKIP_SANITY_CHECK = '1'; // the set-up may have used the compiler
if (isQuick) {
    await bundleThreads();
}
const timesFile = join(ROOT, 'build', 'test-times.jsonl');
await runAll(words.includes(TIMES) ? [...options, ...recordTimes(timesFile)] : options, files);
if (words.includes(TIMES)) {
    printTimes(timesFile);
}
