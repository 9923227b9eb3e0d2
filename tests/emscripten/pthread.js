/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The programs of tests/pthread, whose calls are wrapped; tests/package/emscripten-pthread.test.js has them with
 * Emscripten 3.1.6. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ROOT } from '../support/documents.js';
import { assertAllHeld } from '../support/pthread-program.js';
import { makeProject, PROJECT, run, skip, there } from './system.js';

before(makeProject);

test(
    'emscripten: the newest Emscripten wraps pthread calls too, and the main thread can wait in them',
    { skip },
    () => {
        const programs = join(PROJECT, 'tests', 'pthread');
        cpSync(join(ROOT, 'tests', 'pthread'), programs, { recursive: true });
        const flags = '-O2 -pthread -D_GNU_SOURCE -Inode_modules/holdfast/c-src/include';
        const sources = 'node_modules/holdfast/c-src';
        const library = `${sources}/holdfast.c ${sources}/pthread/pthread.c @${sources}/pthread/wraps.rsp -sEXIT_RUNTIME`;
        const inC = readdirSync(programs).filter((name) => name.endsWith('.c'));
        for (const { cxx, c, options } of [
            {
                cxx: 'cxx',
                c: inC,
                options:
                    '-DHAS_TABLE -DHF_THREADS=32 -sPROXY_TO_PTHREAD -sPTHREAD_POOL_SIZE=8 -sALLOW_MEMORY_GROWTH',
            },
            { cxx: 'page', c: ['checks.c'], options: '-sPTHREAD_POOL_SIZE=2' },
        ]) {
            run(there(`emcc ${flags} -std=c++17 -c tests/pthread/${cxx}.cpp -o ${cxx}.o`));
            const files = c.map((name) => `tests/pthread/${name}`).join(' ');
            run(there(`emcc ${flags} ${cxx}.o ${files} ${options} ${library} -o ${cxx}.js`));
            assertAllHeld(
                run(there(`timeout 100 node ${cxx}.js || echo "it ended with $?, 124 after 100 s"`)),
                30,
            );
        }
    },
);
