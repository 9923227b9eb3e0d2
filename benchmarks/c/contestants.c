/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "contestants.h"

#include <stddef.h>
#include <string.h>

const primitive *const primitives[PRIMITIVES] = {&mutexes,    &semaphores, &rwlocks,
                                                 &conditions, &barriers,   &neighbours};

const primitive *primitive_named(const char *name)
{
    for (int at = 0; at < PRIMITIVES; at += 1) {
        if (strcmp(primitives[at]->name, name) == 0) {
            return primitives[at];
        }
    }
    return NULL;
}

const contestant *contestant_named(const primitive *primitive, const char *name)
{
    for (int at = 0; at < primitive->count; at += 1) {
        if (strcmp(primitive->contestants[at].name, name) == 0) {
            return &primitive->contestants[at];
        }
    }
    return NULL;
}
