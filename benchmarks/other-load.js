/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import os from 'node:os';

/* How much of the machine other programs use during a measurement. Threads that contend need whole cores, so
 * a figure that missed its bound beside a busy neighbour says little. */

/** Seconds of work that all cores have done, for anybody. */
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

/** @returns {() => number | undefined} how many cores others have used since; nothing if that was too short ago */
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
