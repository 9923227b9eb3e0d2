/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * A new edition: other prices in all rows. Meanwhile the table is of two editions.
 *
 * @param {Int32Array} table
 */
export function publish(table) {
    for (let row = 0; row < table.length; row += 1) {
        table[row] = (table[row] ?? 0) + 1;
    }
}

/**
 * @param {Int32Array} table
 * @returns {number} the edition that all rows are of
 */
export function editionOf(table) {
    const [edition = 0] = table;
    if (table.some((price) => price !== edition)) {
        throw new Error('a table of two editions');
    }
    return edition;
}
