/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { figureOf } from '../figures.js';

/**
 * A pair of calls in C with nobody else there: holdfast beside all others, or why they are not there.
 *
 * @param {string} what
 * @param {Awaited<ReturnType<typeof import('../c-programs.js').runUncontendedInC>>[]} runs
 * @param {Record<string, import('../figures.js').Bound>} bounds
 */
export function pairFigures(what, runs, bounds) {
    const names = Object.keys(runs[0] ?? {});
    /** @param {string} name */
    const turnsOf = (name) => runs.flatMap((run) => run[name]?.nanoseconds ?? []);
    return names
        .filter((name) => name !== 'holdfast')
        .map((name) => {
            const cannot = runs[0]?.[name]?.cannot;
            const other = cannot === undefined ? { name, rounds: turnsOf(name) } : { name, cannot };
            return figureOf(
                what,
                'ns',
                turnsOf('holdfast'),
                other,
                cannot === undefined ? bounds[name] : undefined,
            );
        });
}
