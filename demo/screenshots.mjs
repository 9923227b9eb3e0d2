/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Takes the two pictures of docs/figures that show the demo page: the same settings, with either lock. */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../browsers/launch.js';
import { CONTESTANT_NAMES } from './contestants.js';
import { startServer } from './server.mjs';

/** Until the timeline is full. */
const RUNS_MS = 8000;

const VIEWPORT = { width: 960, height: 1400 };
const MARGIN_PX = 12;

const FOLDER = new URL('../docs/figures/', import.meta.url);

/**
 * From the controls to the close-up, which is what one looks at first.
 *
 * @param {import('../browsers/launch.js').Page} page
 */
async function clipOf(page) {
    const { x, width, top, bottom } = await page.evaluate(() => {
        const first = document.querySelector('#mutex-controls')?.getBoundingClientRect() ?? new DOMRect();
        const last = document.querySelector('#close-up-words')?.getBoundingClientRect() ?? new DOMRect();
        return { x: first.x, width: first.width, top: first.top + scrollY, bottom: last.bottom + scrollY };
    });
    return {
        x: x - MARGIN_PX,
        y: top - MARGIN_PX,
        width: width + 2 * MARGIN_PX,
        height: bottom - top + 2 * MARGIN_PX,
    };
}

const server = await startServer();
const browser = await launchBrowser('chromium');
try {
    for (const name of CONTESTANT_NAMES) {
        const page = await browser.newPage();
        await page.setViewport(VIEWPORT);
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
        await page.goto(server.page);
        await page.click(`label:has(> input[value=${name}])`);
        await delay(RUNS_MS);
        const path = /** @type {`${string}.png`} */ (fileURLToPath(new URL(`demo-${name}.png`, FOLDER)));
        await page.screenshot({ path, clip: await clipOf(page) });
        console.log(path);
        await page.close();
    }
} finally {
    await browser.close();
    await server.close();
}
