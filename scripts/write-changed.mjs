/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/* Files may be built again while programs read them, since tests set up the project side by side. So a file is written only if
 * its contents change, and then atomically. */

/**
 * @param {string} file
 * @param {string | Uint8Array} contents
 */
export function writeChanged(file, contents) {
    const bytes = Buffer.from(contents);
    if (existsSync(file) && readFileSync(file).equals(bytes)) {
        return;
    }
    mkdirSync(dirname(file), { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, file);
}

/**
 * Leaves a folder with these files and no others.
 *
 * @param {string} folder
 * @param {Map<string, string | Uint8Array>} files the contents by name; names may contain folders
 */
export function writeFolder(folder, files) {
    files.forEach((contents, name) => writeChanged(join(folder, name), contents));
    const kept = new Set([...files.keys()].flatMap((name) => [name, dirname(name)]));
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!kept.has(name)) {
            rmSync(join(folder, name), { recursive: true, force: true });
        }
    }
}
