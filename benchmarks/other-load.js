/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import os from 'node:os';

/* Measures how much of the machine other programs use during a measurement. Contending threads need whole cores, so a missed
 * bound beside a busy program means little. */

/** Seconds of work that all cores have done for all programs. */
function workOfAll() {
    const milliseconds = os
        .cpus()
        .reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
    return milliseconds / 1000;
}

function workOfThisProcess() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
}

/** The system counts work in hundredths of a second. */
const SHORTEST_SECONDS = 0.5;

/** @returns {() => number | undefined} how many cores other programs have used since; undefined if too little time has passed */
export function watchOtherLoad() {
    const start = performance.now();
    const others = workOfAll() - workOfThisProcess();
    return () => {
        const seconds = (performance.now() - start) / 1000;
        return seconds < SHORTEST_SECONDS
            ? undefined
            : Math.max(0, workOfAll() - workOfThisProcess() - others) / seconds;
    };
}
