/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { bundled } from '../explorer/glue-code.js';

/** Long enough for any number of schedules. The controller itself detects a step that does not end. */
const LONGEST_RUN_MS = 24 * 60 * 60 * 1000;

/**
 * @param {import('../../browsers/launch.js').BrowserName} name
 * @returns {Promise<import('./in-node.js').Controller>}
 * @throws {import('../../browsers/launch.js').NoBrowserError}
 */
export async function openBrowserController(name) {
    const browser = await launchBrowser(name, { protocolTimeout: LONGEST_RUN_MS });
    const server = await serve({ isFixed: true, folders: ['js-glue', 'models'] });
    const page = await browser.newPage();
    await page.goto(`${server.origin}/models/engine/page.html`);

    /** @param {import('./asking-module.js').AskingModule} module @param {object} task */
    const perform = (module, task) =>
        page.evaluate(performOnPage, {
            ...task,
            glue: bundled(),
            module: { ...module, bytes: [...module.bytes], original: undefined },
        });

    return {
        version: await browser.version(),
        run: (module, scenarios, order) => perform(module, { scenarios, order }),
        replay: (module, scenario, lines) => perform(module, { scenarios: [scenario], lines }),
        async close() {
            await browser.close();
            await server.close();
        },
    };
}

/** Runs on the page. @param {any} task as JSON @returns {Promise<any>} */
function performOnPage(task) {
    const controller = new Worker('/models/engine/web-controller.js', { type: 'module' });
    const bytes = Uint8Array.from(task.module.bytes);
    const answered = new Promise((resolve, reject) => {
        controller.onmessage = ({ data }) => {
            if (data === 'ready') {
                // A message posted earlier would be lost.
                controller.postMessage({ ...task, module: { ...task.module, bytes } });
            } else {
                resolve(data);
            }
        };
        controller.onerror = ({ message }) => reject(new Error(message));
    });
    return answered.finally(() => controller.terminate());
}
