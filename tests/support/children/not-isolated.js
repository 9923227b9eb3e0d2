/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Makes this thread look like a page without the two headers: shared memory can be made, but not posted. */
Object.defineProperty(globalThis, 'crossOriginIsolated', { value: false });
Reflect.deleteProperty(globalThis, 'SharedArrayBuffer');
