/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* `node docs/examples/serve.js` serves the examples as pages. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serve } from '../../browsers/serve.js';

const START_PAGE = '/docs/examples/';

/** With the package's address in place of its name, as a bundler would do: workers know no import maps. */
function scripts() {
    const folder = new URL('.', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('.js'),
    );
    return Object.fromEntries(
        files.map((file) => [
            START_PAGE + file,
            readFileSync(new URL(file, folder), 'utf8').replace(
                "from 'holdfast'",
                "from '/js-glue/index.js'",
            ),
        ]),
    );
}

/** @param {{ port?: number, isolated?: boolean, isFixed?: boolean }} [options] those of serve */
export async function startServer(options) {
    // The last is what docs/examples/sqlite/build.mjs makes.
    const folders = ['docs/examples', 'js-glue', 'build/sqlite'];
    const server = await serve({ ...options, folders, startPage: START_PAGE, scripts: scripts() });
    return { ...server, page: server.origin + START_PAGE };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const { page } = await startServer({ port: Number(process.env.PORT ?? 0) });
    console.log(`The examples: ${page}   (Ctrl-C ends)`);
}
