/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { writeSync } from 'node:fs';

/**
 * A reporter of Node's test runner that prints the name of the first test that fails, and ends the process: what comes
 * after it may hang, as it may in whatever has a mistake.
 * @param {AsyncIterable<{ type: string, data: { name: string, nesting: number, todo?: string | boolean } }>} events
 */
// eslint-disable-next-line require-yield
export default async function* firstFailure(events) {
    for await (const { type, data } of events) {
        if (type === 'test:fail' && data.nesting === 0 && !data.todo) {
            writeSync(process.stdout.fd, `not ok: ${data.name}\n`);
            process.exit(1);
        }
    }
}
