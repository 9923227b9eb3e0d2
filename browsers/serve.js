/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { glueInOneFile, programInOneFile } from './one-file.js';

const HOST = '127.0.0.1';

/* Without these two headers a page cannot post shared memory to a worker. */
const ISOLATION_HEADERS = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** @param {string} address the address in a request */
function partsOf(address) {
    const [path = ''] = address.split('?');
    return { path, query: address.slice(path.length) };
}

/** @type {ReturnType<typeof glueInOneFile> | undefined} */
let glue;

/** Built once for all servers with unchanging files. */
const theGlue = () => (glue ??= glueInOneFile());

/** How long a browser may keep files that do not change. */
const KEPT_S = 3600;

/**
 * @param {string} prefix of the addresses of the folder
 * @param {string} folder
 * @param {boolean} isFixed
 */
function mount(prefix, folder, isFixed) {
    // The folder may be built later, so its state is read at each request.
    return {
        prefix,
        respond: sirv(folder, isFixed && existsSync(folder) ? { maxAge: KEPT_S } : { dev: true }),
    };
}

/**
 * Serves folders of this repository until it is closed. Addresses mirror the repository, so that a relative import
 * means the same in Node and in the browser.
 *
 * @param {object} options
 * @param {readonly string[]} [options.folders] the only folders that are served
 * @param {string} [options.root] a folder, anywhere, that is served as a site of its own
 * @param {Readonly<Record<string, string>>} [options.headers] further headers, sent with every file
 * @param {string} [options.startPage] where the bare origin leads to
 * @param {Readonly<Record<string, string>>} [options.scripts] by path: served in place of the files in the folders
 * @param {number} [options.port] 0, the default, for a free one
 * @param {boolean} [options.isolated] whether the isolation headers are sent; the default
 * @param {boolean} [options.isFixed] whether no file is added or changed while it serves: then the glue comes in one file, and a
 *     worker gets the modules of the page from the browser's cache
 * @param {readonly string[]} [options.programs] paths of workers' programs: each is served with all that it imports, in one file
 * @throws {NodeJS.ErrnoException} if the port is not free
 * @returns {Promise<{ origin: string, close: () => Promise<void> }>}
 */
export async function serve({
    folders = [],
    root,
    headers = {},
    startPage,
    scripts = {},
    port = 0,
    isolated = true,
    isFixed = false,
    programs = [],
}) {
    const mounts = folders.map((folder) =>
        mount(`/${folder}/`, fileURLToPath(new URL(`../${folder}`, import.meta.url)), isFixed),
    );
    if (root !== undefined) {
        mounts.push(mount('/', root, isFixed));
    }
    const replaced = Object.assign(
        {},
        isFixed && folders.includes('js-glue') && (await theGlue()),
        ...(await Promise.all(programs.map(programInOneFile))),
        scripts,
    );
    const kept = isFixed ? { 'Cache-Control': `public,max-age=${KEPT_S}` } : {};
    const sent = Object.entries({ ...(isolated ? ISOLATION_HEADERS : {}), ...headers });
    const server = createServer((request, response) => {
        const notFound = () => void response.writeHead(404).end('Not found\n');
        const address = request.url ?? '/';
        sent.forEach(([name, value]) => response.setHeader(name, value));
        const { path, query } = partsOf(address);
        if (startPage !== undefined && (path === '/' || `${path}/` === startPage)) {
            response.writeHead(302, { Location: startPage + query }).end();
            return;
        }
        if (Object.hasOwn(replaced, path)) {
            response.writeHead(200, { 'Content-Type': 'text/javascript', ...kept }).end(replaced[path]);
            return;
        }
        const found = mounts.find(({ prefix }) => address.startsWith(prefix));
        if (found === undefined) {
            notFound();
            return;
        }
        request.url = address.slice(found.prefix.length - 1);
        found.respond(request, response, notFound);
    });
    server.listen(port, HOST);
    await once(server, 'listening');
    const { port: actualPort } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const close = async () => {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
    };
    return { origin: `http://${HOST}:${actualPort}`, close };
}
