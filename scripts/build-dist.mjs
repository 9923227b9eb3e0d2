/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Writes what programs load, dist/: the sources in one file for each public entry, and what these share in another.
 * A program that loads modules one by one, as Node and a page without a bundler do, waits for three files instead of forty.
 * Names stay, so that stacks can be read. Bundlers leave out what a page does not use, but not as well as of the sources where
 * a page imports no class of a lock. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const NOTICE = '/* SPDX-License-Identifier: MIT\n * Copyright (c) 2026 the holdfast authors */';

execFileSync(
    'node_modules/.bin/esbuild',
    [
        ...['js-glue/index.js', 'js-glue/trace.js', '--outdir=dist'],
        ...['--bundle', '--splitting', '--chunk-names=shared', '--format=esm', '--target=es2022'],
        ...['--minify-syntax', `--banner:js=${NOTICE}`],
        ...['--sourcemap', '--sources-content=false'], // the package has them
        '--log-level=warning',
    ],
    { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' },
);
