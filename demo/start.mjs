/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runContest } from './contest.mjs';
import { CONTESTANT_NAMES } from './contestants.js';
import { HELP, readOptions } from './options.mjs';
import { ProgressLine } from './progress.mjs';
import { introductionOf, sentenceOf, tableOf } from './report.mjs';
import { startServer } from './server.mjs';

/** @typedef {ReturnType<typeof readOptions>} Options */

/**
 * @param {Options} options
 * @returns {Promise<boolean>} whether every update was kept
 */
async function compareInTerminal({ workers, sectionUs, seconds }) {
    console.log(`${introductionOf(workers)}\n`);
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

/**
 * Before the contest, so that a port that cannot be had is known before it.
 * @param {Options} options
 */
async function serverOrComplaint({ port }) {
    try {
        return await startServer({ port });
    } catch (error) {
        const { code } = /** @type {NodeJS.ErrnoException} */ (error);
        const reason = code === 'EADDRINUSE' ? 'another program listens there' : code;
        console.error(
            `The demo page cannot be served on port ${port}: ${reason}. Set PORT to a free one, or to 0.`,
        );
        process.exitCode = 1;
        return undefined;
    }
}

/** @param {Options} options */
async function compareAndServe(options) {
    const server = await serverOrComplaint(options);
    if (server === undefined) {
        return;
    }
    await compare(options);
    console.log(`\nThe same on a web page: ${server.page}   (Ctrl-C ends)`);
    process.once('SIGINT', server.close);
}

/** @param {Options} options */
async function compare(options) {
    const kept = await compareInTerminal(options);
    process.exitCode = kept ? 0 : 1;
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
    await (options.once ? compare(options) : compareAndServe(options));
}
