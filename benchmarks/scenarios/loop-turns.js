/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Contestants that loop with nobody else there take turns, and quickly, so that a disturbance of the machine seldom
 * falls on one only. */

/** As many as give a median. */
const TURNS = 15;

/** Longer ones would show nothing more. */
const MOST_MILLISECONDS = 10;

/** A loop needs less time than threads that contend until its speed is known; of theirs, all turns have this part. */
const PART_OF_A_RUN = 1 / 4;

/**
 * @param {import('./scenarios.js').Options} options
 * @returns {{ turns: number, milliseconds: number }} of each contestant in a round
 */
export function loopTurns({ seconds }) {
    const milliseconds = Math.ceil((seconds * 1000 * PART_OF_A_RUN) / TURNS);
    return { turns: TURNS, milliseconds: Math.min(milliseconds, MOST_MILLISECONDS) };
}
