/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';

/** @typedef {import('./mutants.js').Edit} Edit */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORTER = './models/mutants/first-failure.js';
/**
 * Longer than any test file takes on a busy machine. A test that does not end counts as a check that has
 * noticed.
 */
const TEST_LIMIT_SECONDS = 240;
const LEAST_LIMIT_SECONDS = 10;
/** A machine gets busier by at most this factor. */
const MOST_DELAY = 5;

/** The finding if tests do not end and no test is named. */
export const NO_END = 'it does not end well';

/** Escapes a text for a pattern. @param {string} text */
export function escaped(text) {
    return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Parts of the project in a folder of their own, where sources can be changed. */
export class ProjectCopy {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-mutants-'));

    /** @param {string[]} parts files and folders */
    constructor(parts) {
        parts.forEach((part) => cpSync(join(ROOT, part), join(this.folder, part), { recursive: true }));
    }

    /** @template T @param {Edit[]} edits @param {() => T} task */
    whileChanged(edits, task) {
        edits.forEach(({ file, text }) => writeFileSync(join(this.folder, file), text));
        try {
            return task();
        } finally {
            edits.forEach(({ file }) => cpSync(join(ROOT, file), join(this.folder, file)));
        }
    }

    /** @param {string[]} commandLine @param {number} [limitSeconds] */
    run(commandLine, limitSeconds) {
        return runQuietly(commandLine, { cwd: this.folder, limitSeconds });
    }

    /** Runs a command that must succeed. @param {string[]} commandLine */
    mustRun(commandLine) {
        const { ok, output } = this.run(commandLine);
        if (!ok) {
            throw new Error(`${commandLine.join(' ')} failed:\n${output}`);
        }
    }

    /**
     * The first test that fails; '' if all pass.
     * @param {string} file @param {string} pattern of the names of the tests to run
     * @param {number} usualSeconds how long it takes if all pass
     */
    failingTest(file, pattern, usualSeconds) {
        const chosen = pattern === '' ? [] : [`--test-name-pattern=${pattern}`];
        const commandLine = [process.execPath, `--test-reporter=${REPORTER}`, ...chosen, file];
        const limit = Math.min(
            TEST_LIMIT_SECONDS,
            LEAST_LIMIT_SECONDS + MOST_DELAY * Math.ceil(usualSeconds),
        );
        const { ok, output } = this.run(commandLine, limit);
        return ok ? '' : (/^not ok: (.*)$/m.exec(output)?.[1] ?? NO_END);
    }

    remove() {
        rmSync(this.folder, { recursive: true });
    }
}
