/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "plugin.h"

#include "holdfast/mutex.h"

static hf_mutex mutex;

void plugin_work(void)
{
    hf_threads();
    hf_mutex_lock(&mutex);
    hf_mutex_unlock(&mutex);
}
