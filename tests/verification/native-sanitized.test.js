/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The C sources on Linux: their own tests under the sanitizers; the quick tier has ThreadSanitizer. */
import { testPresets } from '../support/native-presets.js';
import { isQuick } from '../support/tier.js';

testPresets('native-tsan', ...(isQuick ? [] : ['native-asan']));
