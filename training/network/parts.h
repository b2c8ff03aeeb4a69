/* parts.h - the network in the form of the library, to compute the engine's scores.
 */
#ifndef NETWORK_PARTS_H
#define NETWORK_PARTS_H

#include "../fitting/whole.h"
#include "net.h"

/* The parts of a weights file, by law. */
static struct {
    NetSquares squares[LAWS];
    Network network;
    NetLines lines[LAWS];
    NetRecent recent[LAWS];
    NetRecentLayer recent_layer;
} parts;

static void put_codes(void) {
    for (int i = 0; i < laws * NET_CODES; i++) {
        NetSquare *to = &parts.squares[i / NET_CODES].code[i % NET_CODES];
        put_int8(to->own, whole.own[i], WIDTH, NET_SQUARE_ONE);
        put_int8(to->other, whole.other[i], WIDTH, NET_SQUARE_ONE);
    }
}

static void put_network(void) {
    const int product = NET_ONE * NET_WEIGHT_ONE;
    Network *to = &parts.network;
    for (int r = 0; r < NET_RINGS; r++)
        put_int16(to->factor[r], whole.factor[r], WIDTH, 1, NET_FACTOR_ONE);
    put_int16(to->bias, whole.bias, WIDTH, 1, NET_AROUND_ONE);
    for (int j = 0; j < NET_HIDDEN; j++)
        put_int16(to->hidden[j], &net.hidden[0][j], NET_INPUTS, NET_HIDDEN, NET_WEIGHT_ONE);
    put_int32(to->hidden_bias, net.hidden_bias, NET_HIDDEN, product);
    put_int16(to->out, net.out, NET_HIDDEN, 1, NET_WEIGHT_ONE);
    put_int32(&to->out_bias, &net.out_bias, 1, product);
}

static void put_line_parts(void) {
    for (int law = 0; law < laws; law++)
        put_int8(parts.lines[law].row[0][0], whole.line[law][0][0],
                 sizeof whole.line[law] / sizeof(float), NET_SQUARE_ONE);
}

static void put_recent_parts(void) {
    for (int law = 0; law < laws; law++)
        put_int8(parts.recent[law].row[0][0], whole.recent[law][0][0],
                 sizeof whole.recent[law] / sizeof(float), NET_RECENT_ONE);
    for (int j = 0; j < NET_HIDDEN; j++)
        put_int16(parts.recent_layer.hidden[j], &net.recent_hidden[0][j], NET_RECENT_INPUTS,
                  NET_HIDDEN, NET_WEIGHT_ONE);
    for (int stone = 0; stone < NET_RECENT_STONES; stone++)
        put_int32(parts.recent_layer.absent[stone], net.recent_absent[stone], NET_HIDDEN,
                  NET_ONE * NET_WEIGHT_ONE);
}

/* The engine's evaluation with the present network, without a policy network. Valid until the next
 * call. */
static const EvalTable *table_of_network(void) {
    Weights w = table->weights;
    put_codes();
    put_network();
    if (options.lines) put_line_parts();
    if (options.recent) put_recent_parts();
    w.network = &parts.network;
    w.policy = NULL;
    w.recent_layer = options.recent ? &parts.recent_layer : NULL;
    for (int color = 0; color < COLORS; color++) {
        const int law = color % laws;
        w.squares[color] = &parts.squares[law];
        w.lines[color] = options.lines ? &parts.lines[law] : NULL;
        w.recent[color] = options.recent ? &parts.recent[law] : NULL;
    }
    return table_of_weights(&w);
}

#endif
