/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { spawnTied } from '../../scripts/spawn-tied.mjs';
import { ROOT } from './documents.js';

const CACHE = join(ROOT, 'build', 'nginx');
const LIMIT_MS = 10_000;

/**
 * Finds nginx: the system's, or Debian's package unpacked into the build tree. Installing the package would start a public
 * server.
 */
export function findNginx() {
    const unpacked = join(CACHE, 'usr', 'sbin', 'nginx');
    const places = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx', unpacked];
    const found = places.find((file) => existsSync(file));
    return found ?? unpack(unpacked);
}

/** @param {string} program its path in the package */
function unpack(program) {
    mkdirSync(CACHE, { recursive: true });
    // Only root may update. For other users package lists exist already, or the error below is thrown.
    const said = ['update', 'download nginx'].map((words) => {
        const { output } = runQuietly(['apt-get', ...words.split(' ')], { cwd: CACHE });
        return `apt-get ${words}:\n${output}`;
    });
    const archive = readdirSync(CACHE).find((file) => file.endsWith('.deb'));
    assert.ok(archive, `there is no nginx here, and it could not be fetched: install it\n${said.join('\n')}`);
    const { ok, output: complaint } = runQuietly(['dpkg-deb', '-x', join(CACHE, archive), CACHE]);
    assert.ok(ok, complaint);
    return program;
}

/**
 * Runs nginx with a `server` block, listening to a socket in the folder, and requests a file from it.
 *
 * @param {string} folder
 * @param {string} serverBlock
 * @param {string} path
 * @returns {Promise<import('node:http').IncomingMessage>}
 */
export async function askNginx(folder, serverBlock, path) {
    const socket = join(folder, 'socket');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    const configuration = [
        'daemon off; master_process off; error_log stderr;',
        `pid ${join(folder, 'pid')};`,
        'events {}',
        `http { access_log off; ${temporary.join(' ')} ${serverBlock.replace(/(?<=listen ).*(?=;)/, `unix:${socket}`)} }`,
    ];
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, configuration.join('\n'));
    const { child, end } = spawnTied(findNginx(), ['-c', file, '-p', folder], {
        stdio: ['ignore', 'ignore', 'pipe'],
        endBy: 'SIGTERM', // at SIGTERM nginx removes its socket
    });
    let words = '';
    child.stderr?.on('data', (data) => (words += data));
    try {
        return await answerOf(socket, path, () => words);
    } finally {
        await end();
    }
}

/**
 * @param {string} socketPath
 * @param {string} path
 * @param {() => string} words what the server has said
 * @returns {Promise<import('node:http').IncomingMessage>}
 */
async function answerOf(socketPath, path, words) {
    const deadline = performance.now() + LIMIT_MS;
    for (;;) {
        try {
            const asked = request({ socketPath, path }).end();
            const [answer] = await once(asked, 'response');
            return answer.resume();
        } catch (error) {
            // nginx is not listening yet.
            assert.ok(
                performance.now() < deadline,
                `no answer of nginx in ${LIMIT_MS} ms: ${error}\n${words()}`,
            );
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
    }
}
