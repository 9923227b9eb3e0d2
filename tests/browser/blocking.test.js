/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Calls of C that block, on the page; tests/package/emscripten.test.js has them on Node's main thread. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { FORMS } from '../support/callbacks-program.js';
import { buildOnce, C_FLAGS, libraryObject } from '../support/emscripten-build.js';
import { callOn, inEachBrowser, onPage } from './each-browser.js';

const FOLDER = 'build/blocking';

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    const options = ['-O1', '--no-entry', ...FORMS.factory.options];
    buildOnce(`${FOLDER}/blocking.js`, [
        ...[...C_FLAGS, ...options, libraryObject(options), 'tests/package/emscripten/blocking.c'],
        ...['-sENVIRONMENT=web,worker', '-sEXPORTED_RUNTIME_METHODS=UTF8ToString'],
    ]);
    server = await serve({ isFixed: true, folders: [FOLDER, 'tests/browser'] });
});

after(() => server?.close());

inEachBrowser((place) => {
    test('C on the page: a blocking call aborts even if the lock is free, and the message names the call to use instead', async () => {
        const { asElsewhere, calls } = await onPage(place.browser, server, (page) =>
            callOn(page, '/tests/browser/blocking.js', 'callsHere', `/${FOLDER}/blocking.js`),
        );
        assert.ok(calls.length >= 30);
        for (const { name, instead, told, unchanged } of calls) {
            if (instead) {
                assert.match(told, new RegExp(`holdfast: .* ${instead}\\b`), `${name}: ${told}`);
            } else {
                assert.equal(told, '', name);
            }
            assert.ok(unchanged, `${name} has changed an object`);
        }
        assert.equal(asElsewhere, 1, 'attempts, nested locks, HF_DEADLOCK and HF_NOT_OWNER');
    });
});
