/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';

/* The entries that programs import. For each, package.json exports a file of js-glue/. */

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The names of the entries; `index` is the package itself. */
export const ENTRIES = Object.keys(exports)
    .filter((name) => /^\.(\/[\w-]+)*$/.test(name))
    .map((name) => name.slice(2) || 'index');
