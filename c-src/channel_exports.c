/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "channel.h"

/* The ABI of the module of channels. The main module locks the mutexes of their sides (exports.c). The glue
 * copies the bytes. Each export is the function itself, so this file is the first of the module's sources. */
#define EXPORT(name) __attribute__((export_name(#name))) name
#define EXPORT_AS(name, function) extern __typeof__(function)(function) __attribute__((export_name(#name)))

EXPORT_AS(channel_close, hf_channel_close);
EXPORT_AS(channel_begin, hf__channel_begin);
EXPORT_AS(channel_put, hf__channel_put);
EXPORT_AS(channel_move_on, hf__channel_move_on);
EXPORT_AS(channel_next, hf__channel_next);
EXPORT_AS(channel_token, hf__channel_token);
EXPORT_AS(channel_step, hf__channel_step);

/* clang-format off */
uint32_t EXPORT(channel_wait)(hf__channel_side *s, uint32_t token, uint32_t before, uint32_t limit_us) { return hf__channel_wait(s, token, before, limit_us * HF_MICROSECOND); }
