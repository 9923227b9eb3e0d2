/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stdbool.h>
#include <stdint.h>

#include "barrier.h"
#include "holdfast/atomic.h"

/* A module for the explorer, with the barrier calls that only C programs make. It is one translation unit
 * with c-src/barrier.c, so the explorer runs those sources. The shipped module does not contain these
 * calls. */
#define EXPORT(name) __attribute__((export_name(#name))) name

/* In these calls every deadline has passed. */
int64_t hf_now_ns(void)
{
    return 1;
}

/* The completion counts its runs, in the word after the barrier. */
static uint32_t *completions(hf_barrier *barrier)
{
    return (uint32_t *)(barrier + 1);
}

static void complete(void *completed)
{
    hf__add_rlx(completed, 1);
}

/* clang-format off */
bool EXPORT(c_barrier_arrive_and_wait)(hf_barrier *b) { return hf_barrier_arrive_and_wait(b); }
uint32_t EXPORT(c_barrier_arrive)(hf_barrier *b) { return hf_barrier_arrive(b, NULL); }
void EXPORT(c_barrier_arrive_and_drop)(hf_barrier *b) { hf_barrier_arrive_and_drop(b, NULL); }
void EXPORT(c_barrier_wait)(hf_barrier *b, uint32_t token) { hf_barrier_wait(b, token); }
uint32_t EXPORT(c_barrier_look)(hf_barrier *b, uint32_t token) { return hf_barrier_wait_until(b, token, 0); }
uint32_t EXPORT(c_barrier_completions)(hf_barrier *b) { return hf__load_rlx(completions(b)); }
void EXPORT(c_barrier_destroy)(hf_barrier *b) { hf_barrier_destroy(b); }

/* Inlined, as the other calls are: otherwise the completion would be in memory. */
__attribute__((flatten)) bool EXPORT(c_barrier_complete_and_wait)(hf_barrier *b)
{
    const hf_barrier_completion completion = {.run = complete, .argument = completions(b)};
    return hf_barrier_arrive_and_wait_with(b, &completion);
}
uint32_t EXPORT(c_barrier_complete)(hf_barrier *b)
{
    const hf_barrier_completion completion = {.run = complete, .argument = completions(b)};
    return hf_barrier_arrive(b, &completion);
}
/* C has no call with both a completion and a deadline. This one shows what a completion sees when other
 * threads give up. */
__attribute__((flatten)) uint32_t EXPORT(c_barrier_complete_or_give_up)(hf_barrier *b)
{
    const hf_barrier_completion completion = {.run = complete, .argument = completions(b)};
    return arrive_and_wait(b, &completion, 0);
}
void EXPORT(c_barrier_complete_and_drop)(hf_barrier *b)
{
    const hf_barrier_completion completion = {.run = complete, .argument = completions(b)};
    hf_barrier_arrive_and_drop(b, &completion);
}
