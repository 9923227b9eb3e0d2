/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A prelude: if the program takes too long, prints the words of its locks, and ends it. */
import { isMainThread } from 'node:worker_threads';

const PATIENCE_MS = 15_000;

if (isMainThread) {
    // Loads the glue only then: it takes as long to load as a short program takes to run.
    const bark = async () => {
        const [{ Mutex }, { describeDefaultSpace }] = await Promise.all([
            import('../../../js-glue/index.js'),
            import('../space-words.js'),
        ]);
        console.error(`not done in ${PATIENCE_MS} ms; ${describeDefaultSpace(Mutex)}`);
        process.exit(1);
    };
    setTimeout(bark, PATIENCE_MS).unref();
}
