/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { renderToString } from 'react-dom/server';
import { Leak } from './leak.jsx';

const MORE_THAN_FIT = 10_000;

/** @returns {{ renders: number, code?: string }} how many there were, and the error that ended them */
export function renderUntilFull() {
    for (let renders = 0; renders < MORE_THAN_FIT; renders += 1) {
        try {
            renderToString(<Leak />);
        } catch ({ code }) {
            return { renders, code };
        }
    }
    return { renders: MORE_THAN_FIT };
}
