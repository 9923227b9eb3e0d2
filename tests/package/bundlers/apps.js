/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Fresh apps, each in a folder of its own with the packed package installed, and the bundlers to build them. */
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureNodeModules } from '../../../scripts/setup.mjs';
import { initProject, installInto, outputOf, pack } from '../../support/packed-package.js';
import { PAGE_FILES, README_FILES } from './guide.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const BUILD = fileURLToPath(new URL('../../../build/bundlers/', import.meta.url));
const APPS = join(BUILD, 'apps');
const FRESH = join(APPS, 'fresh');
const TARBALL_FOLDER = join(APPS, 'packed');

/* The command lines of the guide begin with this. The tests leave it out, since npx finds the same programs in
 * folders above an app, but takes longer. */
const RUNNER = 'npx ';

/** The environment in which a shell finds the bundlers. */
export const ENVIRONMENT = {
    ...process.env,
    PATH: `${join(BUILD, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
};

/** Installs all bundlers, once. */
export function installBundlers() {
    mkdirSync(BUILD, { recursive: true });
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
        copyFileSync(join(HERE, file), join(BUILD, file));
    }
    ensureNodeModules(BUILD);
}

/** @returns {string} the tarball */
export function setUp() {
    installBundlers();
    rmSync(APPS, { recursive: true, force: true });
    mkdirSync(TARBALL_FOLDER, { recursive: true });
    const tarball = pack(TARBALL_FOLDER);
    initProject(FRESH);
    installInto(tarball, FRESH);
    return tarball;
}

/* Added to the README's page: it reports when both threads have counted. */
const SAYS_WHEN_DONE = `
const looking = setInterval(() => {
    if (counter[0] === 2) {
        clearInterval(looking);
        globalThis.outcome = counter[0];
    }
}, 1);
`;

/**
 * The README's two threads as printed; the page reports when both have counted.
 *
 * @param {{ awaitsInFunction?: boolean }} [options] whether the page's await is put into a function
 */
export function readmeThreads({ awaitsInFunction = false } = {}) {
    const page = README_FILES['page.js'] ?? '';
    const inFunction = page.replace(/^await [^]*?^\}\);$/m, '(async () => {\n$&\n})();');
    return {
        ...PAGE_FILES,
        ...README_FILES,
        'page.js': (awaitsInFunction ? inFunction : page) + SAYS_WHEN_DONE,
    };
}

/** Every class, shared by a page and two workers. */
export const FAMILY = { ...PAGE_FILES, from: join(HERE, 'family') };

/** A page without a bundler, where no lock can be made. */
export const FORBIDDEN = {
    ...PAGE_FILES,
    'page.js': `import { Mutex } from '/node_modules/holdfast/js-glue/index.js';
        try {
            globalThis.outcome = new Mutex().byteOffset;
        } catch ({ code, message, cause }) {
            globalThis.outcome = { code, message, cause: String(cause) };
        }\n`,
};

/**
 * @param {string} name
 * @param {{ from?: string } & Record<string, string>} source
 * @param {string[]} [configures] what else to type first
 * @returns {string} its folder
 */
export function makeApp(name, { from, ...files }, configures = []) {
    const app = join(APPS, name);
    cpSync(FRESH, app, { recursive: true });
    if (from !== undefined) {
        cpSync(from, app, { recursive: true });
    }
    for (const [file, text] of Object.entries(files)) {
        writeFileSync(join(app, file), text);
    }
    build(app, configures.join('\n'));
    return app;
}

/** @param {string} command as the guide has it */
export function withoutRunner(command) {
    return command.replaceAll(RUNNER, '');
}

/**
 * @param {string} app
 * @param {string} command
 */
export function build(app, command) {
    return outputOf(['sh', '-e', '-c', withoutRunner(command)], app, ENVIRONMENT);
}
