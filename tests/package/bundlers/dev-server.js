/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { spawnTied } from '../../../scripts/spawn-tied.mjs';
import { ENVIRONMENT, withoutRunner } from './apps.js';

const HOST = '127.0.0.1';
const START_LIMIT_MS = 60_000;
const LOOK_AGAIN_MS = 50;

async function freePort() {
    const server = createServer().listen(0, HOST);
    await once(server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    server.close();
    await once(server, 'close');
    return port;
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
 * Starts a bundler's own server, by the command line that the guide has for it, or a program of the guide's, which listens at PORT.
 *
 * @param {string} app
 * @param {string} command
 */
export async function startDevServer(app, command) {
    const port = await freePort();
    const origin = `http://${HOST}:${port}`;
    const [program = '', ...words] = withoutRunner(command).split(' ');
    const place = program === 'node' ? [] : ['--host', HOST, '--port', `${port}`];
    const { child, isRunning, end } = spawnTied(program, [...words, ...place], {
        cwd: app,
        env: { ...ENVIRONMENT, PORT: `${port}` },
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
    return { origin, close: end };
}
