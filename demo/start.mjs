/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runContest } from './contest.mjs';
import { CONTESTANT_NAMES } from './contestants.js';
import { HELP, readOptions } from './options.mjs';
import { ProgressLine } from './progress.mjs';
import { sentenceOf, tableOf } from './report.mjs';
import { startServer } from './server.mjs';

/** @typedef {ReturnType<typeof readOptions>} Options */

/**
 * @param {Options} options
 * @returns {Promise<boolean>} whether every update was kept
 */
async function compareInTerminal({ workers, sectionUs, seconds }) {
    const threads = workers === 1 ? '1 worker locks' : `${workers} workers lock`;
    console.log(`${threads} in a loop, while this thread asks for the lock sixty times a second.\n`);
    const results = [];
    for (const name of CONTESTANT_NAMES) {
        const line = new ProgressLine();
        const onProgress = line.show.bind(line);
        results.push(await runContest(name, { workers, sectionUs, seconds, onProgress }));
        line.end();
    }
    console.log(`\n${tableOf(results)}\n\n${sentenceOf(results)}`);
    return results.every(({ lost }) => lost === 0);
}

/** @param {Options} options */
async function servePage({ port }) {
    const server = await startServer({ port });
    console.log(`\nThe same on a web page: ${server.page}   (Ctrl-C ends)`);
    process.once('SIGINT', server.close);
}

/** @returns {Options | undefined} */
function optionsOrComplaint() {
    try {
        return readOptions(process.argv.slice(2), process.env);
    } catch (error) {
        console.error(`${/** @type {Error} */ (error).message}\n\n${HELP}`);
        process.exitCode = 2;
        return undefined;
    }
}

const options = optionsOrComplaint();
if (options?.help) {
    console.log(HELP);
} else if (options !== undefined) {
    const kept = await compareInTerminal(options);
    process.exitCode = kept ? 0 : 1;
    if (!options.once) {
        await servePage(options);
    }
}
