// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the holdfast authors

// C++ without its standard library: the headers of C, whose functions have C linkage. It also
// defines the functions of the host (holdfast/host.h).

#include <holdfast/holdfast.h>

#define EXPORT(name) extern "C" __attribute__((export_name(name)))

extern "C" uint32_t hf_host_thread_id()
{
    return 7;
}

extern "C" int64_t hf_host_now_ns()
{
    return 0;
}

extern "C" bool hf_host_may_block()
{
    return true;
}

static hf_mutex mutex;
static hf_recursive_mutex recursive;
static hf_semaphore semaphore;

EXPORT("lock_all") int lock_all()
{
    hf_semaphore_init(&semaphore, 1, 1);
    int failed = hf_mutex_lock(&mutex) | hf_recursive_mutex_lock(&recursive);
    failed |= hf_recursive_mutex_lock(&recursive) | hf_semaphore_tryenter(&semaphore, 1);
    failed |= hf_recursive_mutex_unlock(&recursive) | hf_recursive_mutex_unlock(&recursive);
    return failed | hf_mutex_unlock(&mutex);
}

EXPORT("lock") int lock()
{
    return hf_mutex_lock(&mutex);
}

EXPORT("unlock") int unlock()
{
    return hf_mutex_unlock(&mutex);
}

EXPORT("mutex") hf_mutex *address_of_mutex()
{
    return &mutex;
}

EXPORT("thread") uint32_t thread()
{
    return hf_thread_id();
}
