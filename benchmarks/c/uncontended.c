/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How long a lock and an unlock take with nobody else there:
 * `uncontended <turns> <milliseconds> <primitive> <reads in 100: 0 or 100>`. The contestants take turns.
 * Prints JSON: nanoseconds a pair by turn, and who is missing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contestants.h"

/* Long enough that reading the clock costs nothing, short enough to end on time. */
enum { TIMES_A_CALL = 5000 };

/* Until a wasm engine has compiled the loops for the second time. */
enum { WARM_UP_TURNS = 15 };

enum { CONTESTANTS_MAX = 8 };

static arena shared;

static void start_anew(const contestant *contestant, uint32_t reads_in_100)
{
    memset(&shared, 0, sizeof(shared));
    shared.reads_in_100 = reads_in_100;
    if (contestant->prepare) {
        contestant->prepare(&shared);
    }
}

/* Returns nanoseconds a pair. */
static double take_turn(const contestant *contestant, int64_t turn_ns)
{
    uint32_t count = 1;
    contestant->pairs(&shared, count); /* what is free once used need not look like what is new */
    const uint64_t unlocked = shared.lock[0];
    const int64_t start_ns = hf_now_ns();
    int64_t now_ns = start_ns;
    while (now_ns < start_ns + turn_ns) {
        contestant->pairs(&shared, TIMES_A_CALL);
        count += TIMES_A_CALL;
        now_ns = hf_now_ns();
    }
    if (shared.counters.entered != count || shared.lock[0] != unlocked) {
        fprintf(stderr, "uncontended: %s was locked %" PRIu32 " times and counted %" PRIu32 "\n",
                contestant->name, count, shared.counters.entered);
        exit(EXIT_FAILURE);
    }
    return (double)(now_ns - start_ns) / (count - 1);
}

static void print_turns(const contestant *contestant, const double *turns, int count)
{
    printf("\"%s\": { ", contestant->name);
    if (contestant->missing) {
        printf("\"cannot\": \"%s\" }", contestant->missing);
        return;
    }
    printf("\"nanoseconds\": [");
    for (int turn = 0; turn < count; turn += 1) {
        printf("%s%.4f", turn == 0 ? "" : ", ", turns[turn]);
    }
    printf("] }");
}

int main(int argc, char **argv)
{
    const primitive *primitive = argc == 5 ? primitive_named(argv[3]) : NULL;
    if (!primitive || !primitive->contestants[0].pairs || primitive->count > CONTESTANTS_MAX) {
        fprintf(stderr, "usage: uncontended <turns> <milliseconds> <primitive> <reads in 100: 0 or 100>\n");
        return EXIT_FAILURE;
    }
    const int turns = (int)strtol(argv[1], NULL, 10);
    const int64_t turn_ns = strtol(argv[2], NULL, 10) * HF_MILLISECOND;
    const uint32_t reads_in_100 = (uint32_t)strtoul(argv[4], NULL, 10);

    double *results[CONTESTANTS_MAX] = {0};
    for (int at = 0; at < primitive->count; at += 1) {
        results[at] = calloc((size_t)turns + 1, sizeof(double));
    }
    for (int turn = -WARM_UP_TURNS; turn < turns; turn += 1) {
        for (int at = 0; at < primitive->count; at += 1) {
            const contestant *contestant = &primitive->contestants[at];
            if (!contestant->missing) {
                start_anew(contestant, reads_in_100);
                results[at][turn < 0 ? 0 : turn] = take_turn(contestant, turn_ns);
            }
        }
    }

    printf("{ ");
    for (int at = 0; at < primitive->count; at += 1) {
        printf("%s", at == 0 ? "" : ", ");
        print_turns(&primitive->contestants[at], results[at], turns);
        free(results[at]);
    }
    printf(" }\n");
    return EXIT_SUCCESS;
}
