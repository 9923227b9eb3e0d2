/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { openTurns } from './locks.js';
import { someTime } from './some-time.js';
import { TurnWords } from './turn-words.js';

/* A worker that rests, waits for its turn and takes it, until all is closed. It blocks meanwhile. */

self.onmessage = ({ data: { handle, buffer, limit, member, amount, mode, turnMs } }) => {
    const lock = openTurns(handle);
    const words = new TurnWords(buffer, limit);
    words.sleep(someTime(turnMs));
    while (words.isOpen) {
        words.queues(member);
        lock.exec(() => {
            words.begins(member, amount);
            words.sleep(someTime(turnMs));
            words.ends(member, amount);
        }, mode);
        words.sleep(someTime(turnMs));
    }
    self.close();
};
