/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* An init makes the same object of any memory: whatever was there, no byte of it is left. */
#include "holdfast/holdfast.h"

#include <stdbool.h>
#include <string.h>

#include "cmocka_with_headers.h"
#include "random.h"

enum { MOST_BYTES = sizeof(hf_channel), RANDOM_FILLS = 100 };

typedef struct initialized {
    const char *name;
    size_t bytes;
    void (*init)(void *place);
} initialized;

static void init_semaphore(void *place)
{
    hf_semaphore_init(place, 2, 5);
}

static void init_event(void *place)
{
    hf_event_init(place, false);
}

static void init_event_that_resets_by_itself(void *place)
{
    hf_event_init(place, true);
}

static void init_latch(void *place)
{
    hf_latch_init(place, 3);
}

static void init_barrier(void *place)
{
    hf_barrier_init(place, 4);
}

static void init_channel(void *place)
{
    hf_channel_init(place, 64);
}

static const initialized ALL[] = {
    {"semaphore", sizeof(hf_semaphore), init_semaphore},
    {"event", sizeof(hf_event), init_event},
    {"event that resets by itself", sizeof(hf_event), init_event_that_resets_by_itself},
    {"latch", sizeof(hf_latch), init_latch},
    {"barrier", sizeof(hf_barrier), init_barrier},
    {"channel", sizeof(hf_channel), init_channel},
};

static uint64_t seed;

static void assert_init_writes_all(const initialized *object, const unsigned char *before)
{
    _Alignas(HF_CHANNEL_ALIGN) unsigned char used[MOST_BYTES];
    _Alignas(HF_CHANNEL_ALIGN) unsigned char fresh[MOST_BYTES] = {0};
    assert_true(object->bytes <= sizeof used);
    memcpy(used, before, sizeof used);
    object->init(used);
    object->init(fresh);
    if (memcmp(used, fresh, object->bytes) != 0) {
        fail_msg("%s: the init leaves bytes of what was there", object->name);
    }
    assert_memory_equal(used + object->bytes, before + object->bytes, sizeof used - object->bytes);
}

static void init_writes_the_whole_object(void **unused)
{
    (void)unused;
    random_source random = random_of(seed, 0);
    for (size_t at = 0; at < sizeof ALL / sizeof *ALL; at += 1) {
        unsigned char before[MOST_BYTES];
        memset(before, UINT8_MAX, sizeof before);
        assert_init_writes_all(&ALL[at], before);
        for (int fill = 0; fill < RANDOM_FILLS; fill += 1) {
            for (size_t byte = 0; byte < sizeof before; byte += 1) {
                before[byte] = (unsigned char)random_below(&random, UINT8_MAX + 1);
            }
            assert_init_writes_all(&ALL[at], before);
        }
    }
}

/* Programs and JavaScript place objects in memory by these sizes. */
static void objects_have_the_size_and_alignment_of_their_headers(void **unused)
{
    (void)unused;
    const struct {
        size_t bytes;
        size_t align;
        size_t promised;
    } objects[] = {
        {sizeof(hf_mutex), _Alignof(hf_mutex), 16},
        {sizeof(hf_recursive_mutex), _Alignof(hf_recursive_mutex), 24},
        {sizeof(hf_rwlock), _Alignof(hf_rwlock), 16},
        {sizeof(hf_semaphore), _Alignof(hf_semaphore), 16},
        {sizeof(hf_condition), _Alignof(hf_condition), 16},
        {sizeof(hf_event), _Alignof(hf_event), 16},
        {sizeof(hf_latch), _Alignof(hf_latch), 8},
        {sizeof(hf_barrier), _Alignof(hf_barrier), 16},
        {sizeof(hf_once), _Alignof(hf_once), 24},
    };
    for (size_t at = 0; at < sizeof objects / sizeof *objects; at += 1) {
        assert_int_equal(objects[at].bytes, objects[at].promised);
        assert_int_equal(objects[at].align, 8);
    }
    assert_int_equal(sizeof(hf_channel), 128);
    assert_int_equal(_Alignof(hf_channel), HF_CHANNEL_ALIGN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_writes_the_whole_object),
        cmocka_unit_test(objects_have_the_size_and_alignment_of_their_headers),
    };
    seed = random_seed();
    return cmocka_run_group_tests_name("init", tests, NULL, NULL);
}
