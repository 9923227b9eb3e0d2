/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';

export const HELP = `Usage: npm start -- [options]

Workers take a lock again and again while this thread, an event loop, asks for it sixty times a second: first with
holdfast, then with the textbook lock. Then the same is served as a web page, until Ctrl-C.

  --once         end after the terminal part; the exit code is 1 if an update was lost
  --workers N    worker threads, 1 to 64                              (2)
  --section N    how long a section lasts, 1 to 100000 microseconds   (50)
  --seconds N    how long each lock is tried, 0.1 to 600 seconds      (3)
  --help         show this

PORT=8080 npm start serves the page there; the default is a free port.
`;

/**
 * @param {string} name
 * @param {string} text
 * @param {{ least: number, most: number, whole?: boolean }} range
 */
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
 * @param {string[]} args
 * @param {{ PORT?: string }} environment
 */
export function readOptions(args, { PORT = '0' }) {
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
