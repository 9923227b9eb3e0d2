/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread whose global object is an audio worklet's. */
Object.defineProperty(globalThis, Symbol.toStringTag, { value: 'AudioWorkletGlobalScope' });
