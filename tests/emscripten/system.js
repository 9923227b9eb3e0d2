/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* An Emscripten newer than this machine's: that of Debian's unstable release, in a folder of its own, with a project
 * that has installed the packed package. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { ensureSystemPackages, SYSTEM_NEEDS } from '../../scripts/system-packages.mjs';
import { ROOT } from '../support/documents.js';
import { pack } from '../support/packed-package.js';

export const SYSTEM = join(ROOT, 'build', 'emscripten-sid');
const COMPLETE = join(SYSTEM, 'complete');
/** The project's folder in that system. */
export const PLACE = 'root/project';
export const PROJECT = join(SYSTEM, PLACE);
/** Long, since Emscripten compiles its own libraries at its first use. */
export const LIMIT_SECONDS = 900;

/** @param {string[]} commandLine @returns {string} */
export function run(commandLine) {
    const { ok, output } = runQuietly(commandLine, { limitSeconds: LIMIT_SECONDS });
    if (!ok) {
        throw new Error(`${commandLine.join(' ')} failed:\n${output}`);
    }
    return output;
}

/** @param {string} script runs in the project, in that system @returns {string[]} */
export const there = (script) => ['chroot', SYSTEM, 'sh', '-e', '-c', `cd /${PLACE}\n${script}`];

/** @returns {string | false} the reason if the system cannot be made */
function whyNot() {
    if (existsSync(COMPLETE)) {
        return false;
    }
    if (process.getuid?.() !== 0) {
        return 'only root may make a system in a folder';
    }
    rmSync(SYSTEM, { recursive: true, force: true });
    const packages = 'emscripten cmake make nodejs';
    const install = `DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${packages}`;
    try {
        ensureSystemPackages(SYSTEM_NEEDS, (step) => console.log(step));
        run(['debootstrap', '--variant=minbase', 'sid', SYSTEM]);
        run(['chroot', SYSTEM, 'sh', '-c', install]);
    } catch (error) {
        return `Debian's unstable release was not to be had: ${error}`;
    }
    writeFileSync(COMPLETE, '');
    return false;
}

/** The reason for which tests of that system are skipped. */
export const skip = whyNot();

let isThere = false;

/** Makes the project, once. */
export function makeProject() {
    if (skip || isThere) {
        return;
    }
    isThere = true;
    rmSync(PROJECT, { recursive: true, force: true });
    const packed = join(PROJECT, 'packed');
    mkdirSync(packed, { recursive: true });
    const target = join(PROJECT, 'node_modules', 'holdfast');
    mkdirSync(target, { recursive: true });
    run(['tar', '-xzf', pack(packed), '-C', target, '--strip-components=1']);
    console.log(
        run(there('emcc --version'))
            .split('\n')
            .find((line) => line.startsWith('emcc')),
    );
}
