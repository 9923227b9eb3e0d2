/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { support } from 'holdfast';
import { print } from './report.js';

/** Runs the example that the address names after its question mark. */
async function run() {
    const example = location.search.slice(1);
    if (example === '') {
        return;
    }
    if (!support().mayShare) {
        throw new Error(support().advice.join(' '));
    }
    await import(`./${example}/main.js`);
    print('Done.');
}

run().catch((error) => print(`Failed: ${error}`));
