/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneAtATime } from '../../scripts/one-at-a-time.mjs';
import { runQuietly } from '../../scripts/run-quietly.mjs';

/* The binaries come as npm packages, into build/runtimes, once. */

const CACHE = fileURLToPath(new URL('../../build/runtimes/', import.meta.url));
const PLATFORM = 'linux-x64';
const HERE = `${process.platform}-${process.arch}`;
/** A hundred megabytes from a slow mirror. */
const LIMIT_SECONDS = 240;

/* The errors by which npm or the system says that the registry is not found, cannot be reached, or does not answer
 * within LIMIT_SECONDS. */
export const NO_NETWORK = new RegExp(
    [
        ...['ENOTFOUND', 'ENOTCACHED', 'EAI_AGAIN', 'EAI_FAIL'],
        ...[
            'ENETDOWN',
            'ENETUNREACH',
            'EHOSTUNREACH',
            'EADDRNOTAVAIL',
            'ECONNREFUSED',
            'ECONNRESET',
            'EPIPE',
        ],
        ...['ETIMEDOUT', 'ERR_SOCKET_TIMEOUT', 'ECONNECTIONTIMEOUT', 'EIDLETIMEOUT', 'ERESPONSETIMEOUT'],
        ...['ETRANSFERTIMEOUT'],
    ]
        .map((code) => `\\b${code}\\b`)
        .join('|'),
);

/** True if the packages of runtimes.js run on this machine. */
export const isSupported = HERE === PLATFORM;
/** The reason if not. */
export const UNSUPPORTED = `the packages of tests/runtimes/runtimes.js are for ${PLATFORM}, and this is ${HERE}`;

export class FetchError extends Error {
    /**
     * @param {import('./runtimes.js').Runtime} runtime
     * @param {string} reason
     */
    constructor({ name, version }, reason) {
        super(`${name} ${version} could not be fetched: ${reason}`);
        /** True if the package registry could not be reached. */
        this.offline = NO_NETWORK.test(reason);
    }
}

/**
 * @param {import('./runtimes.js').Runtime} runtime
 * @param {string} folder
 */
function install(runtime, folder) {
    // A project of its own, or npm would install into the one above it.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const { ok, output } = runQuietly(
        [
            'npm',
            'install',
            '--ignore-scripts',
            '--no-package-lock',
            '--no-audit',
            '--no-fund',
            '--loglevel=error',
            `${runtime.package}@${runtime.version}`,
        ],
        { cwd: folder, limitSeconds: LIMIT_SECONDS },
    );
    if (!ok) {
        throw new FetchError(runtime, output);
    }
    // Done here, since the package's install script does not run.
    chmodSync(join(folder, 'node_modules', runtime.package, runtime.binary), 0o755);
}

/** @param {string} folder @param {import('./runtimes.js').Runtime} runtime */
function fetchInto(folder, runtime) {
    // Renamed when complete, so that no other process sees an incomplete file.
    const part = mkdtempSync(join(CACHE, 'part-'));
    try {
        install(runtime, part);
        renameSync(part, folder);
    } finally {
        rmSync(part, { recursive: true, force: true });
    }
}

/**
 * The path of the runtime's binary, which is fetched if it is not there.
 *
 * @param {import('./runtimes.js').Runtime} runtime
 * @throws {FetchError}
 */
export function fetchRuntime(runtime) {
    if (!isSupported) {
        throw new FetchError(runtime, UNSUPPORTED);
    }
    const folder = join(CACHE, `${runtime.word}-${runtime.version}`);
    if (!existsSync(folder)) {
        mkdirSync(CACHE, { recursive: true });
        oneAtATime(`${folder}.fetches`, () => existsSync(folder) || fetchInto(folder, runtime));
    }
    return join(folder, 'node_modules', runtime.package, runtime.binary);
}
