/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef CHANNELS_H
#define CHANNELS_H

#include "contestants.h"

/* One thread sends messages of 16 bytes, another receives them; each locks once for a batch, whose size is
 * the contestant. For 2 threads. A section is a message. */
enum { CHANNELS_COMPARED = 2 };
extern const contestant channels_1[CHANNELS_COMPARED];
extern const contestant channels_16[CHANNELS_COMPARED];
extern const contestant channels_64[CHANNELS_COMPARED];
extern const contestant channels_256[CHANNELS_COMPARED];

#endif
