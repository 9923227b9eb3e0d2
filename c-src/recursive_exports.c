/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stdbool.h>

#include "recursive_mutex.h"

/* The ABI of the module that counts depths. The inner mutex is locked by the main module (exports.c). */
#define EXPORT(name) __attribute__((export_name(#name))) name

/* clang-format off */
hf_result EXPORT(recursive_mutex_again)(hf_recursive_mutex *m, uint32_t self) { return hf__recursive_mutex_again(m, self); }
void EXPORT(recursive_mutex_begin)(hf_recursive_mutex *m) { hf__recursive_mutex_begin(m); }
uint32_t EXPORT(recursive_mutex_depth)(hf_recursive_mutex *m, uint32_t self) { return hf__recursive_mutex_depth(m, self); }
bool EXPORT(recursive_mutex_surface)(hf_recursive_mutex *m, uint32_t self) { return hf__recursive_mutex_surface(m, self); }
