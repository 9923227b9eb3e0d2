/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Callbacks of a program in C on the page; tests/package/emscripten-async.test.js has them in Node. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { assertEverything, compile, EVERYTHING, ROOT } from '../support/callbacks-program.js';
import { callOn, inEachBrowser, onPage } from './each-browser.js';

const FOLDER = 'build/callbacks';

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    mkdirSync(join(ROOT, FOLDER), { recursive: true });
    compile(EVERYTHING, join(ROOT, FOLDER, 'everything.js'), ['-O2', '-sENVIRONMENT=web,worker']);
    server = await serve({ folders: [FOLDER, 'tests/browser'] });
});

after(() => server?.close());

inEachBrowser((place) => {
    test('callbacks: a program in C gets all that async.h promises, and soon', async (t) => {
        const output = await onPage(place.browser, server, (page) =>
            callOn(page, '/tests/browser/callbacks.js', 'outputOf', `/${FOLDER}/everything.js`),
        );
        t.diagnostic(output);
        assertEverything(output);
    });
});
