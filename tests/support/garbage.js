/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** @returns {() => void} collects garbage at once: gc() of V8's flag --expose-gc, or Bun.gc() */
export function garbageCollector() {
    const { Bun } = /** @type {{ Bun?: { gc(now: boolean): void } }} */ (globalThis);
    if (Bun !== undefined) {
        return () => Bun.gc(true);
    }
    setFlagsFromString('--expose-gc');
    return runInNewContext('gc');
}
