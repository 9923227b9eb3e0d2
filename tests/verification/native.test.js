/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The C sources on Linux: their own tests with both compilers; native-sanitized.test.js has the sanitizers. */
import { testPresets } from '../support/native-presets.js';

testPresets('native', 'native-clang');
