/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The C sources on Linux: their own tests with both compilers; the quick tier has one. native-sanitized.test.js has the
 * sanitizers. */
import { testPresets } from '../support/native-presets.js';
import { isQuick } from '../support/tier.js';

testPresets('native', ...(isQuick ? [] : ['native-clang']));
