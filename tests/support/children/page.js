/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import './deno-window.js';

/* A thread whose global object is a page's: a Window that has a document. */
Object.defineProperty(globalThis, 'document', { value: {} });
