/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * Map.groupBy, which Node 20 does not have yet.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => string} keyOf
 */
export function groupBy(items, keyOf) {
    /** @type {Map<string, T[]>} */
    const groups = new Map();
    for (const item of items) {
        const key = keyOf(item);
        groups.set(key, [...(groups.get(key) ?? []), item]);
    }
    return groups;
}
