/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { BROWSER_NAMES } from '../../browsers/launch.js';
import { describeCounts } from './counts.js';
import { buildEndlessModule } from './endless-module.js';
import { inBrowser } from './in-browser.js';
import { IN_NODE } from './in-node.js';

/**
 * @typedef {{ seed: number, bytes: Uint8Array, tell: (line: string) => void }} Common
 *
 * @typedef {object} Place where it can run
 * @property {(options: Common & { minutes: number, deaths: number }) => Promise<import('./counts.js').Counts>} stress
 * @property {(options: Common & { operations: number }) => Promise<void>} games
 */

/** @type {Map<string, Place>} */
const PLACES = new Map([
    ['node', IN_NODE],
    ...BROWSER_NAMES.map((name) => /** @type {const} */ ([name, inBrowser(name)])),
]);
const BY_DEFAULT = ['node', 'chromium'];

const USAGE = `npm run stress -- [options]
    --minutes M   in each place (1); fractions are fine
    --deaths N    and then of threads that hold a lock, until so many of those have died (0)
    --games N     instead: each game of the family, for each number of threads, with N operations (README)
    --seed S      of all that is drawn (drawn, and printed)
    --in PLACE    ${[...PLACES.keys()].join(', ')}; may be given several times (${BY_DEFAULT.join(' and ')})`;

class UsageError extends Error {}

/** @param {string} name @param {string} text */
function number(name, text) {
    const value = Number(text);
    if (!(value >= 0 && value < Infinity)) {
        throw new UsageError(`--${name} ${text} is not a valid number`);
    }
    return value;
}

function parseWords() {
    try {
        return parseArgs({
            options: {
                minutes: { type: 'string', default: '1' },
                seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
                in: { type: 'string', multiple: true, default: BY_DEFAULT },
                deaths: { type: 'string', default: '0' },
                games: { type: 'string' },
                help: { type: 'boolean', default: false },
            },
        });
    } catch (error) {
        throw new UsageError(error instanceof Error ? error.message : String(error));
    }
}

function parse() {
    const { values } = parseWords();
    const places = values.in.map((name) => {
        const place = PLACES.get(name);
        if (!place) {
            throw new UsageError(`--in ${name} is none of ${[...PLACES.keys()].join(', ')}`);
        }
        return { name, place };
    });
    return {
        places,
        minutes: number('minutes', values.minutes),
        deaths: number('deaths', values.deaths),
        seed: number('seed', values.seed),
        operations: values.games === undefined ? undefined : number('games', values.games),
        help: values.help,
    };
}

async function main() {
    const { places, minutes, deaths, seed, operations, help } = parse();
    if (help) {
        console.log(USAGE);
        return;
    }
    const bytes = buildEndlessModule();
    for (const { name, place } of places) {
        const start = performance.now();
        const tell = (/** @type {string} */ line) => {
            console.log(`  ${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s: ${line}`);
        };
        if (operations === undefined) {
            console.log(`${name}: seed ${seed}, ${minutes} min, ${deaths} deaths of holders`);
            tell(describeCounts(await place.stress({ seed, minutes, deaths, bytes, tell })));
        } else {
            console.log(`${name}: seed ${seed}, games of ${operations} operations`);
            await place.games({ seed, operations, bytes, tell });
        }
    }
}

try {
    await main();
} catch (error) {
    console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error);
    // Ends at once, since threads may hang in the lock that has failed.
    process.exit(1);
}
