/* Weights files of engines: an engine plays with the given file, refuses a bad one and keeps what
 * it has, and the public API names the reason.
 */
#include "api/engine.h"
#include "weights_file.h"

static TgEngine *engine(Rule rule) {
    const TgConfig config = {.size = 15, .rule = (int32_t)rule, .threads = 1, .memory_kib = 256};
    TgEngine *e = NULL;
    check(tg_new(&config, &e) == TG_OK, "an engine");
    return e;
}

/* An engine with the present file. */
static TgEngine *engine_of_file(Rule rule) {
    TgEngine *e = engine(rule);
    check(reads(), "rule %d: %s", rule, file.fault.text);
    check(tg_load_weights(e, 15, file.at, (int64_t)file.size) == TG_OK, "rule %d: loaded", rule);
    return e;
}

static TgResult searched(TgEngine *e) {
    const TgSquare black[] = {{7, 7}, {8, 8}}, white[] = {{8, 7}, {6, 9}};
    const TgLimits limits = {.time_ms = -1, .soft_ms = -1, .depth = -1, .lines = 1, .nodes = 2000};
    TgResult result = {.line.score = 0};
    check(tg_set_position(e, black, 2, white, 2, NULL, 0, 0, 0, TG_BLACK) == TG_OK, "stones");
    check(tg_search(e, &limits, &result) == TG_OK, "a search");
    return result;
}

static bool same(const TgResult *a, const TgResult *b) {
    return a->move.x == b->move.x && a->move.y == b->move.y && a->line.score == b->line.score &&
           a->line.nodes == b->line.nodes;
}

/* Lines and last stones of 0 do not change a search. */
static void silent_additions(void (*take)(Rule), const char *what) {
    for (int i = 0; i < RULE_COUNT; i++) {
        take_plain(RULES[i]);
        TgEngine *plain = engine_of_file(RULES[i]);
        take(RULES[i]);
        TgEngine *own = engine_of_file(RULES[i]);
        const TgResult before = searched(plain), result = searched(own);
        check(same(&before, &result), "rule %d: %s that say nothing", RULES[i], what);
        tg_free(plain);
        tg_free(own);
    }
}

/* Engines with different files do not affect each other, in any order. */
static void two_engines(void) {
    TgEngine *builtin = engine(RULE_FREESTYLE), *own = engine(RULE_RENJU);
    const TgResult before = searched(builtin);
    const uint32_t checksum = tg_weights_checksum(builtin);
    take_builtin(RULE_FREESTYLE);
    check(tg_load_weights(own, 15, file.at, (int64_t)file.size) == TG_OK, "the built-in ones");
    TgResult result = searched(own);
    check(same(&before, &result) && tg_weights_checksum(own) == checksum, "the same numbers");

    ScoreTables *scores = (ScoreTables *)(file.at + header()->scores.offset);
    for (int i = 0; i < COUNT(scores->threat); i++)
        scores->threat[i] = (int16_t)(scores->threat[i] / 2);
    seal();
    check(tg_load_weights(own, 15, file.at, (int64_t)file.size) == TG_OK, "other ones");
    check(tg_weights_checksum(own) == header()->checksum, "their checksum");
    memset(file.at, 0, file.size); /* the engine has a copy */
    result = searched(own);
    check(!same(&before, &result), "other numbers, another search");
    const TgResult again = searched(own);
    result = searched(builtin);
    check(tg_reset(own, 15, RULE_FREESTYLE) == TG_OK, "a reset keeps the weights");
    check(tg_weights_checksum(own) != checksum && again.line.nodes, "still its own");
    check(tg_reset(own, 15, RULE_CARO) == TG_ERR_WEIGHTS, "another rule");
    check(tg_reset(builtin, 15, RULE_FREESTYLE) == TG_OK, "as it was");
    result = searched(builtin);
    check(same(&before, &result), "the built-in ones are what they were");
    tg_free(own);
    tg_free(builtin);
}

static void refused_by_an_engine(void) {
    TgEngine *e = engine(RULE_FREESTYLE);
    const TgResult before = searched(e);
    const uint32_t checksum = tg_weights_checksum(e);
    take_builtin(RULE_RENJU);
    check(tg_load_weights(e, 15, file.at, (int64_t)file.size - 1) == TG_ERR_WEIGHTS, "a cut file");
    check(tg_load_weights(e, 15, file.at, 0) == TG_ERR_WEIGHTS, "an empty file");
    check(tg_load_weights(e, 4, file.at, (int64_t)file.size) == TG_ERR_SIZE, "a size");
    check(tg_load_weights(e, 15, NULL, 1) == TG_ERR_ARGUMENT, "no file");
    check(tg_load_weights(e, 15, file.at, -1) == TG_ERR_ARGUMENT, "a negative size");
    check(tg_load_weights(e, 15, file.at, INT64_MAX) == TG_ERR_MEMORY, "more than there is");
    check(tg_weights_checksum(e) == checksum, "the weights stay");
    TgOutcome outcome;
    check(tg_play(e, (TgSquare){7, 7}, &outcome) == TG_ERR_OCCUPIED, "and so does the position");
    check(tg_reset(e, 15, RULE_FREESTYLE) == TG_OK, "a reset");
    const TgResult after = searched(e);
    check(same(&before, &after), "the search as well");
    tg_free(e);
}

static void told_reasons(void) {
    int32_t rule = 0;
    char reason[200];
    take_builtin(RULE_CARO);
    /* from anywhere, also where no number could lie */
    memmove(file.at + 1, file.at, file.size);
    const int64_t size = (int64_t)file.size;
    check(tg_check_weights(file.at + 1, size, &rule, reason, sizeof reason) == TG_OK, "whole");
    check(rule == RULE_CARO && reason[0] == '\0', "rule %d, %s", rule, reason);
    check(tg_check_weights(file.at, size, &rule, reason, sizeof reason) == TG_ERR_WEIGHTS, "not");
    check(rule == -1 && strcmp(reason, "not a weights file") == 0, "rule %d, %s", rule, reason);
    check(tg_check_weights(file.at, size, &rule, reason, 4) == TG_ERR_WEIGHTS, "in little room");
    check(strcmp(reason, "not") == 0, "the beginning of it: %s", reason);
    check(tg_check_weights(file.at, size, &rule, reason, 0) == TG_ERR_ARGUMENT, "in none");
    check(tg_check_weights(NULL, size, &rule, reason, 9) == TG_ERR_ARGUMENT, "of nothing");
    const uint8_t *bytes;
    int64_t count;
    check(tg_builtin_weights(RULE_CARO, &bytes, &count) == TG_OK && count == size, "what it has");
    check(tg_builtin_weights(3, &bytes, &count) == TG_ERR_RULE, "of no rule");
    check(tg_lend_weights(RULE_CARO, bytes, count) == TG_ERR_ARGUMENT, "it has its own");
}

int main(void) {
    if (!make_room()) return 1;
    silent_additions(take_with_lines, "lines");
    silent_additions(take_with_recent, "last stones");
    two_engines();
    refused_by_an_engine();
    told_reasons();
    platform_free(file.at, file.room);
    return checks_done();
}
