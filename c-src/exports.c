/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stdbool.h>

#include "agents.h"
#include "barrier.h"
#include "condition.h"
#include "event.h"
#include "gate.h"
#include "latch.h"
#include "mutex.h"
#include "once.h"
#include "owner_probe.h"
#include "rwlock.h"
#include "semaphore_parts.h"
#include "space.h"

/* The wasm ABI, one line an export. The headers explain the numbers. The module keeps nothing between calls,
 * so any number of instances may share a memory. */
#define EXPORT(name) __attribute__((export_name(#name))) name

/* Exports the function itself. The attribute must come before the definition. So this file is the first of the
 * module's sources, which are compiled as one. */
#define EXPORT_AS(name, function) extern __typeof__(function)(function) __attribute__((export_name(#name)))

#define SPACE ((hf_space *)HF_SPACE_ADDRESS)

/* clang-format off */
uint32_t EXPORT(mutex_lock_for_a_time)(hf_mutex *m, uint32_t self) { return hf__mutex_lock_for_a_time(m, self); }
hf_result EXPORT(mutex_trylock)(hf_mutex *m, uint32_t self) { return hf__mutex_try(m, self); }
hf_result EXPORT(mutex_unlock)(hf_mutex *m, uint32_t self) { return hf__mutex_release(m, self); }

bool EXPORT(owned_is_by)(hf__gate *g, uint32_t self) { return hf__owned_is_by(g, self); }
EXPORT_AS(gate_step, hf__gate_step);
uint32_t EXPORT(gate_wait)(hf__gate *g, uint32_t self, uint32_t token, uint32_t limit_us, uint32_t amount, uint32_t capacity) { return hf__gate_wait(g, self, token, limit_us * HF_MICROSECOND, amount, capacity); }
EXPORT_AS(gate_try_after, hf__gate_try_after);
uint32_t EXPORT(owned_take_over)(hf__gate *g, uint32_t self) { return hf__owned_take_over(g, self); }
EXPORT_AS(owner_probe, hf__owner_probe);
EXPORT_AS(gate_abandon, hf__gate_abandon);
EXPORT_AS(gate_withdraw, hf__gate_withdraw);

void EXPORT(semaphore_init)(hf_semaphore *s, uint32_t initial, uint32_t max) { hf_semaphore_init(s, initial, max); }
uint32_t EXPORT(semaphore_max)(hf_semaphore *s) { return hf_semaphore_max(s); }
uint32_t EXPORT(semaphore_value)(hf_semaphore *s) { return hf_semaphore_value(s); }
hf_result EXPORT(semaphore_leave)(hf_semaphore *s, uint32_t permits) { return hf__semaphore_release(s, permits); }

hf_result EXPORT(rwlock_unlock)(hf_rwlock *r, uint32_t amount) { return hf__rwlock_release(r, amount); }
uint32_t EXPORT(rwlock_probe_reader)(hf_rwlock *r, hf__agents *a, uint32_t known, uint32_t now_ms) { return hf__rwlock_probe_reader(r, a, known, now_ms); }
EXPORT_AS(rwlock_downgrade, hf__rwlock_downgrade);
EXPORT_AS(rwlock_note_upgradable, hf__rwlock_note_upgradable);
EXPORT_AS(rwlock_try_upgrade, hf__rwlock_try_upgrade);
EXPORT_AS(rwlock_upgrade_step, hf__rwlock_upgrade_step);
uint32_t EXPORT(rwlock_upgrade_wait)(hf_rwlock *r, uint32_t self, uint32_t before, uint32_t limit_us) { return hf__rwlock_upgrade_wait(r, self, before, limit_us * HF_MICROSECOND); }

uint32_t EXPORT(condition_begin)(hf_condition *c) { return hf__condition_begin(c); }
EXPORT_AS(condition_step, hf__condition_step);
uint32_t EXPORT(condition_wait)(hf_condition *c, uint32_t token, uint32_t before, uint32_t limit_us) { return hf__condition_wait(c, token, before, limit_us * HF_MICROSECOND); }
EXPORT_AS(condition_pass_on, hf__condition_pass_on);
uint32_t EXPORT(condition_notify)(hf_condition *c, uint32_t count) { return hf_condition_notify(c, count); }

void EXPORT(event_init)(hf_event *e, uint32_t auto_reset) { hf_event_init(e, auto_reset); }
void EXPORT(event_set)(hf_event *e) { hf_event_set(e); }
void EXPORT(event_reset)(hf_event *e) { hf_event_reset(e); }
bool EXPORT(event_is_set)(hf_event *e) { return hf_event_is_set(e); }
bool EXPORT(event_resets_itself)(hf_event *e) { return hf__event_resets_itself(e); }
uint32_t EXPORT(event_begin)(hf_event *e) { return hf__event_begin(e); }
EXPORT_AS(event_step, hf__event_step);
uint32_t EXPORT(event_wait)(hf_event *e, uint32_t token, uint32_t before, uint32_t limit_us) { return hf__event_wait(e, token, before, limit_us * HF_MICROSECOND); }

void EXPORT(latch_init)(hf_latch *l, uint32_t count) { hf_latch_init(l, count); }
hf_result EXPORT(latch_count_down)(hf_latch *l, uint32_t by) { return hf_latch_count_down(l, by); }
uint32_t EXPORT(latch_count)(hf_latch *l) { return hf_latch_count(l); }
EXPORT_AS(latch_step, hf__latch_step);
uint32_t EXPORT(latch_wait)(hf_latch *l, uint32_t before, uint32_t limit_us) { return hf__latch_wait(l, before, limit_us * HF_MICROSECOND); }

void EXPORT(barrier_init)(hf_barrier *b, uint32_t parties) { hf_barrier_init(b, parties); }
uint64_t EXPORT(barrier_arrive)(hf_barrier *b) { return hf__barrier_arrive(b); }
EXPORT_AS(barrier_step, hf__barrier_step);
uint32_t EXPORT(barrier_wait)(hf_barrier *b, uint32_t round, uint32_t before, uint32_t limit_us) { return hf__barrier_wait(b, round, before, limit_us * HF_MICROSECOND); }

bool EXPORT(once_is_done)(hf_once *o) { return hf_once_is_done(o); }
void EXPORT(once_set_done)(hf_once *o) { hf__once_set_done(o); }

uint32_t EXPORT(agents_join)(hf__agents *a, uint32_t now_ms) { return hf__agents_join(a, now_ms); }
hf__agent *EXPORT(agents_slot)(hf__agents *a, uint32_t identity) { return hf__agents_slot(a, identity); }
bool EXPORT(agent_arms)(hf__agent *a, uint32_t self) { return hf__agent_arms(a, self); }
bool EXPORT(agent_credit)(hf__agent *a, uint32_t self, uint32_t entries) { return hf__agent_credit(a, self, entries); }
void EXPORT(agent_leave)(hf__agent *a, uint32_t self) { hf__agent_leave(a, self); }

void EXPORT(space_init)(uint32_t pages, uint32_t threads, uint32_t id_low, uint32_t id_high) { hf_space_init(SPACE, pages, threads, id_low, id_high); }
uint32_t EXPORT(space_begin)(void) { return hf_space_begin(SPACE); }
uint32_t EXPORT(space_alloc)(uint32_t bytes, uint32_t align) { return hf_space_alloc(SPACE, bytes, align); }
uint32_t EXPORT(space_free)(uint32_t address) { return hf_space_free(SPACE, address); }
