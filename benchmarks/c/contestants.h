/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef CONTESTANTS_H
#define CONTESTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

/* A lock or another primitive that is compared, with the loops that use it. Each contestant has its own
 * loops, so that the compiler inlines as much of it as in a program with this contestant alone. */
typedef struct contestant {
    const char *name;
    const char *cannot; /* why it is missing or cannot contend; NULL: it can */

    /* Initialises the lock in an arena of zero bytes. NULL: zero bytes are a valid lock. */
    void (*prepare)(arena *arena);

    /* Locks, increments a counter and unlocks, `times` times. Requires: no other thread uses it. NULL: the
     * primitive has no such pair. */
    void (*pairs)(arena *arena, uint32_t times);

    /* Locks, keeps the lock for a section and unlocks, a few times or until the arena is stopped. Returns
     * whether the thread goes on. */
    bool (*sections)(arena *arena, uint32_t thread);
} contestant;

/* All contestants of one kind. */
typedef struct primitive {
    const char *name;
    const contestant *contestants;
    int count;
} primitive;

enum { PRIMITIVES = 11 };
extern const primitive primitives[PRIMITIVES];

/* Returns NULL iff there is no primitive of this name. */
const primitive *primitive_named(const char *name);

/* A wasm engine can replace a loop by its optimised code only between two entries. So a loop of sections is
 * entered again after a few milliseconds. */
enum { SECTIONS_A_CALL = 64 };

/* Defined in channels.c: one thread sends messages of 16 bytes, another receives them. Each locks once for a
 * batch, whose size is in the name. For 2 threads. A section is a message. */
enum { CHANNELS_COMPARED = 2 };
extern const contestant channels_1[CHANNELS_COMPARED], channels_16[CHANNELS_COMPARED];
extern const contestant channels_64[CHANNELS_COMPARED], channels_256[CHANNELS_COMPARED];

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

#ifdef COUNTED_H
/* Reference locks, on the model of a machine (counted.c). */

/* One word: free, held, or held and waited for (U. Drepper, "Futexes are tricky", 2011). */
bool futex_sections(arena *arena, uint32_t thread);

/* A queue in which each waiter spins on a line of its own, and never sleeps (J. Mellor-Crummey, M. Scott,
 * "Algorithms for scalable synchronization", 1991). */
bool mcs_sections(arena *arena, uint32_t thread);

/* As Rust's crate parking_lot (A. d'Antras), after WTF::Lock (F. Pizlo). */
bool parking_sections(arena *arena, uint32_t thread);
#endif

#endif
