/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { work } from '../threads.js';
import { BoundedQueue } from './bounded-queue.js';

work(({ task, first, count, ...handles }) => {
    const queue = BoundedQueue.from(handles.queue);
    const items = Array.from({ length: count }, (_, index) => first + index);
    return task === 'feed' ? items.forEach((item) => queue.put(item)) : items.map(() => queue.take());
});
