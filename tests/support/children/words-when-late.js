/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A prelude: if the program takes too long, prints the words of its locks, and ends it. */
import { isMainThread } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { describeDefaultSpace } from '../space-words.js';

const PATIENCE_MS = 15_000;

if (isMainThread) {
    const bark = () => {
        console.error(`not done in ${PATIENCE_MS} ms; ${describeDefaultSpace(Mutex)}`);
        process.exit(1);
    };
    setTimeout(bark, PATIENCE_MS).unref();
}
