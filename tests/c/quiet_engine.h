/* quiet_engine.h - an engine in a position in which nothing is decided and no side must answer a
 * threat.
 */
#ifndef TESTS_QUIET_ENGINE_H
#define TESTS_QUIET_ENGINE_H

#include "api/engine.h"
#include "check.h"

static inline TgEngine *quiet_engine(void) {
    static const TgSquare black[] = {{7, 7}, {8, 6}, {5, 9}}, white[] = {{8, 8}, {6, 7}, {9, 5}};
    const TgConfig config = {.size = 15, .rule = RULE_FREESTYLE, .threads = 1, .memory_kib = 1024};
    TgEngine *e = NULL;
    check(tg_new(&config, &e) == TG_OK, "a new engine");
    check(tg_set_position(e, black, COUNT(black), white, COUNT(white), NULL, 0, 0, 0, TG_BLACK) ==
              TG_OK,
          "a position");
    return e;
}

#endif
