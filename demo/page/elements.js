/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @param {string} id of an element of index.html */
export function element(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @param {string} id */
export function canvasOf(id) {
    return /** @type {HTMLCanvasElement} */ (element(id));
}

/** @param {string} id @param {string} text */
export function show(id, text) {
    const target = element(id);
    // Writing the same text again would be work for the browser and for screen readers.
    if (target.textContent !== text) {
        target.textContent = text;
    }
}

/**
 * Enables or disables a button. Not by `disabled`, which takes the focus away.
 * @param {HTMLElement} button @param {boolean} isAllowed
 */
export function allow(button, isAllowed) {
    button.setAttribute('aria-disabled', String(!isAllowed));
}
