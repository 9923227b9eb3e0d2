/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { waitsOnUsedMemory } from '../../browser/used-memory.js';

console.log(JSON.stringify(await waitsOnUsedMemory()));
