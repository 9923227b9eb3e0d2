/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Makes this thread look like Deno's main thread: a Window without a document. */
Object.defineProperty(globalThis, Symbol.toStringTag, { value: 'Window' });
