/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * @param {string} id of an element of index.html
 */
export function element(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * @param {string} id
 */
export function canvasOf(id) {
    return /** @type {HTMLCanvasElement} */ (element(id));
}

/**
 * @param {string} id
 * @param {string} text
 */
export function show(id, text) {
    const target = element(id);
    // The same text again would be work for the browser, and for who reads it aloud.
    if (target.textContent !== text) {
        target.textContent = text;
    }
}

/**
 * Not by `disabled`: a button that has the focus would lose it.
 *
 * @param {HTMLElement} button
 * @param {boolean} isAllowed
 */
export function allow(button, isAllowed) {
    button.setAttribute('aria-disabled', String(!isAllowed));
}
