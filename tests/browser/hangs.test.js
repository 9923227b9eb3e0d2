/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import { launchBrowser } from '../../browsers/launch.js';
import { HANGS } from '../support/hangs.js';
import { callOn, onPage } from './each-browser.js';

/* Programs that hang, and the reports of each in Chromium, without and with debug(). Other browsers' stacks
 * look different. */

const PAGE = '/tests/browser/hangs-page.js';

/** Shorter than programs would choose, for quick tests. */
const LIMITS = { waitFor: 3000, heldFor: 1500 };

/** Reports about time, one of which may come before the report of the hang on a loaded machine. */
const OF_TIME = ['HF_LONG_HOLD', 'HF_LONG_WAIT'];

/** How long a program without debug() is watched; it must report nothing in that time. */
const SILENT_MS = 1500;

/** @type {import('../../browsers/launch.js').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    server = await serve({ isFixed: true, folders: ['js-glue', 'tests/browser', 'tests/support'] });
    browser = await launchBrowser('chromium');
});

after(async () => {
    await browser?.close();
    await server?.close();
});

/** @param {unknown} task @returns {Promise<import('./hangs-page.js').Seen[]>} */
function runAll(task) {
    return onPage(browser, server, (page) => callOn(page, PAGE, 'runAll', task));
}

test('hangs: without debug(), each listed program hangs or fails on a page as the list says', async (t) => {
    const codes = HANGS.map(({ without, ends }) => without ?? (ends ? 'ended' : 'started'));
    const seen = await runAll({ codes, silentMs: SILENT_MS });
    for (const [at, { name, without, ends, threads }] of HANGS.entries()) {
        await t.test(`hangs: ${name}: without debug() ${without ?? 'nothing'} is reported`, () => {
            const { told = [], ended } = seen[at] ?? {};
            assert.deepEqual(
                told.map(({ code }) => code),
                without ? [without] : [],
            );
            assert.equal(ended === threads.length, ends === true);
        });
    }
});

test('hangs: with debug(), each hang on a page is reported as the list says', async (t) => {
    const codes = HANGS.map(({ code }) => code);
    const seen = await runAll({ options: LIMITS, codes });
    for (const [at, { name, code, says, from = /^/ }] of HANGS.entries()) {
        await t.test(`hangs: ${name}: ${code} with debug()`, (one) => {
            const { told = [] } = seen[at] ?? {};
            const first = told.find((report) => report.code === code || !OF_TIME.includes(report.code));
            assert.ok(first, told.map(({ text }) => text).join('\n'));
            one.diagnostic(`told after ${first.ms.toFixed()} ms`);
            assert.equal(first.code, code, first.message);
            assert.match(first.message, says);
            assert.match(first.text, from);
        });
    }
});
