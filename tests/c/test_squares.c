/* Single squares: threats of both colours, and reasons of forbidden squares.
 */
#include <string.h>

#include "check.h"
#include "include/tengen.h"
#include "rules/rules.h"

/* An engine with the stones of a drawing, Black to move; the test is about the starred square. */
static TgEngine *engine_of(const Scene *s, Rule rule, TgSquare *star) {
    const TgConfig config = {s->board.size, (int32_t)rule, 1, 1024};
    TgSquare stones[2][TG_MAX_SIZE * TG_MAX_SIZE];
    int32_t count[2] = {0, 0};
    for (int y = 0; y < s->board.size; y++)
        for (int x = 0; x < s->board.size; x++) {
            const Stone stone = s->board.stone[cell_at(x, y)];
            if (stone != BLACK && stone != WHITE) continue;
            const int which = stone == WHITE;
            stones[which][count[which]++] = (TgSquare){(int8_t)x, (int8_t)y};
        }
    TgEngine *e = NULL;
    check(tg_new(&config, &e) == TG_OK, "an engine");
    check(tg_set_position(e, stones[0], count[0], stones[1], count[1], NULL, 0, 0, 0, TG_BLACK) ==
              TG_OK,
          "its position");
    *star = (TgSquare){(int8_t)cell_x(s->star), (int8_t)cell_y(s->star)};
    return e;
}

static const struct {
    const char *rows;
    Rule rule;
    int32_t threat, why;
} CASES[] = {
    {".X*X.", RULE_FREESTYLE, TG_THREAT_THREE, TG_FORBIDDEN_NONE},
    {".X*X./.X.../..../.X", RULE_FREESTYLE, TG_THREAT_THREE, TG_FORBIDDEN_NONE},
    {"OXX*X.", RULE_FREESTYLE, TG_THREAT_FOUR, TG_FORBIDDEN_NONE},
    {".XX*X.", RULE_FREESTYLE, TG_THREAT_OPEN_FOUR, TG_FORBIDDEN_NONE},
    {"XX*XX", RULE_FREESTYLE, TG_THREAT_FIVE, TG_FORBIDDEN_NONE},
    {"XX*XX", RULE_RENJU, TG_THREAT_FIVE, TG_FORBIDDEN_NONE},
    {"OXXX*./....X/....X/....O", RULE_FREESTYLE, TG_THREAT_FOUR, TG_FORBIDDEN_NONE},
    {".../.XX*./...X/...X", RULE_FREESTYLE, TG_THREAT_THREES, TG_FORBIDDEN_NONE},
    {".../.XX*./...X/...X", RULE_RENJU, TG_THREAT_NONE, TG_FORBIDDEN_DOUBLE_THREE},
    {".../.XX*./...X/...X", RULE_NINUKI, TG_THREAT_NONE, TG_FORBIDDEN_DOUBLE_THREE},
    {"OXXX*/....X/....X/....X/....O", RULE_RENJU, TG_THREAT_NONE, TG_FORBIDDEN_DOUBLE_FOUR},
    {"OXXX*/....X/....X/....X/....O", RULE_FREESTYLE, TG_THREAT_FOURS, TG_FORBIDDEN_NONE},
    {"XXX*XX", RULE_RENJU, TG_THREAT_NONE, TG_FORBIDDEN_OVERLINE},
};

static void test_cases(void) {
    for (int i = 0; i < COUNT(CASES); i++)
        for (int view = 0; view < VIEWS_PLAIN; view++) {
            const Scene s = draw_scene((Place)MID, CASES[i].rows, view);
            static int32_t threats[TG_MAX_SIZE * TG_MAX_SIZE];
            TgSquare star;
            int32_t why = -1;
            TgEngine *e = engine_of(&s, CASES[i].rule, &star);
            check(tg_why_forbidden(e, star, &why) == TG_OK && why == CASES[i].why,
                  "%s, view %d: forbidden %d", CASES[i].rows, view, why);
            const int32_t size = s.board.size;
            check(tg_threats(e, TG_BLACK, threats, size * size) == TG_OK, "threats");
            const int32_t threat = threats[star.y * size + star.x];
            check(threat == CASES[i].threat, "%s, rule %d, view %d: threat %d", CASES[i].rows,
                  CASES[i].rule, view, threat);
            tg_free(e);
        }
}

static void test_arguments(void) {
    const Scene s = draw_scene((Place)MID, ".X*", 0);
    TgSquare star;
    int32_t out[15 * 15], why = 0;
    TgEngine *e = engine_of(&s, RULE_RENJU, &star);
    check(tg_threats(NULL, TG_BLACK, out, 225) == TG_ERR_ARGUMENT, "no engine");
    check(tg_threats(e, TG_NONE, out, 225) == TG_ERR_ARGUMENT, "no colour");
    check(tg_threats(e, TG_WHITE, out, 224) == TG_ERR_ARGUMENT, "too little room");
    check(tg_threats(e, TG_WHITE, out, 225) == TG_OK, "a colour that is not to move");
    check(tg_why_forbidden(e, star, NULL) == TG_ERR_ARGUMENT, "nowhere to put it");
    check(tg_why_forbidden(e, (TgSquare){15, 0}, &why) == TG_ERR_OFF_BOARD, "off the board");
    check(tg_why_forbidden(e, (TgSquare){(int8_t)(star.x - 1), star.y}, &why) == TG_ERR_OCCUPIED,
          "a stone");
    tg_free(e);
}

int main(void) {
    test_cases();
    test_arguments();
    return checks_done();
}
