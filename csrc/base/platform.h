/* platform.h - clock, memory and threads; the only file that depends on the operating system.
 */
#ifndef BASE_PLATFORM_H
#define BASE_PLATFORM_H

#include <pthread.h>

#include "base/base.h"

typedef pthread_once_t Once;
typedef pthread_t Thread;
#define ONCE_INIT PTHREAD_ONCE_INIT

/* Runs `make` once per process, on the first thread that calls this. */
void platform_once(Once *once, void (*make)(void));
/* Starts a thread that runs `work` on a stack of stack_bytes; false if the system refuses. */
bool platform_thread_start(Thread *t, size_t stack_bytes, void *(*work)(void *), void *argument);
/* Waits for the thread to end. */
void platform_thread_join(Thread t);
/* Microseconds of a monotonic clock. */
int64_t platform_now_us(void);
/* Resident bytes of this process; 0 if the system does not report them. */
int64_t platform_resident_bytes(void);
/* Makes all threads allocate from one heap of libc; by default each thread gets its own. */
void platform_one_heap(void);
/* Fills libc's cache of freed blocks for the calling thread, so that it does not grow later. */
void platform_fill_cache(void);
/* Returns the free memory of that heap to the system. */
void platform_trim_heap(void);
/* Whether the processor and the system support the AVX2 build of the library. */
bool platform_has_avx2(void);
/* Allocates zeroed memory aligned to a cache line; NULL on failure. Free with platform_free. */
void *platform_alloc(size_t bytes);
void platform_free(void *memory, size_t bytes);
/* Allows huge pages for untouched memory, if the system has them. Address lookups get cheaper. The
 * first touch clears a whole page, which took 6 ms in a measurement. */
void platform_prefer_huge_pages(void *memory, size_t bytes);

/* Embeds a file into the program by the assembler's .incbin, read-only and aligned to a cache line.
 * Declares `name`, its bytes, and `name_end`, the place after the last one. path: as in an
 * #include. The object formats differ in the names of sections and symbols: ELF (Linux), COFF
 * (Windows), Mach-O (macOS) and WebAssembly. */
#define PLATFORM_EMBED(name, path)                                                                 \
    __asm__(EMBED_SECTION(name) ".balign 64\n" EMBED_SYMBOL(                                       \
        name) ".incbin \"" path "\"\n" EMBED_SYMBOL(name##_end) EMBED_SIZE(name) EMBED_LEAVE);     \
    extern const u8 name[], name##_end[]

#if defined(_WIN32)
#define EMBED_SECTION(name) ".section .rdata,\"dr\"\n"
#define EMBED_SYMBOL(name) ".globl " #name "\n" #name ":\n"
#define EMBED_SIZE(name) ".byte 0\n"
#define EMBED_LEAVE ".text\n"
#elif defined(__APPLE__)
#define EMBED_SECTION(name) ".section __TEXT,__const\n"
#define EMBED_SYMBOL(name) ".globl _" #name "\n.private_extern _" #name "\n_" #name ":\n"
#define EMBED_SIZE(name) ".byte 0\n"
#define EMBED_LEAVE ".text\n"
#elif defined(__wasm__)
#define EMBED_SECTION(name) ".section .rodata." #name ",\"\",@\n"
#define EMBED_SYMBOL(name)                                                                         \
    ".globl " #name "\n.hidden " #name "\n.type " #name ",@object\n" #name ":\n"
#define EMBED_SIZE(name)                                                                           \
    ".byte 0\n.size " #name ", " #name "_end - " #name "\n.size " #name "_end, 1\n"
#define EMBED_LEAVE ""
#else
#define EMBED_SECTION(name) ".pushsection .rodata,\"a\"\n"
#define EMBED_SYMBOL(name)                                                                         \
    ".globl " #name "\n.hidden " #name "\n.type " #name ",%object\n" #name ":\n"
#define EMBED_SIZE(name) ".byte 0\n.size " #name ", " #name "_end - " #name "\n"
#define EMBED_LEAVE ".popsection\n"
#endif

#endif
