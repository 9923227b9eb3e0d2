/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('../demo/start.mjs', import.meta.url));
const WATCHDOG_MS = 60_000;

/** @param {string[]} args */
function start(...args) {
    return spawn(process.execPath, [START, ...args], {
        env: { ...process.env, PORT: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: WATCHDOG_MS,
    });
}

/** @param {string[]} args */
async function run(...args) {
    const child = start(...args);
    const [output, complaints, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
    ]);
    return { code, output, complaints };
}

test('start: --once compares both locks in a table and ends', async () => {
    const { code, output, complaints } = await run('--once', '--seconds', '1');
    assert.equal(code, 0, output + complaints);
    assert.equal(complaints, '');
    assert.match(output, /│ +holdfast │ +the textbook lock │/);
    assert.match(output, /│ sections of worker 2 /);
    assert.match(output, /│ updates lost +│ +0 of [1-9][\d,]* │ +0 of [1-9][\d,]* │/);
    assert.match(output, /no update was lost/);
});

test('start: one worker and long sections work too', async () => {
    const { code, output, complaints } = await run(
        ...['--once', '--seconds', '0.5', '--workers', '1', '--section', '5000'],
    );
    assert.equal(code, 0, output + complaints);
    assert.match(output, /sections of worker 1 \(5,000 µs each\)/);
    assert.doesNotMatch(output, /sections of worker 2/);
});

test('start: --help shows every argument', async () => {
    const { code, output } = await run('--help');
    assert.equal(code, 0);
    for (const name of ['--once', '--workers', '--section', '--seconds', '--help', 'PORT']) {
        assert.ok(output.includes(name), name);
    }
});

test('start: arguments that make no sense are refused with a reason', async () => {
    for (const [args, reason] of /** @type {[string[], RegExp][]} */ ([
        [['--workers', '0'], /--workers must be a whole number from 1 to 64, not '0'/],
        [['--seconds', 'soon'], /--seconds must be a number/],
        [['--fast'], /Unknown option '--fast'/],
    ])) {
        const { code, output, complaints } = await run(...args);
        assert.equal(code, 2);
        assert.equal(output, '');
        assert.match(complaints, reason);
    }
});

test('start: the page is served until Ctrl-C', async () => {
    const child = start('--seconds', '0.1');
    const closed = once(child, 'close');
    let output = '';
    for await (const chunk of child.stdout) {
        output += chunk;
        if (output.includes('Ctrl-C')) {
            break;
        }
    }
    const address = /http:\/\/127\.0\.0\.1:\d+\/demo\/page\//.exec(output)?.[0];
    assert.ok(address, output);
    const response = await fetch(address);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /executeLocked/);
    child.kill('SIGINT');
    assert.deepEqual(await closed, [0, null]);
});
