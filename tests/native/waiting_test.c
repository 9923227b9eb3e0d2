/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Spins before a sleep, as waiting.h promises them, checked by the clock. */
#include "waiting.h"

#include "cmocka_with_headers.h"
#include "holdfast/clock.h"

enum { SHIFT = 32, LEAST_US = 50 };

#define MASK UINT32_C(0xFFFF)
#define WORD (UINT64_C(0xABCD0007) << SHIFT | 5)

static uint64_t word;

static int start(void **unused)
{
    (void)unused;
    word = WORD;
    return 0;
}

static void a_waiter_sees_writes_made_before_the_wake(void **unused)
{
    (void)unused;
    assert_true(hf__changes_soon(&word, SHIFT, MASK, 8));
    assert_true(hf__changes_soon(&word, 0, MASK, 7));
}

static void spins_last_as_long_on_each_processor(void **unused)
{
    (void)unused;
    int64_t begin = hf_now_ns();
    assert_false(hf__changes_soon(&word, SHIFT, MASK, 7));
    assert_true(hf_now_ns() - begin >= LEAST_US * HF_MICROSECOND);
    assert_true(word == WORD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_waiter_sees_writes_made_before_the_wake, start),
        cmocka_unit_test_setup(spins_last_as_long_on_each_processor, start),
    };
    return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
