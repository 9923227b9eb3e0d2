/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runQuietly } from './run-quietly.mjs';

/**
 * A program or header that the project needs from the system: how to check for it, and the package that has it.
 * @typedef {object} Need
 * @property {string} name for messages
 * @property {string} debianPackage
 * @property {() => boolean} isThere
 */

/** @param {string} file */
function isProgram(file) {
    try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
    } catch {
        return false;
    }
}

/** @param {string} command @returns {string | undefined} its file */
function onPath(command) {
    const folders = (process.env.PATH ?? '').split(delimiter);
    return folders.map((folder) => join(folder, command)).find(isProgram);
}

/** @param {string} command */
function isOnPath(command) {
    return onPath(command) !== undefined;
}

/**
 * @param {string} debianPackage
 * @param {...string} commands any of them is enough
 * @returns {Need}
 */
function command(debianPackage, ...commands) {
    return {
        name: commands.join(' or '),
        debianPackage,
        isThere: () => commands.some(isOnPath),
    };
}

/**
 * A program whose path an environment variable may give, such as a browser.
 * @typedef {Need & { variable: string, find: () => string | undefined }} ProgramNeed
 */

/**
 * @param {string} variable the environment variable with the program's path
 * @param {string} debianPackage
 * @param {...string} commands any of them is enough
 * @returns {ProgramNeed}
 */
function program(variable, debianPackage, ...commands) {
    const find = () => process.env[variable] ?? commands.map(onPath).find((file) => file !== undefined);
    return { ...command(debianPackage, ...commands), variable, find, isThere: () => find() !== undefined };
}

/**
 * @param {string} debianPackage
 * @param {string} header
 * @returns {Need}
 */
function header(debianPackage, header) {
    const folders = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'];
    return {
        name: `the header ${header}`,
        debianPackage,
        isThere: () => folders.some((folder) => existsSync(join(folder, header))),
    };
}

/** Packages to build the wasm module. Emscripten brings its own clang, wasm-ld and wasm-opt. */
export const BUILD_NEEDS = [
    command('emscripten', 'emcc'),
    command('cmake', 'cmake'),
    command('ninja-build', 'ninja'),
];

/** The browsers in which pages are measured. */
export const MEASURED_BROWSERS = {
    chromium: program('HOLDFAST_CHROMIUM', 'chromium', 'chromium', 'chromium-browser', 'google-chrome'),
    firefox: program('HOLDFAST_FIREFOX', 'firefox-esr', 'firefox-esr', 'firefox'),
};

/** The browsers in which pages are tested. WebKit is started by its driver, whose package has the browser. */
export const BROWSERS = {
    ...MEASURED_BROWSERS,
    webkit: program('HOLDFAST_WEBKIT', 'webkit2gtk-driver', 'WebKitWebDriver'),
};

/** WebKit needs a display. */
export const DISPLAY_SERVER = program('HOLDFAST_XVFB', 'xvfb', 'Xvfb');

/** Packages for the benchmarks, which also build native programs. */
export const BENCH_NEEDS = [...BUILD_NEEDS, command('gcc', 'gcc'), header('libc6-dev', 'stdlib.h')];

/** Packages for tests of the C sources and of the module (gcc brings its sanitizers). */
export const VERIFY_NEEDS = [
    ...BENCH_NEEDS,
    command('g++', 'g++'),
    command('clang', 'clang++'),
    command('clang-tidy', 'clang-tidy'),
    command('wabt', 'wasm-objdump'),
    header('libcmocka-dev', 'cmocka.h'),
];

/** Packages for all tests: house rules and browsers as well. */
export const TEST_NEEDS = [
    ...VERIFY_NEEDS,
    command('clang-format', 'clang-format'),
    command('g++', 'g++'),
    command('clang', 'clang++'),
    command('lld', 'wasm-ld'),
    command('llvm', 'llvm-ar'),
    command('pkg-config', 'pkg-config'),
    ...Object.values(BROWSERS),
    DISPLAY_SERVER,
    command('git', 'git'),
];

/** Packages that install a newer Debian into a folder. */
export const SYSTEM_NEEDS = [command('debootstrap', 'debootstrap')];

function isDebian() {
    return existsSync('/etc/debian_version') && isOnPath('apt-get');
}

/** @returns {string[] | undefined} the words before apt-get, or undefined if it may not be run */
function rootPrefix() {
    if (process.getuid?.() === 0) {
        return [];
    }
    const sudo = ['sudo', '-n'];
    return isOnPath('sudo') && runQuietly([...sudo, 'true']).ok ? sudo : undefined;
}

/** @param {Need[]} missing */
function whatToInstall(missing) {
    const names = missing.map((need) => need.name).join(', ');
    const packages = packagesOf(missing).join(' ');
    return `missing on this machine: ${names}. Install them and try again; on Debian: apt-get install ${packages}`;
}

/** @param {Need[]} missing */
function packagesOf(missing) {
    return [...new Set(missing.map((need) => need.debianPackage))];
}

/**
 * Installs missing packages if that needs no password; otherwise throws an error that says what to install.
 * @param {Need[]} needs
 * @param {(step: string) => void} announce
 */
export function ensureSystemPackages(needs, announce) {
    const missing = needs.filter((need) => !need.isThere());
    if (missing.length === 0) {
        return;
    }
    const prefix = isDebian() ? rootPrefix() : undefined;
    if (!prefix) {
        throw new Error(whatToInstall(missing));
    }
    aptInstall(prefix, packagesOf(missing), announce);
    const stillMissing = missing.filter((need) => !need.isThere());
    if (stillMissing.length > 0) {
        throw new Error(whatToInstall(stillMissing));
    }
}

/**
 * Installs optional packages: prints those that cannot be installed, and continues.
 * @param {Need[]} wishes
 * @param {(step: string) => void} announce
 */
export function installWherePossible(wishes, announce) {
    for (const wish of wishes) {
        try {
            // One at a time, so that a package that the system lacks does not prevent the others.
            ensureSystemPackages([wish], announce);
        } catch (error) {
            announce(`continuing without ${wish.name}: ${error instanceof Error ? error.message : error}`);
        }
    }
}

/**
 * @param {string[]} prefix
 * @param {string[]} packages
 * @param {(step: string) => void} announce
 */
function aptInstall(prefix, packages, announce) {
    announce(`installing Debian packages: ${packages.join(' ')}`);
    // Through env, because sudo drops variables. Waits for apt's lock, since machines start their own updates.
    const apt = [
        ...prefix,
        'env',
        'DEBIAN_FRONTEND=noninteractive',
        'apt-get',
        '-o',
        'DPkg::Lock::Timeout=300',
    ];
    for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
        const { ok, output } = runQuietly([...apt, ...step]);
        if (!ok) {
            throw new Error(`apt-get ${step.join(' ')} failed:\n${output}`);
        }
    }
}
