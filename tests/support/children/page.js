/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import './deno-window.js';

/* Makes this thread look like a page: a Window that has a document. */
Object.defineProperty(globalThis, 'document', { value: {} });
