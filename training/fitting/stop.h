/* stop.h - ends a fit on SIGTERM or SIGINT, so that it can be continued. The exit status is 128
 * plus the number of the signal, as a shell reports it.
 *
 * If there are steps that are not saved, a signal sets a flag, and the fit saves its state after
 * the current step. At any other time it ends the program at once, because reading the games and
 * computing the losses take minutes.
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
