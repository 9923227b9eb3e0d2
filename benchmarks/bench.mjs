/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { writeFileSync } from 'node:fs';
import { HELP, readCommandLine, UsageError } from './command-line.js';
import { isMissed } from './figures.js';
import { watchOtherLoad } from './other-load.js';
import { describeMachine, printFigures, printMachine, printVerdict } from './report.js';

/** @param {string[]} words */
async function bench(words) {
    const { help, json, options, chosen } = readCommandLine(words);
    if (help) {
        console.log(HELP);
        return;
    }
    const machine = describeMachine();
    printMachine(machine);
    console.log(`${options.rounds} rounds, ${options.seconds} s for one run of contending threads`);
    const results = [];
    for (const scenario of chosen) {
        const otherLoad = watchOtherLoad();
        const figures = await scenario.run(options);
        printFigures(scenario, figures, otherLoad());
        results.push(...figures.map((figure) => ({ scenario: scenario.name, figure })));
    }
    printVerdict(results);
    if (json !== undefined) {
        const figures = results.map(({ scenario, figure }) => ({
            scenario,
            ...figure,
            missed: isMissed(figure),
        }));
        writeFileSync(json, `${JSON.stringify({ machine, options, figures }, undefined, 4)}\n`);
    }
}

try {
    await bench(process.argv.slice(2));
} catch (error) {
    // A missed bound is a result. This is something else: lost updates, or a run that could not be made.
    process.stderr.write(
        `bench: ${error instanceof UsageError ? error.message : (/** @type {any} */ (error)?.stack ?? error)}\n`,
    );
    process.exit(1);
}
