/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A prelude: a program that takes too long prints the words that it hangs on, and ends. */
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
