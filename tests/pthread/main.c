/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <stdlib.h>
#include <string.h>

/* All families of calls that are wrapped, or those whose names are given. The last line has the number of
 * checks and of failures. */

static const struct {
    const char *name;
    void (*run)(void);
} FAMILIES[] = {
    {"mutexes", try_mutexes},
    {"conditions", try_conditions},
    {"rwlocks", try_rwlocks},
    {"semaphores", try_semaphores},
    {"c11", try_c11},
    {"cxx", try_cxx},
    {"lives", try_lives},
#ifdef HAS_TABLE
    {"cancellation", try_cancellation},
    {"robust", try_robust},
#endif
};

static bool is_asked_for(const char *name, int count, char **names)
{
    bool any = count == 0;
    for (int at = 0; at < count; at += 1) {
        any = any || strcmp(names[at], name) == 0;
    }
    return any;
}

int main(int count, char **arguments)
{
    start_watchdog();
    for (size_t at = 0; at < sizeof FAMILIES / sizeof FAMILIES[0]; at += 1) {
        if (is_asked_for(FAMILIES[at].name, count - 1, arguments + 1)) {
            begin_family(FAMILIES[at].name);
            FAMILIES[at].run();
            printf("%s\n", FAMILIES[at].name);
        }
    }
    exit(tell_checks() ? 0 : 1);
}
