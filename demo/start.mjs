/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { runContest } from './contest.mjs';
import { CONTESTANT_NAMES } from './contestants.js';
import { introductionOf, ProgressLine, sentenceOf, tableOf } from './report.mjs';
import { startServer } from './server.mjs';

const HELP = `Usage: npm start -- [options]

Workers take a lock again and again while this thread, an event loop, asks for it sixty times a second: first with
holdfast, then with the textbook lock. Then the same is served as a web page, until Ctrl-C.

  --once         end after the terminal part; the exit code is 1 if an update was lost
  --workers N    worker threads, 1 to 64                              (2)
  --section N    how long a section lasts, 1 to 100000 microseconds   (50)
  --seconds N    how long each lock is tried, 0.1 to 600 seconds      (3)
  --help         show this

PORT=8080 npm start serves the page there; the default is a free port.
`;

/** @param {string} name @param {string} text @param {{ least: number, most: number, whole?: boolean }} range */
function numberOf(name, text, { least, most, whole = false }) {
    const value = text.trim() === '' ? NaN : Number(text);
    if (!(value >= least && value <= most) || (whole && !Number.isInteger(value))) {
        const kind = whole ? 'a whole number' : 'a number';
        throw new Error(`${name} must be ${kind} from ${least} to ${most}, not '${text}'`);
    }
    return value;
}

/**
 * Reads the command line and the environment. Throws, with a message for the user, if they make no sense.
 * @param {string[]} args @param {{ PORT?: string }} environment
 */
function readOptions(args, { PORT = '0' }) {
    const { values } = parseArgs({
        args,
        options: {
            once: { type: 'boolean', default: false },
            workers: { type: 'string', default: '2' },
            section: { type: 'string', default: '50' },
            seconds: { type: 'string', default: '3' },
            help: { type: 'boolean', default: false },
        },
    });
    return {
        once: values.once === true,
        help: values.help === true,
        workers: numberOf('--workers', values.workers ?? '', { least: 1, most: 64, whole: true }),
        sectionUs: numberOf('--section', values.section ?? '', { least: 1, most: 100_000 }),
        seconds: numberOf('--seconds', values.seconds ?? '', { least: 0.1, most: 600 }),
        port: numberOf('PORT', PORT, { least: 0, most: 65_535, whole: true }),
    };
}

/** @typedef {ReturnType<typeof readOptions>} Options */

/** @param {Options} options @returns {Promise<boolean>} whether every update was kept */
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

/** Starts the server before the contest, so that a port in use is reported first. @param {Options} options */
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
