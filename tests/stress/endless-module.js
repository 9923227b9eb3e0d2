/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MutantBuild } from '../../models/mutants/mutant-build.js';

/**
 * The module with the limit of a blocking wait taken off. The limit rescues a thread whose wake a dying one took;
 * where nobody dies no wake may be lost, and without the limit a lost one shows.
 *
 * @returns {Uint8Array}
 */
export function buildEndlessModule() {
    const build = new MutantBuild();
    try {
        return build.bytesOf({
            name: 'waits without a limit',
            foundIn: 'none: it is no mistake',
            file: 'c-src/waiting.h',
            from: '#define HF__SLICE_NS (20 * HF_MILLISECOND)',
            to: '#define HF__SLICE_NS (3600000 * HF_MILLISECOND)',
        });
    } finally {
        build.remove();
    }
}
