/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { contestant, KEY } from './rivals/atomics-mutex.js';

/* Atomics.Mutex is behind a flag of V8's, under which other things fail too: Node 20 crashes in the scenario
 * "queue", and may hang for ever when threads start while another one collects garbage. So it competes in a process of
 * its own, in a short run, with holdfast beside it there, and no run depends on its end. */

const BENCH = fileURLToPath(new URL('./bench.mjs', import.meta.url));
const FLAG = '--harmony-struct';
const MOST_MS = 120_000;

/**
 * @param {string} name of a scenario
 * @param {import('./scenarios/scenarios.js').Options} options
 * @returns {Promise<import('./figures.js').Results>}
 */
async function runFlagged(name, { rounds, seconds }) {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
    try {
        const json = join(folder, 'figures.json');
        await promisify(execFile)(
            process.execPath,
            [
                FLAG,
                BENCH,
                name,
                ...['--rounds', String(rounds), '--seconds', String(seconds)],
                ...['--against', KEY, '--json', json],
            ],
            { timeout: MOST_MS, killSignal: 'SIGKILL' },
        );
        return JSON.parse(await readFile(json, 'utf8')).scenarios[0];
    } finally {
        await rm(folder, { recursive: true });
    }
}

/**
 * The scenario, in full with Atomics.Mutex where V8 has it.
 *
 * @param {import('./scenarios/scenarios.js').Scenario} scenario
 * @returns {import('./scenarios/scenarios.js').Scenario}
 */
export function withAtomicsMutex(scenario) {
    return {
        ...scenario,
        async run(options) {
            const { figures, series = [] } = await scenario.run(options);
            if (!options.full || options.against !== undefined || contestant.missing === undefined) {
                return { figures, series };
            }
            const others = figures.filter(({ beside }) => beside?.name !== contestant.title);
            const [first] = figures;
            try {
                const flagged = await runFlagged(scenario.name, options);
                return {
                    figures: [
                        ...others,
                        ...flagged.figures.map((figure) => ({
                            ...figure,
                            what: `${figure.what}, under ${FLAG}`,
                        })),
                    ],
                    series,
                };
            } catch {
                const beside = {
                    name: contestant.title,
                    cannot: `its process crashed or hung under ${FLAG}`,
                };
                return { figures: first ? [...others, { ...first, beside }] : others, series };
            }
        },
    };
}
