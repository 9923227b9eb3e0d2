/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sentenceOf } from '../../demo/report.mjs';

const START = fileURLToPath(new URL('../../demo/start.mjs', import.meta.url));
const WATCHDOG_MS = 60_000;

/** @param {string[]} args */
function start(...args) {
    return startAt(0, ...args);
}

/**
 * @param {number} port
 * @param {string[]} args
 */
function startAt(port, ...args) {
    return spawn(process.execPath, [START, ...args], {
        env: { ...process.env, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: WATCHDOG_MS,
    });
}

/** @param {string[]} args */
async function run(...args) {
    return endOf(start(...args));
}

/** @param {ReturnType<typeof start>} child */
async function endOf(child) {
    const [output, complaints, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
    ]);
    return { code, output, complaints };
}

/** Two tests use this output. */
const comparison = run('--once', '--seconds', '0.3');

test('start: --once compares both locks in a table and ends', async () => {
    const { code, output, complaints } = await comparison;
    assert.equal(code, 0, output + complaints);
    assert.equal(complaints, '');
    assert.match(output, /│ +holdfast │ +the textbook lock │/);
    assert.match(output, /│ worker 2: times it held the lock, 25 µs each /);
    assert.match(
        output,
        /│ updates of the shared counter that were lost +│ +0 of [1-9][\d,]* │ +0 of [1-9][\d,]* │/,
    );
    assert.match(output, /no update was lost/);
});

test('start: the closing sentence says how many updates were lost', () => {
    const requests = { made: 1, unanswered: 0, medianMs: 1, p99Ms: 1, worstMs: 1 };
    const run = { elapsedMs: 1, workers: [], loopSections: 1, requests, longestPauseMs: 1, sections: 9 };
    const results = /** @type {const} */ ([
        { ...run, name: 'holdfast', lost: 0 },
        { ...run, name: 'textbook', lost: 2 },
    ]);
    assert.match(sentenceOf([...results]), /; 2 UPDATES WERE LOST\.$/);
});

test('start: prints the contestants, the number of cores, and the waits of the slowest requests', async () => {
    const { output } = await comparison;
    assert.match(output, /textbook lock .*compare-exchange; if that fails, wait and retry/);
    assert.match(output, /2 workers and this thread share (1 core|\d+ cores)\./);
    for (const name of ['99th percentile', 'worst']) {
        assert.match(output, new RegExp(`│ event loop: wait for the lock, ${name} +│ +[\\d,.]+ ms │`), name);
    }
    assert.match(output, /│ event loop: longest pause between two ticks/);
    const wait = 'waited for at most [\\d,.]+ ms and the longest for [\\d,.]+ ms';
    assert.match(
        output,
        new RegExp(
            `asked for the lock: with holdfast 99 of 100 requests ${wait}.*textbook lock 99 of 100 .*${wait}`,
        ),
    );
});

test('start: one worker and long sections work too', async () => {
    const { code, output, complaints } = await run(
        ...['--once', '--seconds', '0.2', '--workers', '1', '--section', '5000'],
    );
    assert.equal(code, 0, output + complaints);
    assert.match(output, /worker 1: times it held the lock, 5,000 µs each/);
    assert.doesNotMatch(output, /worker 2/);
});

test('start: --help shows every argument', async () => {
    const { code, output } = await run('--help');
    assert.equal(code, 0);
    for (const name of ['--once', '--workers', '--section', '--seconds', '--help', 'PORT']) {
        assert.ok(output.includes(name), name);
    }
});

test('start: invalid arguments are refused with a reason', async () => {
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
    assert.match(await response.text(), /execAsync/);
    child.kill('SIGINT');
    assert.deepEqual(await closed, [0, null]);
});

test('start: a port in use is reported in one line before the contest', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
        const { port } = /** @type {import('node:net').AddressInfo} */ (other.address());
        const { code, output, complaints } = await endOf(startAt(port));
        assert.equal(code, 1);
        assert.equal(output, '');
        assert.match(
            complaints,
            new RegExp(`^[^\\n]*port ${port}: another program listens there[^\\n]*\\n$`),
        );
        const terminalOnly = await endOf(startAt(port, '--once', '--seconds', '0.1'));
        assert.equal(terminalOnly.code, 0, terminalOnly.complaints);
    } finally {
        other.close();
    }
});
