/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { FetchError, fetchRuntime, isSupported, UNSUPPORTED } from './fetch.js';

const [major] = process.versions.node.split('.');

/**
 * @param {import('node:test').TestContext} t is skipped, with a reason, on platforms without binaries, and
 *     without a network unless in CI
 * @param {import('./runtimes.js').Runtime} runtime
 */
export function binaryFor(t, runtime) {
    if (runtime.word === `node-${major}`) {
        return process.execPath;
    }
    if (!isSupported) {
        t.skip(UNSUPPORTED);
        return undefined;
    }
    try {
        return fetchRuntime(runtime);
    } catch (error) {
        if (!(error instanceof FetchError && error.offline) || process.env['CI'] === 'true') {
            throw error;
        }
        t.skip(error.message);
        return undefined;
    }
}
