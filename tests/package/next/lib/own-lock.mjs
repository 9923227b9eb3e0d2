/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from 'holdfast';

export const mutex = new Mutex();
