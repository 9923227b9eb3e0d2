/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread whose global object is a Window without a document, as that of Deno's main thread is. */
Object.defineProperty(globalThis, Symbol.toStringTag, { value: 'Window' });
