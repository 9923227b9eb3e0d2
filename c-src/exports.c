/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "mutex_step.h"
#include "space.h"

/* The wasm ABI: one line an export. Addresses and identities come as numbers, and nothing is kept in the
 * module between two calls, so any number of instances may share a memory. What the numbers mean is said
 * in mutex_step.h and space.h. */
#define EXPORT(name) __attribute__((export_name(#name))) name

#define SPACE ((hf_space *)HF_SPACE_ADDRESS)

/* clang-format off */
hf_result EXPORT(mutex_lock)(hf_mutex *m, uint32_t self) { return hf__mutex_lock(m, self); }
hf_result EXPORT(mutex_trylock)(hf_mutex *m, uint32_t self) { return hf__mutex_trylock(m, self); }
hf_result EXPORT(mutex_unlock)(hf_mutex *m, uint32_t self) { return hf__mutex_unlock(m, self); }
bool EXPORT(mutex_is_mine)(hf_mutex *m, uint32_t self) { return hf__mutex_is_held_by(m, self); }
uint32_t EXPORT(mutex_wait)(hf_mutex *m, uint32_t self, uint32_t token, uint32_t limit_us) { return hf__mutex_wait(m, self, token, limit_us * HF_MICROSECOND); }
uint32_t EXPORT(mutex_try_after)(hf_mutex *m, uint32_t self, uint32_t watched) { return hf__mutex_try_after(m, self, watched); }
hf_result EXPORT(mutex_give_up)(hf_mutex *m, uint32_t self, uint32_t token) { return hf__mutex_give_up(m, self, token); }
uint64_t EXPORT(mutex_step)(hf_mutex *m, uint32_t self, uint32_t kind, uint32_t token) { return hf__mutex_step(m, self, kind, token); }
void EXPORT(mutex_withdraw)(hf_mutex *m, uint32_t self, uint32_t kind, uint32_t token) { hf__mutex_withdraw(m, self, kind, token); }

void EXPORT(space_init)(uint32_t pages, uint32_t id_low, uint32_t id_high) { hf_space_init(SPACE, pages, id_low, id_high); }
uint32_t EXPORT(space_join)(void) { return hf_space_join(SPACE); }
uint32_t EXPORT(space_alloc)(uint32_t bytes, uint32_t align) { return hf_space_alloc(SPACE, bytes, align); }
hf_result EXPORT(space_free)(uint32_t address) { return hf_space_free(SPACE, address); }
