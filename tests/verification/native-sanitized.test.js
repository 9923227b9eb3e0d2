/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The C sources on Linux: their own tests under the sanitizers. The quick tier has ThreadSanitizer and no plain build. */
import { testPresets } from '../support/native-presets.js';
import { isQuick } from '../support/tier.js';

testPresets(...(isQuick ? ['native-tsan-quick'] : ['native-tsan', 'native-asan']));
