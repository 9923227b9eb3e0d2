/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/* Runs the test files that its arguments name in one process. A failure names its file. */

for (const file of process.argv.slice(2)) {
    await import(pathToFileURL(resolve(file)).href);
}
