/* form.h - what the state of a fit (state.h) holds. */
#ifndef NETWORK_FORM_H
#define NETWORK_FORM_H

#include "../fitting/state.h"
#include "net.h"

/* Call it before the positions are shuffled. */
static inline u32 checksum_of_games(const Samples *learned, const Samples *validation) {
    u32 sum = crc32_of(0, learned->at, learned->count * sizeof *learned->at);
    sum = crc32_of(sum, validation->at, validation->count * sizeof *validation->at);
    for (size_t i = 0; i < games.count; i++) {
        const Game *g = &games.at[i];
        const int game[] = {g->rule, g->size, g->result, g->plies, g->is_node};
        sum = crc32_of(sum, game, sizeof game);
    }
    sum = crc32_of(sum, plies.move, plies.count * sizeof *plies.move);
    return crc32_of(sum, plies.score, plies.count * sizeof *plies.score);
}

/* Call it before the first step. */
static inline u32 checksum_of_start(void) {
    return crc32_of(crc32_of(0, &net, sizeof net), &start, sizeof start);
}

/* Increase the version if a fit from the same input learns other numbers. */
static inline StateForm state_form(void) {
    return (StateForm){.magic = "TGFIT\r\n\n",
                       .version = 6,
                       .shape = {WIDTH, NET_HIDDEN, NET_LINE_WIDTH, NET_RECENT_WIDTH, NET_FEATURES,
                                 PARAMETERS, BATCH},
                       .setting = {{"EPOCHS", (u32)command.epochs},
                                   {"--lines", options.lines},
                                   {"--recent", options.recent},
                                   {"--squares", options.keeps_squares},
                                   {"--result-share", bits_of(options.result_share)},
                                   {"--lines", bits_of(options.line_decay)},
                                   {"--recent", bits_of(options.recent_decay)},
                                   {"--rate", bits_of(command.rate)}},
                       .weights = table->weights.checksum,
                       .block = {{&net, sizeof net}, {moments, sizeof moments}}};
}

#endif
