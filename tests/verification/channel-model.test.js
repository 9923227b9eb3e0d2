/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The shipped bytes of channels in the explorer of models/: every interleaving of 2 to 4 threads, with deaths
 * and a close; and mistakes that the explorer finds. */
import { CHANNEL_SCENARIOS } from '../../models/programs/channel.scenarios.js';
import { testMistakes, testScenarios } from '../support/explored.js';
import { isQuick } from '../support/tier.js';

/** `npm run model` explores the others. */
const MOST_STATES = isQuick ? 4000 : 100_000;

testScenarios(CHANNEL_SCENARIOS, MOST_STATES);
testMistakes(CHANNEL_SCENARIOS);
