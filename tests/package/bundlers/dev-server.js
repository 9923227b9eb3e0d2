/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { spawnTied } from '../../../scripts/spawn-tied.mjs';
import { ENVIRONMENT, withoutRunner } from './apps.js';

const HOST = '127.0.0.1';
const START_LIMIT_MS = 60_000;
const LOOK_AGAIN_MS = 50;

/** @param {number} [wanted] the port to return, if it is free @returns {Promise<number>} */
async function freePort(wanted = 0) {
    const server = createServer().listen(wanted, HOST);
    try {
        await once(server, 'listening');
    } catch (error) {
        if (wanted === 0) {
            throw error;
        }
        return freePort();
    }
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    server.close();
    await once(server, 'close');
    return port;
}

/** The port of a program if PORT is not set. @param {string} file */
function ownPortOf(file) {
    const [, port] = /\bPORT = (\d+)\b/.exec(readFileSync(file, 'utf8')) ?? [];
    assert.ok(port !== undefined, `${file} names no port of its own`);
    return Number(port);
}

/** @param {string} address */
async function answers(address) {
    try {
        return (await fetch(address)).ok;
    } catch {
        return false;
    }
}

/**
 * Starts a bundler's own server by the guide's command line, or a server program of the guide. The program listens at
 * its own port; if that port is taken here, at the port in PORT.
 *
 * @param {string} app
 * @param {string} command
 */
export async function startDevServer(app, command) {
    const [program = '', ...words] = withoutRunner(command).split(' ');
    const ownPort = program === 'node' ? ownPortOf(join(app, words[0] ?? '')) : undefined;
    const port = await freePort(ownPort);
    const origin = `http://${HOST}:${port}`;
    const place = ownPort === undefined ? ['--host', HOST, '--port', `${port}`] : [];
    const { child, isRunning, end } = spawnTied(program, [...words, ...place], {
        cwd: app,
        env: { ...ENVIRONMENT, PORT: port === ownPort ? undefined : `${port}` },
        stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (output += text));
    const deadline = performance.now() + START_LIMIT_MS;
    while (!(await answers(origin))) {
        if (!isRunning() || performance.now() > deadline) {
            await end();
            throw new Error(`${command}: no page at ${origin} within ${START_LIMIT_MS} ms\n${output}`);
        }
        await pause(LOOK_AGAIN_MS);
    }
    if (ownPort !== undefined && !output.includes(`${origin}/`)) {
        await end();
        throw new Error(`${command} does not say that it serves ${origin}/\n${output}`);
    }
    return { origin, close: end };
}
