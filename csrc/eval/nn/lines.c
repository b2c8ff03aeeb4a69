#include "eval/nn/lines.h"

#include <string.h>

enum { HASH_BITS = 12, EDGE = 3 };
_Static_assert(1 << HASH_BITS == LINE_SLOTS, "one slot for each hash");
_Static_assert((int)MAX_SIZE <= (int)LINE_POSITIONS, "a row for each square of a line");
_Static_assert(2 * (LINE_POSITIONS + PAD + 1) < 64, "the keys of a position beyond the line");
_Static_assert(LINE_NONE <= UINT16_MAX, "numbers of rows");
_Static_assert(sizeof(LineSlot) == 64, "a slot fills a cache line");
_Static_assert(MAX_SIZE * 2 * DIRECTIONS * NET_LINE_MAX <= INT16_MAX, "what a line changes");

/* --- the rows ------------------------------------------------------------------------------ */

static int standing(Stone s, Color viewer) {
    return s == EMPTY ? 0 : s == (Stone)viewer ? 1 : 2;
}

/* The row of a line for both views, each with the colours of its view. */
static NetLineRow line_row(const NetLines *const lines[COLORS], Stone s, int black, int white) {
    const int8_t *row[COLORS] = {lines[BLACK]->row[standing(s, BLACK)][black],
                                 lines[WHITE]->row[standing(s, WHITE)][white]};
    NetLineRow out;
    for (int c = 0; c < COLORS; c++)
        memcpy((int8_t *)&out + c * NET_LINE_WIDTH, row[c], NET_LINE_WIDTH);
    return out;
}

void line_rows_init(LineRows *rows, const NetLines *const lines[COLORS]) {
    rows->classes = line_table();
    memset(&rows->row[LINE_NONE], 0, sizeof *rows->row);
    for (int s = BLACK; s <= EMPTY; s++)
        for (int i = 0; i < LINE_CLASSES; i++)
            rows->row[s * LINE_CLASSES + i] =
                line_row(lines, (Stone)s, i, rows->classes->swapped[i]);
}

/* --- the rows of a line -------------------------------------------------------------------- */

static int row_at(const LineRows *rows, u64 word, int position) {
    static const int STAND[] = {EMPTY, BLACK, WHITE};
    const int square = (int)(word >> (2 * (position + PAD)) & 3);
    if (square == EDGE) return LINE_NONE;
    return STAND[square] * LINE_CLASSES + line_class(rows->classes, word, position);
}

static ALWAYS_INLINE const u16 *rows_of(const LineRows *rows, LineSlots *slots, u64 word) {
    LineSlot *s = &slots->slot[(word >> (2 * PAD)) * 0x9E3779B97F4A7C15 >> (64 - HASH_BITS)];
    if (s->word != word) {
        s->word = word;
        for (int k = 0; k < LINE_POSITIONS; k++) s->row[k] = (u16)row_at(rows, word, k);
    }
    return s->row;
}

/* The positions at which the rows differ. */
static ALWAYS_INLINE u32 differing(const u16 a[LINE_POSITIONS], const u16 b[LINE_POSITIONS]) {
#ifdef __SSE2__
    __m128i same[3];
    for (int i = 0; i < 3; i++)
        same[i] = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)&a[8 * i]),
                                  _mm_loadu_si128((const __m128i *)&b[8 * i]));
    const u32 low = (u32)_mm_movemask_epi8(_mm_packs_epi16(same[0], same[1]));
    const u32 high = (u32)_mm_movemask_epi8(_mm_packs_epi16(same[2], same[2])) & 255;
    return (low | high << 16) ^ ((1u << LINE_POSITIONS) - 1);
#else
    u32 set = 0;
    for (int k = 0; k < LINE_POSITIONS; k++) set |= (u32)(a[k] != b[k]) << k;
    return set;
#endif
}

/* --- the numbers of the squares ------------------------------------------------------------ */

/* Adds a row to the numbers of a square, by +1 or -1. */
static ALWAYS_INLINE void add_row(NetLineSum *to, const NetLineRow *row, int sign) {
    for (int i = 0; i < NET_LINE_PARTS; i++) {
        const SimdInt16 part = simd_widen(row->part[i]);
        to->part[i] += sign > 0 ? part : -part;
    }
}

/* Exchanges a row of a square. Adds to `change` what this changes after relu. */
static ALWAYS_INLINE void exchange(NetLineSum *at, const NetLineRow *new, const NetLineRow *old,
                                   NetLineSum *change) {
    NetLineSum now = *at;
    add_row(&now, new, 1);
    add_row(&now, old, -1);
    for (int i = 0; i < NET_LINE_PARTS; i++)
        change->part[i] += simd_relu(now.part[i]) - simd_relu(at->part[i]);
    *at = now;
}

static ALWAYS_INLINE void add_to(int32_t sum[NET_LINE_LANES], const NetLineSum *change) {
    for (int i = 0; i < NET_LINE_PARTS; i++) simd_add_to(&sum[i * SIMD_INT16S], change->part[i]);
}

/* Updates the line through square c in a direction. */
static ALWAYS_INLINE void update_line(const LineRows *rows, const Position *p, LineSlots *slots,
                                      Cell c, int direction, LineSquares *squares,
                                      int32_t sum[NET_LINE_LANES]) {
    const int index = line_index(c, direction), step = DIR_STEP[direction];
    const u64 word = p->pattern.line[index];
    if (word == squares->word[index]) return;
    u16 old[LINE_POSITIONS]; /* a copy: the next look-up may use the same slot */
    memcpy(old, rows_of(rows, slots, squares->word[index]), sizeof old);
    const u16 *new = rows_of(rows, slots, word);
    const int first = c - line_position(c, direction) * step;
    NetLineSum change;
    memset(&change, 0, sizeof change);
    for (u32 set = differing(old, new); set; set &= set - 1) {
        const int k = __builtin_ctz(set);
        exchange(&squares->at[first + k * step], &rows->row[new[k]], &rows->row[old[k]], &change);
    }
    add_to(sum, &change);
    squares->word[index] = word;
}

/* --- the interface ------------------------------------------------------------------------- */

void lines_refresh(const LineRows *rows, const Position *p, LineSquares *squares,
                   int32_t sum[NET_LINE_LANES]) {
    memset(squares->at, 0, sizeof squares->at);
    memset(sum, 0, NET_LINE_LANES * sizeof *sum);
    for (Cell c = 0; c < CELLS; c++) {
        NetLineSum *at = &squares->at[c], positive;
        if (p->board.stone[c] == OFF_BOARD) continue;
        for (int d = 0; d < DIRECTIONS; d++) {
            const u64 word = p->pattern.line[line_index(c, d)];
            squares->word[line_index(c, d)] = word;
            add_row(at, &rows->row[row_at(rows, word, line_position(c, d))], 1);
        }
        for (int i = 0; i < NET_LINE_PARTS; i++) positive.part[i] = simd_relu(at->part[i]);
        add_to(sum, &positive);
    }
}

void lines_update(const LineRows *rows, const Position *p, LineSlots *slots, const Bitboard *stones,
                  LineSquares *squares, int32_t sum[NET_LINE_LANES]) {
    BB_FOR_EACH(c, stones) {
        update_line(rows, p, slots, c, 0, squares, sum);
        update_line(rows, p, slots, c, 1, squares, sum);
        update_line(rows, p, slots, c, 2, squares, sum);
        update_line(rows, p, slots, c, 3, squares, sum);
    }
}
