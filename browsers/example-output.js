/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * The output of an example's page at its end, successful or not.
 *
 * @param {import('./launch.js').Page} page
 * @param {string} address
 * @param {number} timeout ms
 */
export async function outputOf(page, address, timeout) {
    await page.goto(address);
    const output = () => page.$eval('output', ({ value }) => value);
    const hasEnded = () => /^(Done\.|Failed: .*)$/m.test(document.querySelector('output')?.value ?? '');
    try {
        await page.waitForFunction(hasEnded, { timeout });
    } catch (error) {
        throw new Error(`${address} did not end; its output:\n${await output()}`, { cause: error });
    }
    return output();
}

/**
 * The lines of an example that must end without an error.
 *
 * @param {import('./launch.js').Page} page
 * @param {string} address
 * @param {number} timeout ms
 */
export async function linesOf(page, address, timeout) {
    const lines = (await outputOf(page, address, timeout)).trim().split('\n');
    const end = lines.pop();
    if (end !== 'Done.') {
        throw new Error(`${address}: ${[...lines, end].join('\n')}`);
    }
    return lines;
}
