/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER_NAMES, launchBrowser, NoBrowserError } from '../../browsers/launch.js';
import { BROWSERS } from '../../scripts/system-packages.mjs';

for (const name of BROWSER_NAMES) {
    test(`browsers: where there is no ${name}, the error says what to install or to set`, async (t) => {
        const { PATH, [BROWSERS[name].variable]: other } = process.env;
        t.after(() => Object.assign(process.env, { PATH }, other && { [BROWSERS[name].variable]: other }));
        process.env.PATH = '';
        delete process.env[BROWSERS[name].variable];
        await assert.rejects(launchBrowser(name), (error) => {
            assert.ok(error instanceof NoBrowserError);
            assert.ok(error.message.includes(BROWSERS[name].debianPackage), error.message);
            assert.ok(error.message.includes(BROWSERS[name].variable), error.message);
            return true;
        });
    });
}
