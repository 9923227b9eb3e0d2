/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

const LIMIT_MS = 20_000;

/** Lines that a development server itself prints. */
const OF_SERVER = /^\[(HMR|webpack)/;

/**
 * The console output of a page: `count` lines, or the lines up to an error, which is then the last one.
 *
 * @param {import('../../browsers/launch.js').Browser} browser
 * @param {string} address
 * @param {number} count
 * @returns {Promise<string[]>}
 */
export async function linesOf(browser, address, count) {
    const page = await browser.newPage();
    /** @type {string[]} */
    const lines = [];
    try {
        await new Promise((resolve, reject) => {
            const late = () => reject(new Error(`${address} printed only ${JSON.stringify(lines)}`));
            const timer = setTimeout(late, LIMIT_MS);
            const end = () => (clearTimeout(timer), resolve(undefined));
            page.on('console', (message) => {
                const isOfProgram = message.type() === 'log' && !OF_SERVER.test(message.text());
                if (isOfProgram && lines.push(message.text()) === count) {
                    end();
                }
            });
            page.on('pageerror', (error) => {
                lines.push(String(error));
                end();
            });
            // If the page reloads itself, this navigation ends with an error, which is expected.
            page.goto(address).catch(() => {});
        });
        return lines;
    } finally {
        await page.close();
    }
}
