/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef COUNTED_H
#define COUNTED_H

/* The compiler puts this file before each source of the program `counted`, the library's included, so that unchanged
 * sources run on the model of a machine in counted.c. It includes no header, since sources first define feature
 * macros. */

typedef __UINT64_TYPE__ counted_count;

typedef struct counts {
    counted_count changes; /* read-modify-writes, whether they succeed or not, and stores */
    counted_count fetches; /* cache lines that came from another core, those of the section's data included */
    counted_count sleeps;  /* waits that did not end at once */
    counted_count wakes;   /* calls that wake, also without a sleeper */
} counts;

/* Returns what all threads have counted so far. */
counts counted_so_far(void);

/* Returns the number of the calling thread. */
__UINT32_TYPE__ counted_thread(void);

/* Models an access to data that is not atomic, a pause, and a spin until another thread changes the word's line. */
void counted_data(const volatile void *data);
void counted_pause(__INT64_TYPE__ ns);
void counted_spin(const volatile void *word);

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
