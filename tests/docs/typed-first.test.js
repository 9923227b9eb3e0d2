/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as holdfast from 'holdfast';
import { ROOT } from '../support/documents.js';

/* Runs each row of the table in docs/migration.md: what users of other locks type first. */

const text = readFileSync(join(ROOT, 'docs/migration.md'), 'utf8');
const [, section = ''] = text.split('## What you type first');
const rows = section
    .slice(0, section.indexOf('\n## '))
    .split('\n')
    .filter((line) => /^\|.*`/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

/** The objects that the rows use, new for each row. */
function objects() {
    const { Barrier, Condition, CountingSemaphore, Event, Latch, LockSpace, Mutex, Once, RwLock } = holdfast;
    const mutex = new Mutex();
    return {
        ...holdfast,
        ...{ mutex, guard: mutex.tryAcquire() },
        ...{
            free: new Mutex(),
            rwlock: new RwLock(),
            semaphore: new CountingSemaphore({ initial: 3, max: 5 }),
        },
        ...{
            condition: new Condition(),
            latch: new Latch({ count: 1 }),
            barrier: new Barrier({ parties: 1 }),
        },
        ...{ event: new Event(), once: new Once(), space: new LockSpace(), f: () => 7 },
    };
}

/** @param {string} code @returns {Promise<string>} 'works', the code of an error, or its name */
async function outcomeOf(code) {
    const scope = objects();
    try {
        const run = new Function(...Object.keys(scope), `return (async () => ${code})()`);
        await run(...Object.values(scope));
        return 'works';
    } catch (error) {
        const { code: known, name } = /** @type {any} */ (error);
        return known ?? name;
    }
}

test('typed first: the migration table has rows for each language and package', () => {
    const from = new Set(rows.map(([, cell = '']) => cell).filter(Boolean));
    assert.ok(rows.length > 30, `${rows.length} rows`);
    for (const name of [
        'std::sync',
        'Java',
        'C++',
        'async-mutex',
        'async-sema',
        'Web Locks',
        'Atomics.Mutex',
    ]) {
        assert.ok(
            [...from].some((cell) => cell.includes(name)),
            name,
        );
    }
});

for (const [, from = '', typed = '', comes = '', instead = ''] of rows) {
    const [, code = ''] = /^`(.*)`$/.exec(typed.replaceAll('\\|', '|')) ?? [];
    const [, outcome = comes] = /^`(\w+)`/.exec(comes) ?? [];
    test(`typed first: ${from && `${from}: `}${code}: ${outcome}`, async () => {
        assert.equal(await outcomeOf(code), outcome);
        const [, answer = ''] = /^`(.*?)`/.exec(instead) ?? [];
        if (outcome !== 'works' && !answer.startsWith('holdfast/')) {
            assert.equal(await outcomeOf(answer), 'works', `${answer} instead`);
        }
    });
}
