/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Experimental: the wraps as one unit, beside c-src/holdfast.c. This is the one list of their sources;
 * cmake/holdfast-pthread.cmake reads it. The linker's options are in wraps.rsp. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* before the first header, for all of the sources */
#endif

#include "c11.c"
#include "cond.c"
#include "mutex.c"
#include "rwlock.c"
#include "sem.c"
#include "waits.c"
