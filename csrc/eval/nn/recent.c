#include "eval/nn/recent.h"

enum {
    AROUND_SHIFT = 5, /* before the sum, so that it fits 16 bits */
    SQUARE_SHIFT = 2, /* of sums, to an eighth in 1/128 */
    REST_SHIFT = 1,
    ROW_SHIFT = 1,
    SIDE = 2 * NET_RECENT_REACH + 1
};
_Static_assert(DIRECTIONS * NET_RECENT_STONES * NET_RECENT_MAX >> ROW_SHIFT <= NET_RECENT_INPUT_MAX,
               "the lines of both stones");
_Static_assert(SIDE * SIDE *
                       ((((2 * NET_SQUARE_MAX + DIRECTIONS * NET_LINE_MAX) *
                              (NET_FACTOR_MAX + 8 * NET_RING_MAX) +
                          NET_BIAS_MAX) >>
                         AROUND_SHIFT) +
                        1) <=
                   INT16_MAX,
               "a sum around a stone fits 16 bits");
_Static_assert(MAX_SIZE + NET_RECENT_REACH <= STRIDE, "beyond a row lies no other square");

void recent_table_init(RecentTable *t, const NetRecent *const rows[COLORS]) {
    t->classes = line_table();
    for (Color c = BLACK; c <= WHITE; c++) t->rows[c] = rows[c];
}

/* The sums over the squares around a stone, Black's view before White's. */
typedef struct {
    NetRow square, around;
} Sums;

/* may_lack: the square is perhaps in a row beyond the board. Such rows are not stored; the other
 * squares beyond the board are, and count 0. */
static ALWAYS_INLINE Sums sums_around(const Accumulator *a, Cell c, bool may_lack) {
    Sums sums;
    memset(&sums, 0, sizeof sums);
    for (int y = -NET_RECENT_REACH; y <= NET_RECENT_REACH; y++)
        for (int x = -NET_RECENT_REACH; x <= NET_RECENT_REACH; x++) {
            const int k = c + y * STRIDE + x;
            if (may_lack && (k < 0 || k >= CELLS)) continue;
            const NetRow *at = &a->at[k], *around = &a->around[NET_BEYOND + k];
            for (int i = 0; i < NET_PARTS; i++) {
                sums.square.part[i] += simd_relu(at->part[i]);
                sums.around.part[i] += simd_relu(around->part[i]) >> AROUND_SHIFT;
            }
        }
    return sums;
}

static ALWAYS_INLINE bool is_near_the_end(Cell c) {
    enum { FAR = NET_RECENT_REACH * (STRIDE + 1) };
    return c < FAR || c >= CELLS - FAR;
}

/* The sums of both views by a shift, as inputs, the mover's before the other side's. */
static ALWAYS_INLINE void put_sums(int16_t in[NET_LANES], const NetRow *sum, int shift,
                                   Color mover) {
    int16_t lane[COLORS][NET_WIDTH];
    NetRow row;
    for (int i = 0; i < NET_PARTS; i++)
        row.part[i] = simd_at_most(sum->part[i] >> shift, NET_RECENT_INPUT_MAX);
    memcpy(lane, &row, sizeof row);
    memcpy(in, lane[mover], sizeof lane[mover]);
    memcpy(in + NET_WIDTH, lane[other(mover)], sizeof lane[mover]);
}

enum { ROW_PARTS = NET_RECENT_WIDTH / SIMD_INT16S };

static ALWAYS_INLINE void add_lines(SimdInt16 sum[ROW_PARTS], const RecentTable *t,
                                    const Position *p, Color mover, int stone, Cell c) {
    for (int d = 0; d < DIRECTIONS; d++) {
        int line = line_class(t->classes, p->pattern.line[line_index(c, d)], line_position(c, d));
        if (mover != BLACK) line = t->classes->swapped[line];
        const int8_t *row = t->rows[mover]->row[stone][line];
        for (int i = 0; i < ROW_PARTS; i++)
            sum[i] += simd_widen(*(const SimdInt8 *)&row[i * SIMD_INT16S]);
    }
}

void recent_inputs(const RecentTable *t, const Position *p, const Accumulator *squares,
                   RecentInputs *out) {
    const Color us = position_to_move(p);
    SimdInt16 row[ROW_PARTS] = {{0}};
    int16_t *in = out->in;
    for (int stone = 0; stone < NET_RECENT_STONES; stone++) {
        const Cell c = recent_move(p, stone == 0 ? other(us) : us);
        out->absent[stone] = c == NO_CELL;
        if (c == NO_CELL) {
            memset(in, 0, NET_RECENT_SUMS * sizeof *in);
            in += NET_RECENT_SUMS;
            continue;
        }
        const Sums sums =
            is_near_the_end(c) ? sums_around(squares, c, true) : sums_around(squares, c, false);
        put_sums(in, &sums.square, SQUARE_SHIFT, us);
        put_sums(in + NET_LANES, &sums.around, REST_SHIFT, us);
        in += NET_RECENT_SUMS;
        add_lines(row, t, p, us, stone, c);
    }
    for (int i = 0; i < ROW_PARTS; i++) row[i] = simd_relu(row[i]) >> ROW_SHIFT;
    memcpy(in, row, sizeof row);
}
