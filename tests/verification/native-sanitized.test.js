/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The C sources on Linux: their own tests under the sanitizers. */
import { testPresets } from '../support/native-presets.js';

testPresets('native-tsan', 'native-asan');
