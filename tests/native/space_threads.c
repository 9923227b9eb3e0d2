/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Threads that allocate, write and free in one space at once. They write with plain stores, so that
 * ThreadSanitizer reports a block that two of them have, or one that is given out before it is zeroed. */
#include "space.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "space_memory.h"
#include "watchdog.h"

enum { THREADS = 4, KEPT = 40, ROUNDS = 4000, BYTES_MAX = 200, ALIGNS = 3 };

typedef struct block {
    uint32_t address; /* 0: none */
    uint32_t bytes;
} block;

typedef struct worker {
    pthread_t thread;
    random_source random;
    uint32_t mark; /* never 0, different in every thread */
    uint32_t allocated;
} worker;

static pthread_barrier_t start;

static void fail(const char *what, uint32_t address, uint32_t found)
{
    fprintf(stderr, "space_threads: %s at %" PRIu32 ", found %" PRIu32 "\n", what, address, found);
    abort();
}

static void expect_words(block own, uint32_t expected, const char *what)
{
    for (uint32_t at = own.address; at < own.address + own.bytes; at += sizeof(uint32_t)) {
        if (*space_words(at) != expected) {
            fail(what, at, *space_words(at));
        }
    }
}

static block take_block(worker *self)
{
    uint32_t bytes = 1 + random_below(&self->random, BYTES_MAX);
    uint32_t align = (uint32_t)HF_SPACE_GRANULE << random_below(&self->random, ALIGNS);
    block own = {.address = hf_space_alloc(space_at(), bytes, align), .bytes = bytes};
    if (own.address % align != 0) {
        fail("the block is not aligned", own.address, align);
    }
    if (own.address != 0) {
        expect_words(own, 0, "the block is not zeroed");
        for (uint32_t at = own.address; at < own.address + own.bytes; at += sizeof(uint32_t)) {
            *space_words(at) = self->mark;
        }
        self->allocated += 1;
    }
    return own;
}

static void give_block(const worker *self, block own)
{
    expect_words(own, self->mark, "another thread wrote into the block");
    uint32_t freed = hf_space_free(space_at(), own.address);
    if (freed < own.bytes) {
        fail("the block could not be freed", own.address, freed);
    }
}

static void *work(void *argument)
{
    worker *self = argument;
    block kept[KEPT] = {0};
    pthread_barrier_wait(&start);
    for (int round = 0; round < ROUNDS; round += 1) {
        block *place = &kept[random_below(&self->random, KEPT)];
        if (place->address != 0) {
            give_block(self, *place);
            *place = (block){0};
        } else {
            *place = take_block(self);
        }
        watchdog_progress();
    }
    for (int at = 0; at < KEPT; at += 1) {
        if (kept[at].address != 0) {
            give_block(self, kept[at]);
        }
    }
    return NULL;
}

static void assert_all_free(uint32_t first)
{
    /* The size of the largest block in an empty space. */
    uint32_t rest = SPACE_BYTES - first;
    if (hf_space_alloc(space_at(), rest, 1) != first) {
        fail("not everything is free again", first, rest);
    }
    expect_words((block){first, rest}, 0, "a free word is not zero");
}

int main(void)
{
    uint64_t seed = random_seed();
    space_make();
    uint32_t first = hf_space_alloc(space_at(), 1, 1);
    hf_space_free(space_at(), first);

    watchdog_start(space_memory, HF_SPACE_ADDRESS);
    pthread_barrier_init(&start, NULL, THREADS);
    worker workers[THREADS] = {0};
    for (uint32_t at = 0; at < THREADS; at += 1) {
        workers[at] = (worker){.random = random_of(seed, at), .mark = at + 1};
        if (pthread_create(&workers[at].thread, NULL, work, &workers[at]) != 0) {
            fail("no thread could be started", at, 0);
        }
    }
    for (int at = 0; at < THREADS; at += 1) {
        pthread_join(workers[at].thread, NULL);
        printf("thread %d got %" PRIu32 " blocks\n", at, workers[at].allocated);
    }
    watchdog_stop();
    pthread_barrier_destroy(&start);
    assert_all_free(first);
    return 0;
}
