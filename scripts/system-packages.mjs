/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runQuietly } from './run-quietly.mjs';

/**
 * A thing that the project needs from the system: how to see that it is there, and what brings it.
 * @typedef {object} Need
 * @property {string} name what a person calls it
 * @property {string} debianPackage
 * @property {() => boolean} isThere
 */

/** @param {string} command */
function isOnPath(command) {
    return (process.env.PATH ?? '').split(delimiter).some((folder) => {
        const file = join(folder, command);
        try {
            accessSync(file, constants.X_OK);
            return statSync(file).isFile();
        } catch {
            return false;
        }
    });
}

/**
 * @param {string} debianPackage
 * @param {...string} commands any one of which will do
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

/** What it takes to build the wasm module. Emscripten brings its own clang, wasm-ld and wasm-opt. */
export const BUILD_NEEDS = [
    command('emscripten', 'emcc'),
    command('cmake', 'cmake'),
    command('ninja-build', 'ninja'),
];

/** What the tests need beyond that: native builds (gcc brings its sanitizers), house rules and a browser. */
export const TEST_NEEDS = [
    ...BUILD_NEEDS,
    command('gcc', 'gcc'),
    command('clang-format', 'clang-format'),
    command('clang-tidy', 'clang-tidy'),
    command('wabt', 'wasm-objdump'),
    command('chromium', 'chromium', 'chromium-browser', 'google-chrome'),
    command('git', 'git'),
    header('libc6-dev', 'stdlib.h'),
    header('libcmocka-dev', 'cmocka.h'),
];

function isDebian() {
    return existsSync('/etc/debian_version') && isOnPath('apt-get');
}

/** @returns {string[] | undefined} what to put before apt-get, or nothing where it may not be run */
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
 * Sees to it that the system has what is needed: installs the missing packages where that can be done
 * without asking anybody, and throws an error that says what to install where it cannot.
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
 * @param {string[]} prefix
 * @param {string[]} packages
 * @param {(step: string) => void} announce
 */
function aptInstall(prefix, packages, announce) {
    announce(`installing Debian packages: ${packages.join(' ')}`);
    // Through env, because sudo drops variables. The lock is waited for: machines start their own updates.
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
