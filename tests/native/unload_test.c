/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Unloads a plugin while a thread that has used its locks still lives. */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "cmocka_with_headers.h"
#include "plugin.h"

static pthread_barrier_t stage;

static void *work_and_outlive(void *plugin)
{
    __typeof__(plugin_work) *work;
    void *found = dlsym(plugin, "plugin_work");
    memcpy(&work, &found, sizeof work); /* ISO C has no such cast */
    work();
    pthread_barrier_wait(&stage);
    pthread_barrier_wait(&stage); /* unloaded */
    return NULL;
}

static void a_thread_that_outlives_the_library_ends(void **unused)
{
    (void)unused;
    void *plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(plugin);
    pthread_t thread;
    assert_int_equal(pthread_barrier_init(&stage, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, work_and_outlive, plugin), 0);
    pthread_barrier_wait(&stage);
    assert_int_equal(dlclose(plugin), 0);
    pthread_barrier_wait(&stage);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_barrier_destroy(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_outlives_the_library_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
