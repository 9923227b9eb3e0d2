/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef CMOCKA_WITH_HEADERS_H
#define CMOCKA_WITH_HEADERS_H

/* cmocka.h wants these included before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
