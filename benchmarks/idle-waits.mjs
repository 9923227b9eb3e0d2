/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The share of a core that idle waits take in Node: `node benchmarks/idle-waits.mjs`, after a build. With
 * `--polls`, as where there is no Atomics.waitAsync. Each number is of a process of its own. */
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SETTLE_MS = 1000;
const MEASURE_MS = 5000;
const COUNTS = [1, 1000, 10_000];

/** @type {Record<string, (holdfast: typeof import('holdfast'), space: any) => unknown>} */
const KINDS = {
    event: ({ Event }, space) => new Event({ space }).waitAsync(),
    mutex({ Mutex }, space) {
        const mutex = new Mutex({ space });
        mutex.lock();
        return mutex.executeLocked(() => {});
    },
};

/**
 * @param {string} kind
 * @param {number} count
 */
async function measure(kind, count) {
    const holdfast = await import('holdfast');
    const space = new holdfast.LockSpace({ pages: 16 });
    for (let made = 0; made < count; made += 1) {
        KINDS[kind]?.(holdfast, space);
    }
    await sleep(SETTLE_MS);
    const [cpu, begin] = [process.cpuUsage(), performance.now()];
    await sleep(MEASURE_MS);
    const { user, system } = process.cpuUsage(cpu);
    const share = (user + system) / 1000 / (performance.now() - begin);
    console.log(`${count.toLocaleString('en')} idle waits, ${kind}: ${(100 * share).toFixed(2)} % of a core`);
    process.exit();
}

const [kind = '', count] = process.argv.slice(2).filter((word) => word !== '--polls');
const polls = process.argv.includes('--polls');
if (kind in KINDS) {
    if (polls) {
        Reflect.deleteProperty(Atomics, 'waitAsync'); // before the package is loaded
    }
    await measure(kind, Number(count));
} else {
    for (const each of Object.keys(KINDS)) {
        for (const number of COUNTS) {
            const words = [each, String(number), ...(polls ? ['--polls'] : [])];
            spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...words], { stdio: 'inherit' });
        }
    }
}
