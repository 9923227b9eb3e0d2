/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Source text for a page that is driven by WebDriver. Text that a comment calls `function` is a function's source text. */

/**
 * Calls the function with arguments[0]. Returns its outcome, the page's address, and the page's messages since the last call.
 *
 * @param {string} called function
 */
export function callInPage(called) {
    return `
        const args = Array.from(JSON.parse(arguments[0]));
        const answer = (outcome) => {
            const said = (globalThis.holdfastSaid ?? []).splice(0);
            return JSON.stringify({ ...outcome, address: location.href, said });
        };
        return (async () => (${called})(...args))().then(
            (value) => answer({ value }),
            (error) => answer({ error: { message: error?.message ?? String(error), stack: error?.stack } }),
        );`;
}

/** Function: from now on collects the page's messages, for callInPage. */
export const listenInPage = String(() => {
    /** @type {{ event: string, type?: string, text: string }[]} */
    const said = [];
    Object.assign(globalThis, { holdfastSaid: said });
    for (const type of /** @type {const} */ (['log', 'info', 'warn', 'error'])) {
        const say = console[type];
        console[type] = (...words) => {
            said.push({ event: 'console', type, text: words.map(String).join(' ') });
            say.apply(console, words);
        };
    }
    addEventListener('error', ({ message }) => said.push({ event: 'pageerror', text: message }));
    addEventListener('unhandledrejection', ({ reason }) =>
        said.push({ event: 'pageerror', text: String(reason) }),
    );
});

/**
 * Function: (timeout, …) waits until the condition holds for the rest of its arguments.
 *
 * @param {string} condition function
 */
export function waitInPage(condition) {
    return `async (timeout, ...args) => {
        const end = performance.now() + timeout;
        while (!(await (${condition})(...args))) {
            if (performance.now() > end) {
                throw new Error('Waiting failed: ' + timeout + ' ms exceeded');
            }
            await new Promise(requestAnimationFrame);
        }
    }`;
}

/**
 * Function: (selector, …) uses the element of that selector.
 *
 * @param {string} use function
 */
export function withElementInPage(use) {
    return `(selector, ...args) => {
        const element = document.querySelector(selector);
        if (!element) {
            throw new Error('there is no element ' + selector);
        }
        return (${use})(element, ...args);
    }`;
}
