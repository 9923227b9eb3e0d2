/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';

/* The entries that programs import: a file of js-glue/ for each entry that package.json exports. */

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Their names, `index` for the package's own. */
export const ENTRIES = Object.keys(exports)
    .filter((name) => /^\.(\/[\w-]+)*$/.test(name))
    .map((name) => name.slice(2) || 'index');
