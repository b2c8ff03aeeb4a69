/* stop.h - ends a fit on SIGTERM or SIGINT, so that it can be continued. The exit status is 128 and
 * the number of the signal, as of a program that the signal ended.
 *
 * While steps are done that no file has, a signal only sets a flag, and the fit writes its state.
 * At any other time the signal ends the program at once: to read the games and to compute the
 * losses takes minutes.
 */
#ifndef FITTING_STOP_H
#define FITTING_STOP_H

#include <signal.h>
#include <unistd.h>

#include "base/base.h"
#include "program.h"

static volatile sig_atomic_t is_stopped, is_unsaved; /* is_stopped: the signal, or 0 */

static inline void end_stopped(void) {
    static const char SAID[] = PROGRAM ": stopped; the same command continues\n";
    if (write(STDOUT_FILENO, SAID, sizeof SAID - 1) < 0) _exit(1);
    _exit(128 + is_stopped);
}

static inline void stop(int signal_number) {
    if (!is_stopped) is_stopped = signal_number;
    if (!is_unsaved) end_stopped();
}

static inline void end_on_signals(void) {
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
}

#endif
