/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef COUNTED_H
#define COUNTED_H

/* Counts the effects of operations on a lock's words on the caches and the system. The compiler puts this
 * file before each source of the program `counted`, the library's included, so that unchanged sources count.
 * It includes no header, since sources first define feature macros. */

typedef __UINT64_TYPE__ counted_count;

typedef struct counts {
    counted_count changes; /* read-modify-writes, whether they succeed or not, and stores */
    counted_count fetches; /* accesses to a line that another thread has changed since the last one */
    counted_count sleeps;  /* waits that did not end at once */
    counted_count wakes;   /* calls that wake, also without a sleeper */
} counts;

enum { COUNTED_LOCK, COUNTED_CONDITION, COUNTED_NODES, COUNTED_RANGES };

/* Counts operations on these bytes too. Other bytes, outside of all ranges, are not counted. */
void counted_watch(int range, const void *bytes, __SIZE_TYPE__ size);

/* Returns what all threads have counted so far; the counts of running threads are a moment late. */
counts counted_so_far(void);

void counted_read(const volatile void *word);
void counted_change(const volatile void *word);

#define __atomic_load_n(word, order) (counted_read(word), __atomic_load_n(word, order))
#define __atomic_store_n(word, value, order) (counted_change(word), __atomic_store_n(word, value, order))
#define __atomic_exchange_n(word, value, order)                                                              \
    (counted_change(word), __atomic_exchange_n(word, value, order))
#define __atomic_compare_exchange_n(word, expected, desired, weak, success, failure)                         \
    (counted_change(word), __atomic_compare_exchange_n(word, expected, desired, weak, success, failure))
#define __atomic_fetch_add(word, value, order) (counted_change(word), __atomic_fetch_add(word, value, order))
#define __atomic_fetch_or(word, value, order) (counted_change(word), __atomic_fetch_or(word, value, order))
#define __atomic_fetch_and(word, value, order) (counted_change(word), __atomic_fetch_and(word, value, order))

#endif
