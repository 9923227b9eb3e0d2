/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { writeSync } from 'node:fs';

/**
 * A reporter that prints the first failing test, and ends the process: a later test may hang.
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
