/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A space as one thread sees it. The hooks of futex_spy play other threads in the middle of a call. */
#include "holdfast/result.h"
#include "space.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "holdfast/thread.h"
#include "space_memory.h"

enum { GRANULES = SPACE_BYTES / HF_SPACE_GRANULE };

static uint32_t blocks[GRANULES];

/* Input of the hooks below, and their result. */
static uint32_t target;
static hf_result result_of_hook;

static int start_afresh(void **unused)
{
    (void)unused;
    space_make();
    futex_spy_reset();
    return 0;
}

static uint32_t alloc(uint32_t bytes, uint32_t align)
{
    return hf_space_alloc(space_at(), bytes, align);
}

static hf_result release(uint32_t address)
{
    return hf_space_free(space_at(), address) != 0 ? HF_OK : HF_BAD_ADDRESS;
}

/* Allocates until no block of that size is left. Returns the number of blocks. */
static uint32_t fill(uint32_t bytes)
{
    uint32_t count = 0;
    for (uint32_t block = alloc(bytes, 1); block != 0; block = alloc(bytes, 1)) {
        assert_true(count < GRANULES);
        blocks[count] = block;
        count += 1;
    }
    return count;
}

static void init_writes_the_header(void **unused)
{
    (void)unused;
    hf_space_init(space_at(), SPACE_PAGES, 64, 17, 18);
    assert_int_equal(space_at()->agents.magic, HF_AGENTS_MAGIC);
    assert_int_equal(space_at()->agents.id, UINT64_C(18) << 32 | 17);
    assert_int_equal(space_at()->granules, GRANULES);
}

static void blocks_are_aligned_zeroed_and_apart(void **unused)
{
    (void)unused;
    uint32_t end = 0;
    for (uint32_t align = 1; align <= 4096; align *= 2) {
        uint32_t bytes = align + 1;
        uint32_t block = alloc(bytes, align);
        assert_int_not_equal(block, 0);
        assert_int_equal(block % align, 0);
        assert_int_equal(block % HF_SPACE_GRANULE, 0);
        assert_true(block >= end);
        end = block + bytes;
        assert_true(end <= SPACE_BYTES);
        for (uint32_t at = block; at < end; at += sizeof(uint32_t)) {
            assert_int_equal(*space_words(at), 0);
            *space_words(at) = UINT32_MAX;
        }
    }
    assert_int_equal(space_at()->agents.magic, HF_AGENTS_MAGIC);
}

static void a_freed_block_is_zeroed_and_used_again(void **unused)
{
    (void)unused;
    uint32_t block = alloc(100, 8);
    for (uint32_t at = 0; at < 100; at += sizeof(uint32_t)) {
        *space_words(block + at) = at + 1;
    }
    assert_int_equal(release(block), HF_OK);
    assert_int_equal(alloc(100, 8), block);
    for (uint32_t at = 0; at < 100; at += sizeof(uint32_t)) {
        assert_int_equal(*space_words(block + at), 0);
    }
}

static void free_wakes_every_word_of_the_block(void **unused)
{
    (void)unused;
    uint32_t block = alloc(32, 16);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    release(block);
    for (uint32_t at = 0; at < 32; at += sizeof(uint32_t)) {
        assert_int_equal(futex_spy_wakes(space_words(block + at)), 1);
    }
    assert_int_equal(futex_spy_wakes(NULL), 32 / sizeof(uint32_t));
}

static void free_of_an_address_that_is_no_block_is_refused(void **unused)
{
    (void)unused;
    uint32_t block = alloc(64, 16);
    const uint32_t wrong[] = {0,          block + 4,       block + HF_SPACE_GRANULE, block - HF_SPACE_GRANULE,
                              block + 64, SPACE_BYTES,     SPACE_BYTES + block,      UINT32_MAX,
                              block + 48, SPACE_BYTES - 16};
    *space_words(block) = 7;
    for (size_t at = 0; at < sizeof(wrong) / sizeof(wrong[0]); at += 1) {
        assert_int_equal(release(wrong[at]), HF_BAD_ADDRESS);
    }
    assert_int_equal(*space_words(block), 7);
    assert_int_equal(hf_space_free(space_at(), block), 64);
    assert_int_equal(release(block), HF_BAD_ADDRESS);
}

static void the_header_cannot_be_freed(void **unused)
{
    (void)unused;
    assert_int_equal(release(0), HF_BAD_ADDRESS);
    assert_int_equal(release(HF_SPACE_ADDRESS), HF_BAD_ADDRESS);
    assert_int_equal(space_at()->agents.magic, HF_AGENTS_MAGIC);
}

static void a_full_space_gives_nothing_and_recovers(void **unused)
{
    (void)unused;
    uint32_t count = fill(16);
    uint32_t header = GRANULES - count;
    assert_in_range(header, 1, GRANULES / 16 + 64 * sizeof(hf__agent) / HF_SPACE_GRANULE);
    assert_int_equal(alloc(1, 1), 0);
    for (uint32_t at = 0; at < count; at += 1) {
        assert_int_equal(release(blocks[at]), HF_OK);
    }
    uint32_t rest = count * HF_SPACE_GRANULE;
    assert_int_equal(alloc(rest + 1, 1), 0);
    assert_int_not_equal(alloc(rest, 1), 0);
}

static void a_free_gap_between_blocks_is_found(void **unused)
{
    (void)unused;
    assert_true(fill(16) > 80);
    for (uint32_t at = 40; at < 80; at += 1) {
        assert_int_equal(release(blocks[at]), HF_OK);
    }
    assert_int_equal(alloc(41 * HF_SPACE_GRANULE, 1), 0);
    assert_int_equal(alloc(40 * HF_SPACE_GRANULE, 1), blocks[40]);
    assert_int_equal(release(blocks[40]), HF_OK);
}

static void a_block_larger_than_any_space_is_refused(void **unused)
{
    (void)unused;
    assert_int_equal(alloc(SPACE_BYTES, 16), 0);
    assert_int_equal(alloc(SPACE_BYTES + 1, 16), 0);
    assert_int_equal(alloc(UINT32_MAX, 16), 0);
    assert_int_equal(alloc(16, UINT32_C(1) << 31), 0);
}

static void free_target(void)
{
    result_of_hook = release(target);
}

static void free_of_a_block_works_while_the_block_before_it_is_being_freed(void **unused)
{
    (void)unused;
    uint32_t before = alloc(16, 16);
    target = alloc(16, 16);
    assert_int_equal(target, before + HF_SPACE_GRANULE);
    futex_spy_at_next_wake(free_target);
    assert_int_equal(release(before), HF_OK);
    assert_int_equal(result_of_hook, HF_OK);
}

static void free_twice_at_the_same_time_leaves_the_block_behind_it_alone(void **unused)
{
    (void)unused;
    target = alloc(16, 16);
    uint32_t behind = alloc(16, 16);
    assert_int_equal(behind, target + HF_SPACE_GRANULE);
    *space_words(behind) = 7;
    futex_spy_at_next_wake(free_target);
    assert_int_equal(release(target), HF_OK);
    assert_int_equal(result_of_hook, HF_BAD_ADDRESS);
    assert_int_equal(*space_words(behind), 7);
    assert_int_equal(release(behind), HF_OK);
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(init_writes_the_header),
        TEST(blocks_are_aligned_zeroed_and_apart),
        TEST(a_freed_block_is_zeroed_and_used_again),
        TEST(free_wakes_every_word_of_the_block),
        TEST(free_of_an_address_that_is_no_block_is_refused),
        TEST(the_header_cannot_be_freed),
        TEST(a_full_space_gives_nothing_and_recovers),
        TEST(a_free_gap_between_blocks_is_found),
        TEST(a_block_larger_than_any_space_is_refused),
        TEST(free_of_a_block_works_while_the_block_before_it_is_being_freed),
        TEST(free_twice_at_the_same_time_leaves_the_block_behind_it_alone),
    };
    return cmocka_run_group_tests_name("space", tests, NULL, NULL);
}
