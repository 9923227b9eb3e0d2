/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MutantBuild } from '../../models/mutants/mutant-build.js';
import { mistakesOf } from '../../models/mutants/mutants.js';

const [ENDLESS] = mistakesOf(String.raw`
=== c-src/waiting.h
waits without a limit
    HF__SLICE_NS: /\d+/ → 3600000
`);

/**
 * The module without the time limit of a blocking wait. The limit rescues a thread whose wake a dying thread
 * consumed. If no thread dies no wake may be lost; without the limit a lost wake shows as a hang.
 *
 * @returns {Uint8Array}
 */
export function buildEndlessModule() {
    const build = new MutantBuild();
    try {
        return build.bytesWith(ENDLESS?.edits ?? []);
    } finally {
        build.remove();
    }
}
