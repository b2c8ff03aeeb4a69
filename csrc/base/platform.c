#include "base/platform.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(_WIN32)
#include <windows.h>
/* psapi.h needs windows.h first */
#include <psapi.h>
#elif defined(__wasi__)
#include <stdlib.h>
#include <string.h>
#include <time.h>
#else
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach/mach.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#include <stdlib.h>
#endif
#endif

void platform_once(Once *once, void (*make)(void)) {
    pthread_once(once, make);
}

#if defined(__wasi__)

/* There is only one thread, and a search does not need others. */
bool platform_thread_start(Thread *t, size_t stack_bytes, void *(*work)(void *), void *argument) {
    (void)t;
    (void)stack_bytes;
    (void)work;
    (void)argument;
    return false;
}

void platform_thread_join(Thread t) {
    (void)t;
}

#else

bool platform_thread_start(Thread *t, size_t stack_bytes, void *(*work)(void *), void *argument) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    const bool started = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                         pthread_create(t, &attributes, work, argument) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

void platform_thread_join(Thread t) {
    pthread_join(t, NULL);
}

#endif

void platform_one_heap(void) {
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 1);
#endif
}

void platform_fill_cache(void) {
#if defined(__GLIBC__)
    /* Up to 7 blocks of each of 64 sizes: 236 KiB. */
    enum { SIZES = 64, EACH = 7, LEAST = 24, STEP = 16 };
    void
        *volatile block[SIZES * EACH]; /* volatile: otherwise the compiler removes the allocation */
    for (size_t i = 0; i < SIZES * EACH; i++) block[i] = malloc(LEAST + i / EACH * STEP);
    for (size_t i = 0; i < SIZES * EACH; i++) free(block[i]);
#endif
}

void platform_trim_heap(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

#if defined(__x86_64__) && !defined(__APPLE__)

/* __builtin_cpu_supports asks the compiler's library, and that of zig knows no processor. */
bool platform_has_avx2(void) {
    enum { LEAF_FEATURES = 1, LEAF_EXTENDED = 7, XMM_AND_YMM = 6 };
    const unsigned needed = bit_AVX | bit_OSXSAVE | bit_POPCNT;
    const unsigned extended = bit_AVX2 | bit_BMI | bit_BMI2;
    unsigned a, b, c, d;
    if (!__get_cpuid(LEAF_FEATURES, &a, &b, &c, &d) || (c & needed) != needed) return false;
    unsigned low, high; /* the registers that the system saves when it switches threads */
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & XMM_AND_YMM) != XMM_AND_YMM) return false;
    if (!__get_cpuid_count(LEAF_EXTENDED, 0, &a, &b, &c, &d)) return false;
    return (b & extended) == extended;
}

#else

bool platform_has_avx2(void) {
    return false; /* no such build there */
}

#endif

void platform_prefer_huge_pages(void *memory, size_t bytes) {
#if defined(MADV_HUGEPAGE)
    madvise(memory, bytes, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

#if defined(_WIN32)

int64_t platform_now_us(void) {
    LARGE_INTEGER count, per_second;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&per_second);
    const int64_t whole = count.QuadPart / per_second.QuadPart;
    const int64_t part = count.QuadPart % per_second.QuadPart;
    return whole * 1000000 + part * 1000000 / per_second.QuadPart;
}

int64_t platform_resident_bytes(void) {
    PROCESS_MEMORY_COUNTERS counters;
    if (!GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)) return 0;
    return (int64_t)counters.WorkingSetSize;
}

void *platform_alloc(size_t bytes) {
    return VirtualAlloc(NULL, bytes, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
}

void platform_free(void *memory, size_t bytes) {
    (void)bytes;
    if (memory) VirtualFree(memory, 0, MEM_RELEASE);
}

#elif defined(__wasi__)

int64_t platform_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t platform_resident_bytes(void) {
    return (int64_t)__builtin_wasm_memory_size(0) * 65536;
}

/* The system has no pages to give, so blocks of the heap are cleared. */
void *platform_alloc(size_t bytes) {
    enum { LINE = 64 };
    void *p = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    if (p) memset(p, 0, bytes);
    return p;
}

void platform_free(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

#else

int64_t platform_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

#if defined(__APPLE__)
int64_t platform_resident_bytes(void) {
    struct mach_task_basic_info info;
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count)) return 0;
    return (int64_t)info.resident_size;
}
#else
int64_t platform_resident_bytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    long long total = 0, resident = 0;
    const int fields = fscanf(file, "%lld %lld", &total, &resident);
    fclose(file);
    return fields == 2 ? resident * sysconf(_SC_PAGESIZE) : 0;
}
#endif

/* Pages come directly from the system and are zero before the first touch. A table that is never
 * filled thus never becomes resident, and freeing returns the memory at once. */
void *platform_alloc(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void platform_free(void *memory, size_t bytes) {
    if (memory) munmap(memory, bytes);
}

#endif
