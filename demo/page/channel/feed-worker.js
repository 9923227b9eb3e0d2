/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Channel } from '../../../js-glue/channel.js';
import { DEATH, DIES, DYING, MESSAGE_BYTES, MOST_UNREAD, owedAfter, SENT, STOP, TAKEN } from './meter.js';

/* A worker that sends messages at a pace, until it is told to stop. A message begins with its time and the
 * number of its sender. */

const SLICE_MS = 4;

self.onmessage = ({ data: { buffer, handle, pace, sender, pageOrigin } }) => {
    const words = new Int32Array(buffer);
    const message = new Float64Array(MESSAGE_BYTES / Float64Array.BYTES_PER_ELEMENT);
    const channel = handle && Channel.from(handle);
    const goesOn = () => Atomics.load(words, STOP) === 0;
    const die = () => {
        Atomics.store(words, DEATH, DYING);
        for (;;) {
            Atomics.wait(words, DEATH, DYING);
        }
    };
    const post = () => {
        while (goesOn() && Atomics.load(words, SENT) - Atomics.load(words, TAKEN) >= MOST_UNREAD) {
            Atomics.wait(words, STOP, 0, SLICE_MS);
        }
        self.postMessage(message);
        Atomics.add(words, SENT, 1);
    };
    const send = () => {
        if (sender === 0 && Atomics.load(words, DEATH) === DIES) {
            channel.sendInPlace(MESSAGE_BYTES, die);
        }
        channel.send(message);
    };
    let [owed, before] = [0, performance.now()];
    while (goesOn()) {
        Atomics.wait(words, STOP, 0, SLICE_MS);
        const now = performance.now();
        for (owed = owedAfter(owed, pace, now - before); owed >= 1 && goesOn(); owed -= 1) {
            message.set([performance.timeOrigin - pageOrigin + performance.now(), sender]);
            (channel ? send : post)();
        }
        before = performance.now();
    }
    self.close();
};
