/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_BOOL_H
#define HOLDFAST_BOOL_H

/* The type of all true-or-false answers: `_Bool` in C, `bool` in C++. The headers do not include <stdbool.h>,
 * whose macro `bool` would clash with programs that use that name. */
#ifdef __cplusplus
typedef bool hf_bool;
#else
typedef _Bool hf_bool;
#endif

#endif
