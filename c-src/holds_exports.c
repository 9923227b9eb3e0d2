/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "holds.h"

/* The ABI of the module of gates with holds. Exports that exports.c has too do the same here. */
#define EXPORT(name) __attribute__((export_name(#name))) name

/* clang-format off */
uint64_t EXPORT(gate_step)(hf__gate *g, uint32_t self, uint32_t kind, uint32_t token, uint32_t amount, uint32_t capacity) { return hf__gate_step(g, self, kind, token, amount, capacity); }
uint32_t EXPORT(gate_wait)(hf__gate *g, uint32_t self, uint32_t token, uint32_t limit_us, uint32_t amount, uint32_t capacity) { return hf__gate_wait(g, self, token, limit_us * HF_MICROSECOND, amount, capacity); }
uint32_t EXPORT(gate_try_after)(hf__gate *g, uint32_t self, uint32_t watched, uint32_t amount, uint32_t capacity) { return hf__gate_try_after(g, self, watched, amount, capacity); }

void EXPORT(holds_join)(hf__gate *g, uint32_t self) { hf__holds_join(g, self); }
hf_result EXPORT(holds_leave)(hf__gate *g, uint32_t self, uint32_t amount) { return hf__holds_leave(g, self, amount); }
hf_result EXPORT(holds_downgrade)(hf__gate *g, uint32_t self) { return hf__holds_downgrade(g, self); }
uint32_t EXPORT(holds_of)(hf__gate *g, uint32_t self) { return hf__holds_of(g, self); }
void EXPORT(holds_look)(hf__gate *g, hf__agents *a, uint32_t self, uint32_t now_ms) { hf__holds_probe(g, a, self, now_ms); }
