/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { renderToString } from 'react-dom/server';
import { Unguarded } from './unguarded.jsx';

/** More than one space has room for. */
const RENDERS = 10_000;

/** @returns {number} how often the component was rendered */
export function renderMany() {
    let renders = 0;
    while (renders < RENDERS) {
        renderToString(<Unguarded />);
        renders += 1;
    }
    return renders;
}
