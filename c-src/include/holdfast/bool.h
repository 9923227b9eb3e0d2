/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_BOOL_H
#define HOLDFAST_BOOL_H

/* The type of all answers that are true or false: `_Bool` in C, `bool` in C++. The headers do not include
 * <stdbool.h>, whose macro would take the name `bool` from C programs that use it themselves. */
#ifdef __cplusplus
typedef bool hf_bool;
#else
typedef _Bool hf_bool;
#endif

#endif
