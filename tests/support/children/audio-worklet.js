/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Makes this thread look like an audio worklet. */
Object.defineProperty(globalThis, Symbol.toStringTag, { value: 'AudioWorkletGlobalScope' });
