/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { BROWSER_NAMES } from '../../browsers/launch.js';
import { describeCounts } from './counts.js';
import { buildEndlessModule } from './endless-module.js';
import { stressIn } from './in-browser.js';
import { stressInNode } from './in-node.js';

/**
 * @callback RunInPlace
 * @param {{ seed: number, minutes: number, bytes: Uint8Array, tell: (line: string) => void }} options
 * @returns {Promise<import('./counts.js').Counts>}
 */

/** @type {Map<string, RunInPlace>} */
const PLACES = new Map([
    ['node', stressInNode],
    ...BROWSER_NAMES.map((name) => /** @type {const} */ ([name, stressIn(name)])),
]);
const BY_DEFAULT = ['node', 'chromium'];

const USAGE = `npm run stress -- [options]
    --minutes M   in each place (1); fractions are fine
    --seed S      of all that is drawn (drawn, and printed)
    --in PLACE    ${[...PLACES.keys()].join(', ')}; may be given several times (${BY_DEFAULT.join(' and ')})`;

class UsageError extends Error {}

/** @param {string} name @param {string} text */
function number(name, text) {
    const value = Number(text);
    if (!(value >= 0 && value < Infinity)) {
        throw new UsageError(`--${name} ${text} is not a number that can be used`);
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
        const runInPlace = PLACES.get(name);
        if (!runInPlace) {
            throw new UsageError(`--in ${name} is none of ${[...PLACES.keys()].join(', ')}`);
        }
        return { name, runInPlace };
    });
    return {
        places,
        minutes: number('minutes', values.minutes),
        seed: number('seed', values.seed),
        help: values.help,
    };
}

async function main() {
    const { places, minutes, seed, help } = parse();
    if (help) {
        console.log(USAGE);
        return;
    }
    const bytes = buildEndlessModule();
    for (const { name, runInPlace } of places) {
        console.log(`${name}: seed ${seed}, ${minutes} min`);
        const start = performance.now();
        const tell = (/** @type {string} */ line) => {
            console.log(`  ${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s: ${line}`);
        };
        tell(describeCounts(await runInPlace({ seed, minutes, bytes, tell })));
    }
}

try {
    await main();
} catch (error) {
    console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error);
    // At once: threads may hang in the lock that has failed.
    process.exit(1);
}
