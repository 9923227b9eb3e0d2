/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* As another language sees the library: by names alone, with no header. It also
 * defines the functions of the host (holdfast/host.h). */

#define EXPORT(name) __attribute__((export_name(name)))

int hf_mutex_lock(void *);
int hf_mutex_unlock(void *);
int hf_recursive_mutex_lock(void *);
int hf_recursive_mutex_unlock(void *);
void hf_semaphore_init(void *, unsigned initial, unsigned max);
int hf_semaphore_tryenter(void *, unsigned permits);
unsigned hf_thread_id(void);

unsigned hf_host_thread_id(void)
{
    return 7;
}

long long hf_host_now_ns(void)
{
    return 0;
}

_Bool hf_host_may_block(void)
{
    return 1;
}

static unsigned long long mutex[2], recursive[3], semaphore[2];

EXPORT("lock_all") int lock_all(void)
{
    hf_semaphore_init(semaphore, 1, 1);
    int failed = hf_mutex_lock(mutex) | hf_recursive_mutex_lock(recursive);
    failed |= hf_recursive_mutex_lock(recursive) | hf_semaphore_tryenter(semaphore, 1);
    failed |= hf_recursive_mutex_unlock(recursive) | hf_recursive_mutex_unlock(recursive);
    return failed | hf_mutex_unlock(mutex);
}

EXPORT("lock") int lock(void)
{
    return hf_mutex_lock(mutex);
}

EXPORT("unlock") int unlock(void)
{
    return hf_mutex_unlock(mutex);
}

EXPORT("mutex") void *address_of_mutex(void)
{
    return mutex;
}

EXPORT("thread") unsigned thread(void)
{
    return hf_thread_id();
}
