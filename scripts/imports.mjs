/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * Finds the imports in a module's text.
 *
 * @param {string} text
 */
export function importsOf(text) {
    const code = text.replace(/\/\*[^]*?\*\//g, '');
    const statements = code.matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*'([^']+)'/gm);
    const calls = code.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g);
    return [...statements, ...calls].map((match) => match[1] ?? '');
}
