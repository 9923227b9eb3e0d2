/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';

/* Takes and gives back without a pause, until it is terminated at any instruction. */

self.onmessage = ({ data }) => {
    const permits = RecoverableSemaphore.from(data.permits);
    const lock = RecoverableRwLock.from(data.lock);
    self.postMessage('begins');
    for (;;) {
        permits.enter({ permits: 2 });
        lock.lockShared();
        permits.leave(2);
        lock.unlockShared();
    }
};
