/* export.c - prints the network of the value that the core was built with, as network.c writes it.
 *
 *   export RULE > network.json      status 3: the rule has none
 */
#include <stdio.h>
#include <stdlib.h>

#include "eval/eval.h"

static void print_row8(const int8_t *at, int count) {
    for (int i = 0; i < count; i++) printf("%s%d", i ? "," : "[", at[i]);
    printf("]");
}

static void print_row16(const int16_t *at, int count) {
    for (int i = 0; i < count; i++) printf("%s%d", i ? "," : "[", at[i]);
    printf("]");
}

static void print_row32(const int32_t *at, int count) {
    for (int i = 0; i < count; i++) printf("%s%d", i ? "," : "[", at[i]);
    printf("]");
}

static void print_squares(const NetSquare *squares) {
    for (int i = 0; i < NET_CODES; i++) {
        printf("[");
        print_row8(squares[i].own, NET_WIDTH);
        printf(",");
        print_row8(squares[i].other, NET_WIDTH);
        printf(i + 1 < NET_CODES ? "],\n" : "]");
    }
}

int main(int argc, char **argv) {
    const int rule = argc == 2 ? atoi(argv[1]) : -1;
#define KNOWN(name) rule != RULE_##name &&
    if (FOR_EACH_RULE(KNOWN) true) {
        fprintf(stderr, "usage: export RULE > network.json\n");
        return 2;
    }
    const EvalTable *t = eval_table((Rule)rule);
    if (!t->has_network) return 3;
    const Network *n = t->network.network;
    printf("{\"square\": [");
    print_squares(n->square[BLACK]);
    if (n->square[WHITE] != n->square[BLACK]) {
        printf(",\n");
        print_squares(n->square[WHITE]);
    }
    printf("],\n\"factor\": [");
    for (int r = 0; r < NET_RINGS; r++) {
        if (r) printf(",");
        print_row16(n->factor[r], NET_WIDTH);
    }
    printf("],\n\"bias\": ");
    print_row16(n->bias, NET_WIDTH);
    printf(",\n\"hidden\": [");
    for (int j = 0; j < NET_HIDDEN; j++) {
        if (j) printf(",\n");
        print_row16(n->hidden[j], NET_INPUTS);
    }
    printf("],\n\"hidden_bias\": ");
    print_row32(n->hidden_bias, NET_HIDDEN);
    printf(",\n\"out\": ");
    print_row16(n->out, NET_HIDDEN);
    printf(",\n\"out_bias\": %d}\n", n->out_bias);
    return fflush(stdout) != 0;
}
