/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../../js-glue/thread/environment.js';

/**
 * Replaces parts of this thread's runtime, or removes them (undefined).
 *
 * @param {Record<string, unknown>} parts
 * @returns {() => void} restores them
 */
export function replaceInEnvironment(parts) {
    const before = { ...environment };
    Object.assign(environment, parts);
    return () => void Object.assign(environment, before);
}
