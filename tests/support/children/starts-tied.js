/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Starts a program that starts another one; both hold this process's third file open. When it is told to,
 * ends in the way that its argument names. */
import { spawnTied } from '../../../scripts/spawn-tied.mjs';

const SHARED = 3;

spawnTied('sh', ['-c', `sleep 600 & echo $$ >&${SHARED}; wait`], {
    stdio: ['ignore', 'ignore', 'ignore', SHARED],
});

process.stdin.once('data', () => {
    if (process.argv[2] === 'by an error') {
        throw new Error('as the test wants it');
    }
    process.exit();
});
