/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes what programs load, dist/: the sources in one file for each public entry, and what these share in another.
 * A program that loads modules one by one, as Node and a page without a bundler do, waits for two or three files instead of forty.
 * Names stay, so that stacks can be read. Bundlers leave out what a page does not use, but not as well as of the sources where
 * a page imports no class of a lock. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NOTICE = '/* SPDX-License-Identifier: MIT\n * Copyright (c) 2026 the holdfast authors */';
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const ENTRIES = ['debug', 'index', 'recoverable', 'trace'];

rmSync(DIST, { recursive: true, force: true });
execFileSync(
    'node_modules/.bin/esbuild',
    [
        ...[...ENTRIES.map((entry) => `js-glue/${entry}.js`), '--outdir=dist'],
        '--external:./index.js', // debug.js has the classes from there, or all of them would be in a file for its sake
        ...['--bundle', '--splitting', '--chunk-names=shared-[hash]', '--format=esm', '--target=es2022'],
        ...['--minify-syntax', `--banner:js=${NOTICE}`],
        ...['--sourcemap', '--sources-content=false'], // the package has them
        '--log-level=warning',
    ],
    { cwd: ROOT, stdio: 'inherit' },
);

/* What several entries share is a file for each set of them. These get names that stay: the largest is shared.js. */

/** @param {string} file */
const sizeOf = (file) => statSync(join(DIST, file)).size;
const shared = readdirSync(DIST)
    .filter((file) => /^shared-\w+\.js$/.test(file))
    .sort((one, other) => sizeOf(other) - sizeOf(one));
const names = shared.map((file, at) => [file, at === 0 ? 'shared.js' : `shared-${at + 1}.js`]);
for (const [from = '', to = ''] of names) {
    renameSync(join(DIST, from), join(DIST, to));
    renameSync(join(DIST, `${from}.map`), join(DIST, `${to}.map`));
}
for (const file of readdirSync(DIST).filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(join(DIST, file), 'utf8');
    writeFileSync(
        join(DIST, file),
        names.reduce((before, [from = '', to = '']) => before.replaceAll(from, to), text),
    );
}
