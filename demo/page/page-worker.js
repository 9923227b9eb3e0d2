/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { hammer } from '../hammer.js';

self.onmessage = ({ data }) => {
    hammer(data);
    self.close();
};
