/* jumping_clock.c - loaded before libc, it sets the clock on the wall a million seconds forth and
 * back with every look. The monotonic clock is left alone. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { JUMP_SECONDS = 1000000 };

static time_t jump(void) {
    static atomic_int looks;
    return atomic_fetch_add(&looks, 1) % 2 ? JUMP_SECONDS : -JUMP_SECONDS;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    const int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += jump();
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    const int result = (int)syscall(SYS_gettimeofday, now, zone);
    now->tv_sec += jump();
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
