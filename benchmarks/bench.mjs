/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { writeFileSync } from 'node:fs';
import { HELP, readCommandLine, UsageError } from './command-line.js';
import { isMissed } from './figures.js';
import { watchOtherLoad } from './other-load.js';
import { printMachine, printResult, printVerdict } from './terminal.js';
import { describeMachine } from './words.js';

/** @param {string[]} words */
async function bench(words) {
    const { help, json, options, chosen } = readCommandLine(words);
    if (help) {
        console.log(HELP);
        return;
    }
    const machine = describeMachine();
    printMachine(machine);
    const extent = options.full ? 'long' : 'quick';
    console.log(
        `a ${extent} run: ${options.rounds} rounds, ${options.seconds} s for one run of contending threads`,
    );
    const results = [];
    for (const { name, title, inOtherProcesses, run } of chosen) {
        const otherLoad = watchOtherLoad();
        const start = performance.now();
        const { figures, series = [] } = await run(options);
        const judged = figures.map((figure) => ({ ...figure, missed: isMissed(figure) }));
        const result = {
            name,
            title,
            seconds: (performance.now() - start) / 1000,
            otherCores: inOtherProcesses ? undefined : otherLoad(),
            figures: judged,
            series,
        };
        printResult(result);
        results.push(result);
        if (json !== undefined) {
            // After each, so that a later one that fails does not take the others with it.
            writeFileSync(
                json,
                `${JSON.stringify({ machine, options, scenarios: results }, undefined, 4)}\n`,
            );
        }
    }
    printVerdict(results);
}

try {
    await bench(process.argv.slice(2));
    process.exit(); // a rival's thread pool would keep it alive
} catch (error) {
    // A missed bound is a result. This is something else: lost updates, or a run that could not be made.
    process.stderr.write(
        `bench: ${error instanceof UsageError ? error.message : (/** @type {any} */ (error)?.stack ?? error)}\n`,
    );
    process.exit(1);
}
