/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    copyFileSync,
    existsSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    realpathSync,
    statSync,
    writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneAtATime } from './one-at-a-time.mjs';
import { runQuietly } from './run-quietly.mjs';
import {
    BENCH_NEEDS,
    BUILD_NEEDS,
    MEASURED_BROWSERS,
    TEST_NEEDS,
    VERIFY_NEEDS,
    ensureSystemPackages,
    installWherePossible,
} from './system-packages.mjs';

// Only Node's own modules may be imported here and below: this runs before there is a node_modules.

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export const NEEDS_OF_PURPOSE = {
    build: BUILD_NEEDS,
    start: BUILD_NEEDS,
    bench: BENCH_NEEDS,
    verify: VERIFY_NEEDS,
    test: TEST_NEEDS,
    all: TEST_NEEDS,
};

/** @typedef {keyof typeof NEEDS_OF_PURPOSE} Purpose */

/** @param {string} step */
function announce(step) {
    // Standard error: standard output has only what a command prints for other programs.
    process.stderr.write(`setup: ${step}\n`);
}

/**
 * @param {string[]} commandLine
 * @param {string} [cwd]
 */
function runOrThrow(commandLine, cwd = ROOT) {
    const { ok, output } = runQuietly(commandLine, { cwd });
    if (!ok) {
        throw new Error(`${commandLine.join(' ')} failed:\n${output}`);
    }
}

/** @param {string} file */
function read(file) {
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * Installs the packages of a folder's lock file, unless that was done since the file last changed.
 * @param {string} folder
 */
export function ensureNodeModules(folder) {
    const lock = join(folder, 'package-lock.json');
    // A copy of the lock file, which the last install has left, describes node_modules.
    const installedLock = join(folder, 'node_modules', '.holdfast-package-lock.json');
    const isInstalled = () => read(lock) === read(installedLock);
    if (isInstalled()) {
        return;
    }
    oneAtATime(join(folder, '.installs'), () => {
        if (isInstalled()) {
            return; // another process has installed them meanwhile
        }
        announce(`installing ${join(relative(ROOT, folder), 'node_modules')}`);
        // The tools are development dependencies, and NODE_ENV=production would leave them out.
        runOrThrow(['npm', 'ci', '--include=dev', '--no-audit', '--no-fund'], folder);
        copyFileSync(lock, installedLock);
    });
}

/** @param {string} file */
function changedAt(file) {
    return existsSync(file) ? statSync(file).mtimeMs : -Infinity;
}

/**
 * Configures a CMake preset unless that was done since the presets last changed. Changes of CMakeLists.txt
 * are seen by the build itself.
 * @param {string} preset
 */
export function ensureConfigured(preset) {
    const cache = join(ROOT, 'build', preset, 'build.ninja');
    mkdirSync(join(ROOT, 'build'), { recursive: true });
    oneAtATime(join(ROOT, 'build', `${preset}.configures`), () => {
        if (changedAt(cache) <= changedAt(join(ROOT, 'CMakePresets.json'))) {
            announce(`configuring build/${preset}`);
            runOrThrow(['cmake', '--preset', preset]);
        }
    });
}

/** @type {Record<Purpose, string[]>} CMake presets; `npm run test:all` runs the benchmarks too */
const BUILDS_OF_PURPOSE = {
    build: ['wasm'],
    start: ['wasm'],
    bench: ['wasm', 'bench-wasm', 'bench-native'],
    verify: ['wasm'],
    test: ['wasm'],
    all: ['wasm', 'bench-wasm', 'bench-native'],
};

/** @param {string} preset */
function build(preset) {
    ensureConfigured(preset);
    runOrThrow(['cmake', '--build', '--preset', preset]);
}

/** The outputs of the build, and its sources: files, and whole folders. */
const BUILT = ['dist', 'wasm', 'emscripten/holdfast-library.js'];
const SOURCES = ['c-src', 'cmake', 'js-glue', 'scripts', 'emscripten', 'benchmarks'];
const SETTINGS = ['package.json', 'package-lock.json', 'CMakeLists.txt', 'CMakePresets.json'];

/** Matches the built files in folders that also contain sources. */
const IS_BUILT = /-bytes\.js$|holdfast-library\.js$/;

/** @param {string} path @returns {string[]} */
function filesIn(path) {
    if (!existsSync(join(ROOT, path))) {
        return [];
    }
    return statSync(join(ROOT, path)).isDirectory()
        ? readdirSync(join(ROOT, path)).flatMap((name) => filesIn(join(path, name)))
        : [path];
}

/** @param {string[]} paths */
function stateOf(paths) {
    return paths.map((path) => `${path} ${changedAt(join(ROOT, path))}`).join('\n');
}

function stateOfSources() {
    return stateOf([...SOURCES, ...SETTINGS].flatMap(filesIn).filter((file) => !IS_BUILT.test(file)));
}

/** @param {string[]} presets */
function stateOfBuilt(presets) {
    const inGlue = filesIn('js-glue').filter((file) => IS_BUILT.test(file));
    const builds = presets.map((preset) => `build/${preset}/build.ninja`);
    return stateOf([...BUILT.flatMap(filesIn), ...inGlue, ...builds]);
}

/**
 * Builds what a purpose needs, unless that was done since the sources last changed.
 * @param {Purpose} purpose
 */
function ensureBuilt(purpose) {
    const presets = BUILDS_OF_PURPOSE[purpose];
    const stamp = join(ROOT, 'build', `set-up-${presets.join('-')}`);
    const sources = stateOfSources();
    if (read(stamp) === `${sources}\n${stateOfBuilt(presets)}`) {
        return;
    }
    presets.forEach(build);
    runOrThrow([process.execPath, join('scripts', 'build-dist.mjs')]);
    runOrThrow([process.execPath, join('scripts', 'build-library.mjs')]);
    // Writes the state of the sources before the build: a source that changed meanwhile was not built.
    writeFileSync(stamp, `${sources}\n${stateOfBuilt(presets)}`);
}

/** Debian's Emscripten, which needs Debian's Python. */
const DEBIANS_EMCC = '/usr/bin/emcc';
const DEBIANS_PYTHON = '/usr/bin/python3';

/**
 * Makes Emscripten's commands run by the Python that came with them, here and in all child processes. They would take the first
 * Python on the path; pyenv's takes as long to start as the compiler takes to compile.
 */
function chooseEmscriptensPython() {
    if (existsSync(DEBIANS_EMCC) && existsSync(DEBIANS_PYTHON)) {
        process.env['EMSDK_PYTHON'] ??= DEBIANS_PYTHON;
    }
}

/**
 * Prepares this checkout for a purpose: system packages, node modules and built files. Quick if nothing is missing.
 * @param {Purpose} purpose
 */
export function setUp(purpose) {
    ensureSystemPackages(NEEDS_OF_PURPOSE[purpose], announce);
    if (purpose === 'bench') {
        installWherePossible(Object.values(MEASURED_BROWSERS), announce);
    }
    ensureNodeModules(ROOT);
    chooseEmscriptensPython();
    ensureBuilt(purpose);
}

/**
 * @param {string | undefined} word
 * @returns {Purpose}
 */
function toPurpose(word) {
    const purposes = /** @type {Purpose[]} */ (Object.keys(NEEDS_OF_PURPOSE));
    const purpose = purposes.find((known) => known === word);
    if (!purpose) {
        throw new Error(`usage: node scripts/setup.mjs ${purposes.join('|')}`);
    }
    return purpose;
}

/**
 * Runs a step of a script. An error becomes a message and a failing exit, without a stack, since the cause is never in this file.
 *
 * @template T
 * @param {string} name of the step
 * @param {() => T} step
 * @returns {T}
 */
export function runStep(name, step) {
    try {
        return step();
    } catch (error) {
        process.stderr.write(`${name}: ${error instanceof Error ? error.message : error}\n`);
        process.exit(1);
    }
}

const startedFile = process.argv[1];
if (startedFile && realpathSync(startedFile) === fileURLToPath(import.meta.url)) {
    runStep('setup', () => setUp(toPurpose(process.argv[2])));
}
