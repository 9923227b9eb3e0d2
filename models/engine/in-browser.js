/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';

/** Long enough for any number of schedules; a step that does not end is found by the controller (engine.js). */
const LONGEST_RUN_MS = 24 * 60 * 60 * 1000;

/**
 * @param {import('../../browsers/launch.js').BrowserName} name
 * @param {import('./asking-module.js').AskingModule} module
 * @param {import('../scenario.js').Scenario[]} scenarios
 * @param {import('./run-schedules.js').Order} order
 * @returns {Promise<import('./run-schedules.js').Result & { version: string }>}
 * @throws {import('../../browsers/launch.js').NoBrowserError} if there is none
 */
export async function runInBrowser(name, module, scenarios, order) {
    const browser = await launchBrowser(name, { protocolTimeout: LONGEST_RUN_MS });
    const server = await serve({ folders: ['js-glue', 'models'] });
    try {
        const page = await browser.newPage();
        await page.goto(`${server.origin}/models/engine/page.html`);
        const asJson = { ...module, bytes: [...module.bytes] };
        const result = await page.evaluate(runOnPage, { module: asJson, scenarios, order });
        return { ...result, version: await browser.version() };
    } finally {
        await browser.close();
        await server.close();
    }
}

/**
 * Runs on the page.
 * @param {{ module: any, scenarios: import('../scenario.js').Scenario[],
 *     order: import('./run-schedules.js').Order }} options
 * @returns {Promise<import('./run-schedules.js').Result>}
 */
function runOnPage({ module, scenarios, order }) {
    const controller = new Worker('/models/engine/web-controller.js', { type: 'module' });
    return new Promise((resolve, reject) => {
        controller.onmessage = ({ data }) => resolve(data);
        controller.onerror = ({ message }) => reject(new Error(message));
        controller.postMessage({
            module: { ...module, bytes: Uint8Array.from(module.bytes) },
            scenarios,
            order,
        });
    });
}
