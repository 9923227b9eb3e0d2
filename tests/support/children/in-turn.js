/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { pathToFileURL } from 'node:url';

/* Runs the files that it is given, one after the other. Node has --import for what comes before a program, which Deno
 * leaves out of a command line that it translates. */
for (const file of process.argv.slice(2)) {
    await import(pathToFileURL(file).href);
}
