/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.js';
import { SWITCHES } from './switches.js';

const USAGE = `npm run fuzz -- [options]
    --minutes M   in each place (1); fractions are fine
    --count N     at most so many programs in each place
    --seed S      of the first program; the next ones have the next seeds (drawn, and printed). With a seed and without
                  --minutes or --count, that one program is played
    --where W     node, chromium; may be given several times (both)
    --shrink S    seconds in which a program that fails is made smaller (60)
    --patience S  after which a program hangs (12)
    --with NAME   also makes what an open defect does not allow yet: ${Object.keys(SWITCHES).join(', ')}; all`;

const MS_PER_MINUTE = 60_000;
const SHRINK_MS = 60_000;
/** Longer than any wait of a program. */
const PATIENCE_MS = 12_000;

class UsageError extends Error {}

function parse() {
    try {
        const { values } = parseArgs({
            options: {
                minutes: { type: 'string' },
                count: { type: 'string' },
                seed: { type: 'string' },
                where: { type: 'string', multiple: true, default: ['node', 'chromium'] },
                with: { type: 'string', multiple: true, default: [] },
                shrink: { type: 'string' },
                patience: { type: 'string' },
                help: { type: 'boolean', default: false },
            },
        });
        return values;
    } catch (error) {
        throw new UsageError(error instanceof Error ? error.message : String(error));
    }
}

/** @param {string} name @param {string} text */
function number(name, text) {
    const value = Number(text);
    if (!(value >= 0 && value < Infinity)) {
        throw new UsageError(`--${name} ${text} is not a valid number`);
    }
    return value;
}

/** @param {string} where */
async function open(where) {
    switch (where) {
        case 'node':
            return (await import('./in-node.js')).openNode();
        case 'chromium':
            return (await import('./in-browser.js')).openBrowser('chromium');
        default:
            throw new UsageError(`--where ${where} is neither node nor chromium`);
    }
}

async function main() {
    const { minutes, count, seed, where, with: names, shrink, patience, help } = parse();
    if (help) {
        console.log(USAGE);
        return;
    }
    const isReplay = seed !== undefined && minutes === undefined && count === undefined;
    const options = {
        seed: number('seed', seed ?? String(Math.floor(Math.random() * 2 ** 31))),
        count: isReplay ? 1 : count === undefined ? Infinity : number('count', count),
        milliseconds:
            minutes === undefined && count !== undefined
                ? Infinity
                : number('minutes', minutes ?? '1') * MS_PER_MINUTE,
        shrinkMilliseconds: shrink === undefined ? SHRINK_MS : number('shrink', shrink) * 1000,
        patience: patience === undefined ? PATIENCE_MS : number('patience', patience) * 1000,
        with: names,
        tell: console.log,
    };
    for (const name of where) {
        console.log(
            `${name}: from seed ${options.seed} on${names.length > 0 ? `, with ${names.join(', ')}` : ''}`,
        );
        const place = await open(name);
        const start = performance.now();
        const { programs, failure } = await fuzz(place, { ...options, inBrowser: name !== 'node' });
        await place.close();
        const seconds = ((performance.now() - start) / 1000).toFixed(1);
        console.log(`${name}: ${programs} programs in ${seconds} s, ${failure ? 'one fails' : 'none fails'}`);
        if (failure) {
            const again = [
                'npm run fuzz --',
                `--seed ${failure.seed}`,
                `--where ${name}`,
                ...names.map((one) => `--with ${one}`),
            ];
            console.error(`\n${failure.code}\n\nagain: ${again.join(' ')}`);
            process.exitCode = 1;
        }
    }
}

try {
    await main();
} catch (error) {
    console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error);
    process.exitCode = 1;
}
