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

/** @returns {() => number} how many cores others have used since, on average */
export function watchOtherLoad() {
    const start = performance.now();
    const others = workOfAll() - workOfThisProcess();
    return () => {
        const seconds = (performance.now() - start) / 1000;
        return Math.max(0, workOfAll() - workOfThisProcess() - others) / seconds;
    };
}
