/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { element } from './elements.js';

/** @param {string} tag @param {Record<string, string>} attributes @param {string | Element[]} content */
function make(tag, attributes, content) {
    const made = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
    made.append(...content);
    return made;
}

/**
 * Fills a table with empty cells for figures.
 * @param {string} id of the table @param {Record<string, string>} columns their titles, by the words for `idOf`
 * @param {Record<string, string>} rows @param {(row: string, column: string) => string} idOf of a cell
 */
export function fillTable(id, columns, rows, idOf) {
    const heads = Object.entries(columns).map(([column, title]) =>
        make('th', { scope: 'col', id: `${id}-${column}` }, title),
    );
    const lines = Object.entries(rows).map(([row, title]) => {
        const cells = Object.keys(columns).map((column) => make('td', { id: idOf(row, column) }, '–'));
        return make('tr', {}, [make('th', { scope: 'row' }, title), ...cells]);
    });
    const head = make('thead', {}, [make('tr', {}, [make('td', {}, ''), ...heads])]);
    element(id).append(head, make('tbody', {}, lines));
}
