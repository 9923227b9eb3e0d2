/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';

const HOST = '127.0.0.1';
const START_PAGE = '/demo/page/';

/* Addresses mirror the repository, so that a relative import means the same in Node and in the browser.
 * Only these folders are served. */
const FOLDERS = ['demo', 'js-glue', 'benchmarks/rivals'];

/* Without these two a page gets no shared memory that it could post to a worker. */
const ISOLATION_HEADERS = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** @param {string} address as a request names it */
function partsOf(address) {
    const [path = ''] = address.split('?');
    return { path, query: address.slice(path.length) };
}

/**
 * Serves the demo page until it is closed.
 * @param {object} [options]
 * @param {number} [options.port] 0, the default, for a free one
 * @param {boolean} [options.isolated] whether the isolation headers are sent; the default
 * @param {string[]} [options.moreFolders] of this repository, to serve as well
 * @throws {NodeJS.ErrnoException} if the port cannot be had
 * @returns {Promise<{ origin: string, page: string, close: () => Promise<void> }>}
 */
export async function startServer({ port = 0, isolated = true, moreFolders = [] } = {}) {
    const mounts = [...FOLDERS, ...moreFolders].map((folder) => ({
        prefix: `/${folder}/`,
        serve: sirv(fileURLToPath(new URL(`../${folder}`, import.meta.url)), { dev: true }),
    }));
    const server = createServer((request, response) => {
        const notFound = () => void response.writeHead(404).end('Not found\n');
        const address = request.url ?? '/';
        if (isolated) {
            Object.entries(ISOLATION_HEADERS).forEach(([name, value]) => response.setHeader(name, value));
        }
        const { path, query } = partsOf(address);
        if (path === '/' || `${path}/` === START_PAGE) {
            response.writeHead(302, { Location: START_PAGE + query }).end();
            return;
        }
        const mount = mounts.find(({ prefix }) => address.startsWith(prefix));
        if (mount === undefined) {
            notFound();
            return;
        }
        request.url = address.slice(mount.prefix.length - 1);
        mount.serve(request, response, notFound);
    });
    server.listen(port, HOST);
    await once(server, 'listening');
    const { port: actualPort } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const origin = `http://${HOST}:${actualPort}`;
    const close = async () => {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
    };
    return { origin, page: origin + START_PAGE, close };
}
