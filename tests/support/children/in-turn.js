/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { pathToFileURL } from 'node:url';

/* Runs the files of its command line one after the other. (Node has --import for that, which Deno drops when it translates a
 * command line of Node.) */
for (const file of process.argv.slice(2)) {
    await import(pathToFileURL(file).href);
}
