/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNodeModules } from '../../scripts/setup.mjs';
import { blocksOf, filesOf, ROOT } from './documents.js';

/* Writes the files of a document into a folder, and runs its programs and commands there. */

const TOOLS = join(ROOT, 'docs', '.vitepress');

/** A command that takes longer counts as hung. */
const COMMAND_LIMIT_MS = 120_000;

/** The folder with the servers for which documents have settings. */
export function installedTools() {
    ensureNodeModules(TOOLS);
    return TOOLS;
}

/** Links the package, for Node: a prelude that watches a program then sees the program's own locks. @param {string} target */
export function linkPackage(target) {
    symlinkSync(ROOT, target);
}

/** Copies the package for servers, which would resolve a link to the real folder. @param {string} target */
export function copyPackage(target) {
    for (const entry of ['package.json', 'dist']) {
        cpSync(join(ROOT, entry), join(target, entry), { recursive: true });
    }
}

/**
 * Writes the files of a document into a folder of its own, where `holdfast` is installed.
 *
 * @param {string} document
 * @param {string} purpose sets apart the folders of tests that write the same document
 * @param {(target: string) => void} [install]
 * @returns {{ folder: string, path: string, remove: () => void }} `path`: from the root
 */
export function layOut(document, purpose, install = linkPackage) {
    const path = join('build', 'documents', purpose, document.replace(/\W+/g, '-'));
    const folder = join(ROOT, path);
    const remove = () => rmSync(folder, { recursive: true, force: true });
    remove();
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    install(join(folder, 'node_modules', 'holdfast'));
    for (const [name, text] of filesOf(document)) {
        writeFileSync(join(folder, name), text);
    }
    return { folder, path, remove };
}

/**
 * Runs a command of a document as it stands.
 *
 * @param {string} document
 * @param {string} beginning of the command
 * @param {string} folder to run it in
 */
export function runCommandOf(document, beginning, folder) {
    const block = blocksOf(document).find(({ name, text }) => name === '' && text.startsWith(beginning));
    assert.ok(block, `${document} has no command that begins with ${beginning}`);
    const { status, stdout, stderr, error } = spawnSync('sh', ['-e', '-c', block.text], {
        cwd: folder,
        encoding: 'utf8',
        timeout: COMMAND_LIMIT_MS,
    });
    assert.equal(status, 0, `${block.text}\n${error ?? ''}\n${stdout}\n${stderr}`);
}
