/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * Joins the team that has fewer players. It counts without atomics: of two players who do this at once, one would be
 * lost, or both would join the same team.
 *
 * @param {Int32Array} teams two counts a match
 * @param {number} match
 */
export function joinSmallerTeam(teams, match) {
    const [home = 0, away = 0] = teams.subarray(2 * match);
    for (let steps = 0; steps < 50_000; steps += 1) {
        /* walks over to them */
    }
    teams.set(home <= away ? [home + 1] : [home, away + 1], 2 * match);
}
