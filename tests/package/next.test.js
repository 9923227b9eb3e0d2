/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Tests docs/start/react.md's chapter on Next.js, with the packed package in its server: built, and in development.
 * Next.js and React are fetched from npm into build/next. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ensureNodeModules } from '../../scripts/setup.mjs';
import { spawnTied } from '../../scripts/spawn-tied.mjs';
import { filesOf, ROOT } from '../support/documents.js';
import { outputOf, pack } from '../support/packed-package.js';

const BUILD = join(ROOT, 'build', 'next');
const NEXT = [process.execPath, join(BUILD, 'node_modules', 'next', 'dist', 'bin', 'next')];
const ENVIRONMENT = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: undefined, PORT: undefined };
const REQUESTS = 6;

before(() => {
    cpSync(join(ROOT, 'tests', 'package', 'next'), BUILD, { recursive: true });
    ensureNodeModules(BUILD);
    const installed = join(BUILD, 'node_modules', 'holdfast');
    const packed = join(BUILD, 'packed');
    for (const folder of [installed, packed, join(BUILD, '.next')]) {
        rmSync(folder, { recursive: true, force: true });
    }
    mkdirSync(installed);
    mkdirSync(packed);
    outputOf(['tar', 'xzf', pack(packed), '--strip-components=1', '-C', installed], BUILD);
    for (const [document, name] of /** @type {const} */ ([
        ['docs/start/react.md', 'app-lock.mjs'],
        ['docs/isolation.md', 'next.config.mjs'],
    ])) {
        writeFileSync(join(BUILD, name), filesOf(document).get(name) ?? '');
    }
});

/**
 * Runs a server of Next.js until the work with it is done.
 *
 * @param {'start' | 'dev'} command
 * @param {(origin: string) => Promise<void>} work
 */
async function withServer(command, work) {
    const [node = '', ...words] = NEXT;
    const server = spawnTied(node, [...words, command, '--hostname', '127.0.0.1', '--port', '0'], {
        cwd: BUILD,
        env: ENVIRONMENT,
        stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    try {
        const origin = await new Promise((resolve, reject) => {
            server.child.stdout?.on('data', (text) => {
                output += text;
                const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
                if (found && output.includes('Ready')) {
                    resolve(found);
                }
            });
            server.child.on('exit', () => reject(new Error(`next ${command} has ended:\n${output}`)));
        });
        await work(origin);
    } finally {
        await server.end();
    }
}

/** @param {string} address @returns {Promise<number>} the most sections that ran at one time */
async function mostAt(address) {
    const answer = await fetch(address);
    assert.equal(answer.headers.get('Cross-Origin-Opener-Policy'), 'same-origin');
    const [text, most] = /most: (\d+)\./.exec(await answer.text()) ?? [];
    assert.ok(text, address);
    return Number(most);
}

/** @param {string} origin @param {string[]} paths whose handlers share one lock, or have a lock each */
async function mostOf(origin, paths) {
    const addresses = paths.map((path) => origin + path);
    for (const address of addresses) {
        await mostAt(address); // compiles the page, and runs its modules
    }
    const requests = Array.from({ length: REQUESTS }, (_, at) => addresses[at % addresses.length] ?? '');
    return Math.max(...(await Promise.all(requests.map(mostAt))));
}

/** @param {'start' | 'dev'} command */
const assertOneLock = (command) =>
    withServer(command, async (origin) => {
        assert.equal(await mostOf(origin, ['/shared/one', '/shared/two', '/shared']), 1);
        // Route handlers and pages each have a copy of the module, hence the lock in globalThis.
        assert.equal(await mostOf(origin, ['/own/one', '/own/two', '/own']), 2);
    });

test('next: a lock in globalThis is shared by all routes and pages of a built server', async () => {
    outputOf([...NEXT, 'build'], BUILD, ENVIRONMENT);
    await assertOneLock('start');
});

test('next: the lock is shared by all routes and pages in development, too', () => assertOneLock('dev'));
