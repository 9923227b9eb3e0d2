/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { LOADERS } from './contestants.js';
import { scenarios } from './scenarios/scenarios.js';

const NAMES = scenarios.map(({ name }) => name);

export const HELP = `usage: npm run bench -- [options] [scenario ...]

scenarios, all by default:
${scenarios.map(({ name, title }) => `  ${name.padEnd(12)}${title}`).join('\n')}

options:
  --full        all of it, for about twenty minutes, and not only what shows most
  --rounds N    how often everything is measured; figures are medians (3)
  --seconds S   how long one run of contending threads is measured (0.2; in full 1)
  --json FILE   write the figures there too
  --against A,B compare with these only, where the scenario has a choice
                (${Object.keys(LOADERS).join(', ')})
  --help        show this`;

/** The arguments make no sense; the message says why. */
export class UsageError extends Error {
    /** @override */
    name = 'UsageError';
}

/**
 * @param {string} name
 * @param {string} text
 * @param {(value: number) => boolean} isFine
 */
function number(name, text, isFine) {
    const value = Number(text);
    if (!(value > 0 && value < Infinity && isFine(value))) {
        throw new UsageError(`--${name} ${text} is not a number that can be used`);
    }
    return value;
}

/** @param {string[]} words */
function parse(words) {
    try {
        return parseArgs({
            args: words,
            allowPositionals: true,
            options: {
                full: { type: 'boolean', default: false },
                rounds: { type: 'string' },
                seconds: { type: 'string' },
                json: { type: 'string' },
                against: { type: 'string' },
                help: { type: 'boolean', default: false },
            },
        });
    } catch (error) {
        throw new UsageError(error instanceof Error ? error.message : String(error));
    }
}

/**
 * @param {string[]} words
 * @throws {UsageError}
 */
export function readCommandLine(words) {
    const { values, positionals } = parse(words);
    const unknown = positionals.find((name) => !NAMES.includes(name));
    if (unknown !== undefined) {
        throw new UsageError(`there is no scenario "${unknown}"; there are ${NAMES.join(', ')}`);
    }
    const { full, rounds = '3', seconds = full ? '1' : '0.2' } = values;
    return {
        help: values.help,
        json: values.json,
        options: {
            full,
            rounds: number('rounds', rounds, Number.isInteger),
            seconds: number('seconds', seconds, () => true),
            ...(values.against !== undefined && { against: values.against.split(',') }),
        },
        chosen: scenarios.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    };
}
