/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A program whose pthread calls are wrapped, on the page; tests/package/emscripten-pthread.test.js has it in Node. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { median } from '../../benchmarks/rounds.js';
import { serve } from '../../browsers/serve.js';
import { assertAllHeld, compile, FOLDER, wrapped } from '../support/pthread-program.js';
import { isQuick } from '../support/tier.js';
import { callOn, inEachBrowser, onPage } from './each-browser.js';

const OPTIONS = ['-sPTHREAD_POOL_SIZE=2', '-sEXIT_RUNTIME', '-sENVIRONMENT=web,worker'];
const ROUNDS = 3;
/**
 * A limit for medians of rounds: the longest single wait, above all of stock locks, is 5 ms in one round and
 * 150 in the next.
 */
const MOST_OF_STOCK = 1.5;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    const level = isQuick ? '-O1' : '-O2';
    compile('page', { c: ['checks'], cxx: 'page', level, options: [...OPTIONS, ...wrapped([level])] });
    if (!isQuick) {
        compile('waits-wrapped', {
            cxx: 'page-waits',
            level: '-O2',
            options: [...OPTIONS, ...wrapped(['-O2'])],
        });
        compile('waits-stock', { cxx: 'page-waits', level: '-O2', options: OPTIONS });
    }
    server = await serve({ isFixed: true, folders: [FOLDER, 'tests/browser'] });
});

after(() => server?.close());

/** @param {import('./each-browser.js').Place} place @param {string} name of the program */
const outputOf = (place, name) =>
    onPage(place.browser, server, (page) =>
        callOn(page, '/tests/browser/callbacks.js', 'outputOf', {
            address: `/${FOLDER}/${name}.js`,
            form: 'script',
        }),
    );

/** @param {string} output @param {string} kind */
function longestIn(output, kind) {
    const [, longest] = new RegExp(`^${kind}: .* longest ([\\d.]+);`, 'm').exec(output) ?? [];
    assert.ok(longest, output);
    return Number(longest);
}

inEachBrowser((place) => {
    test('pthread: while the page waits for a lock, it serves proxied calls of other threads', async () => {
        assertAllHeld(await outputOf(place, 'page'), 30);
    });

    if (isQuick) {
        return; // the remaining tests compare speeds
    }

    test('pthread: the page waits no longer than with the locks of Emscripten', async (t) => {
        /** @type {Record<string, { wrapped: number[], stock: number[] }>} */
        const longest = {};
        for (let round = 0; round < ROUNDS; round += 1) {
            for (const which of /** @type {const} */ (['wrapped', 'stock'])) {
                const output = await outputOf(place, `waits-${which}`);
                t.diagnostic(`${which} ${output.replaceAll('\n', ' | ')}`);
                for (const kind of ['pthread', 'std']) {
                    longest[kind] ??= { wrapped: [], stock: [] };
                    longest[kind][which].push(longestIn(output, kind));
                }
            }
        }
        for (const [kind, { wrapped, stock }] of Object.entries(longest)) {
            const isMet = median(wrapped) < median(stock) * MOST_OF_STOCK;
            assert.ok(isMet, `${kind}: ${wrapped.join(', ')} ms, stock ${stock.join(', ')} ms`);
        }
    });
});
