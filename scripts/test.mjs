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
const TEST_TIMEOUT_MS = 10 * 60 * 1000;

/** Tests that wait or compute, and can run side by side. The others compare speeds, have a page that must not wait for a core, or
 * share a folder. */
const SIDE_BY_SIDE =
    /^tests\/(fuzz|glue|stress|verification)\/|^tests\/browser\/(?!overtaking|pthread|sqlite)|^tests\/docs\/(?!readme)|^tests\/package\/(?!emscripten-page)|^tests\/runtimes\/(?!report)|^tests\/tools\/(?!start)/;

/** How many files run at a time: they wait half of their time. */
const AT_A_TIME = 4;

/** Files with a browser. */
const BROWSERS =
    /^tests\/browser\/|^tests\/(deaths|fuzz|stress)\/browser|^tests\/docs\/readme|^tests\/package\/(bundlers|emscripten-page|react)/;

/** The longest file without a browser: begun first, since Node runs files in the order of their names. */
const LONGEST = /native-sanitized/;

/** Browsers that several programs can share, one after the other. */
const BROWSER_NAMES = /** @type {const} */ (['chromium', 'firefox']);

/** Tests that install the tarball of `npm pack`. */
const INSTALLS = /^tests\/package\/(?!dist|page-bytes)/;

/**
 * @param {string[]} options of Node
 * @param {string[]} files
 * @param {number} atATime how many of them
 * @param {boolean} [isShown] whether it prints at once
 * @param {Record<string, string>} [environment]
 * @returns {Promise<{ code: number, output: string }>} the exit code, and what it printed
 */
async function runTests(options, files, atATime, isShown = true, environment = {}) {
    if (files.length === 0) {
        return { code: 0, output: '' };
    }
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
        { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...environment } },
    );
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (isShown) {
            process.stdout.write(text);
        }
    });
    const [code] = await once(child, 'close');
    return { code: code ?? 1, output };
}

/**
 * Runs the files with a browser one after the other, beside the files without one.
 *
 * @param {string[]} options of Node
 * @param {string[]} files
 * @param {number} atATime how many of the files without a browser
 * @param {Promise<Record<string, string>>} environment of the files with a browser, if they run one after the other
 */
async function runBoth(options, files, atATime, environment) {
    const browsers = files.filter((file) => BROWSERS.test(file));
    const longest = files.filter((file) => LONGEST.test(file));
    const others = files.filter((file) => !browsers.includes(file) && !longest.includes(file));
    const isBoth = browsers.length > 0 && others.length > 0;
    const browsersAtATime = isBoth ? 1 : atATime;
    const isShared = browsers.length > 0 && browsersAtATime === 1;
    const runs = await Promise.all([
        runTests(options, others, atATime),
        runTests(options, browsers, browsersAtATime, !isBoth, isShared ? await environment : {}),
        runTests(options, longest, 1, others.length === 0),
    ]);
    if (isBoth) {
        process.stdout.write(runs[1].output);
    }
    if (others.length > 0) {
        process.stdout.write(runs[2].output);
    }
    return runs;
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
 * @param {string[]} options of Node
 * @param {string[]} files
 */
async function runAll(options, files) {
    const alone = files.filter((file) => !SIDE_BY_SIDE.test(file));
    const beside = files.filter((file) => !alone.includes(file));
    const shared =
        files.filter((file) => BROWSERS.test(file)).length > 1 ? startBrowsers() : Promise.resolve([]);
    const environment = shared.then((all) => Object.assign({}, ...all.map((one) => one.environment)));
    const runs = [
        ...(await runBoth(options, beside, AT_A_TIME, environment)),
        // These have a core each.
        ...(await runBoth(options, alone, 1, environment)),
    ];
    (await shared).forEach(({ end }) => end());
    const last = runs.findLast(({ output }) => output !== '');
    // Prints the failures of earlier runs at the end, since some logs keep only the last lines.
    for (const { output } of runs.filter((run) => run.code !== 0 && run !== last)) {
        process.stdout.write(`\n${output.slice(output.lastIndexOf(FAILURES))}`);
    }
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
