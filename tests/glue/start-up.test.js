/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Until its first section a program does no needless work that costs a millisecond. `npm run bench --
 * load` measures the time. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { simple } from 'acorn-walk';
import { AGENTS_ID_OFFSET, SPACE_ADDRESS } from '../../js-glue/memory/layout.js';
import { runNode } from '../support/child.js';

const INDEX = new URL('../../js-glue/index.js', import.meta.url).href;

const DEBUG = new URL('../../js-glue/debug.js', import.meta.url).href;

/** @param {string} source @param {string[]} [options] Node's */
async function outputOf(source, options = []) {
    const { code, stdout, stderr } = await runNode([...options, '--input-type=module', '--eval', source]);
    assert.equal(code, 0, stderr);
    return stdout;
}

test('start-up: a section touches no global that Node loads lazily', async () => {
    const output = await outputOf(`
        const touched = [];
        for (const name of ['crypto', 'MessageChannel']) {
            Object.defineProperty(globalThis, name, { get: () => touched.push(name) });
        }
        process.getBuiltinModule = (name) => touched.push(name);
        const { LockSpace, Mutex } = await import('${INDEX}');
        const { inspect } = await import('${DEBUG}');
        await new Mutex().execAsync(() => {});
        console.log(touched.join() || 'nothing', inspect(new LockSpace()).threads[0].name);`);
    assert.equal(output, 'nothing main\n');
});

/** @param {string} folder @returns {string[]} the files of programs in it */
function programsIn(folder) {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.js'))
        .map((file) => join(folder, file));
}

test('start-up: no source file has a regular expression with \\p, whose tables are slow to compile', () => {
    const files = programsIn(fileURLToPath(new URL('../../js-glue', import.meta.url)));
    assert.notEqual(files.length, 0);
    for (const file of files) {
        const program = parse(readFileSync(file, 'utf8'), { ecmaVersion: 'latest', sourceType: 'module' });
        simple(program, {
            Literal: (/** @type {any} */ { regex }) => {
                assert.doesNotMatch(regex?.pattern ?? '', /\\p\{/i, file);
            },
        });
    }
});

/** Prints the ids of several memories that this thread makes, and its next random number. */
const MAKES_MEMORIES = `
    import { parentPort } from 'node:worker_threads';
    const { LockSpace } = await import('${INDEX}');
    const ids = Array.from({ length: 20 }, () =>
        new BigUint64Array(new LockSpace().buffer, ${SPACE_ADDRESS + AGENTS_ID_OFFSET}, 1)[0]);
    parentPort.postMessage({ ids, next: Math.random() });`;

test('start-up: ids of memories are unique even if all threads draw the same random numbers', async () => {
    const output = await outputOf(
        `import { Worker } from 'node:worker_threads';
        const file = new URL('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(MAKES_MEMORIES))});
        const answers = Array.from({ length: 4 }, () =>
            new Promise((resolve, reject) => new Worker(file).once('message', resolve).once('error', reject)));
        const all = await Promise.all(answers);
        const count = (values) => new Set(values).size;
        console.log(count(all.map(({ next }) => next)), count(all.flatMap(({ ids }) => ids)));`,
        ['--random-seed=1'],
    );
    assert.equal(output, '1 80\n');
});

test('start-up: ids of memories are unique even if Math.random() is constant', async () => {
    const output = await outputOf(`
        Math.random = () => 0.5;
        const { LockSpace } = await import('${INDEX}');
        const ids = Array.from({ length: 9 }, () =>
            new BigUint64Array(new LockSpace().buffer, ${SPACE_ADDRESS + AGENTS_ID_OFFSET}, 1)[0]);
        console.log(new Set(ids).size);`);
    assert.equal(output, '9\n');
});
