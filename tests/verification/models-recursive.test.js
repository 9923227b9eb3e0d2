/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Recursive mutexes, by the class and by the module of depths that ship, in the explorer of models/, and
 * deliberate mistakes. */
import { RECURSIVE_SCENARIOS } from '../../models/programs/recursive.scenarios.js';
import { testMistakes, testScenarios } from '../support/explored.js';

testScenarios(RECURSIVE_SCENARIOS, 1000);
testMistakes(RECURSIVE_SCENARIOS);
