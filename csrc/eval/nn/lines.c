#include "eval/nn/lines.h"

#include <string.h>

enum { HASH_BITS = 12, ROW_BITS = 15, EDGE = 3 };
_Static_assert(1 << HASH_BITS == LINE_SLOTS, "one slot for each hash");
_Static_assert((int)MAX_SIZE <= (int)LINE_POSITIONS, "a row for each square of a line");
_Static_assert(2 * (LINE_POSITIONS + PAD + 1) < 64, "the keys of a position beyond the line");
_Static_assert(LINE_NONE < 1 << ROW_BITS, "indices of rows");
_Static_assert(sizeof(LineSlot) == 64, "a slot fills a cache line");

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

/* The rows that have an index, found by a hash. */
typedef struct {
    LineRows *rows;
    LineShapes shapes;
    int count;
    u16 first[1 << ROW_BITS]; /* 1 + an index */
    u8 shapes_of[LINE_NONE];  /* by index */
} RowIndex;

/* The index of an equal row with the same shapes, else a new one. varies: the shapes are not
 * known, so the row is equal to no other. */
static u16 index_of(RowIndex *n, const NetLineRow *row, u8 shapes, bool varies) {
    u64 half[2];
    _Static_assert(sizeof half == sizeof *row, "a row has two words");
    memcpy(half, row, sizeof half);
    const u64 hash = (half[0] * 0x9E3779B97F4A7C15 ^ half[1] ^ shapes) * 0xD6E8FEB86659FD93;
    u32 at = (u32)(hash >> (64 - ROW_BITS));
    for (; !varies && n->first[at]; at = (at + 1) % (1 << ROW_BITS)) {
        const int old = n->first[at] - 1;
        if (n->shapes_of[old] == shapes && memcmp(&n->rows->row[old], row, sizeof *row) == 0)
            return (u16)old;
    }
    n->rows->row[n->count] = *row;
    n->shapes_of[n->count] = shapes;
    if (!varies) n->first[at] = (u16)(n->count + 1);
    return (u16)n->count++;
}

void line_rows_init(LineRows *rows, const ShapeTable *shapes, const NetLines *const lines[COLORS]) {
    RowIndex n = {.rows = rows};
    rows->classes = line_table();
    line_shapes(shapes, &n.shapes);
    for (int s = BLACK; s <= EMPTY; s++)
        for (int i = 0; i < LINE_CLASSES; i++) {
            const NetLineRow row = line_row(lines, (Stone)s, i, rows->classes->swapped[i]);
            rows->index[s * LINE_CLASSES + i] =
                index_of(&n, &row, n.shapes.pair[BLACK][i], n.shapes.varies[i]);
        }
    memset(&rows->row[LINE_NONE], 0, sizeof *rows->row);
    rows->index[LINE_NONE] = LINE_NONE;
}

/* --- the rows of a line -------------------------------------------------------------------- */

static int row_at(const LineRows *rows, u64 word, int position) {
    static const int STAND[] = {EMPTY, BLACK, WHITE};
    const int square = (int)(word >> (2 * (position + PAD)) & 3);
    if (square == EDGE) return LINE_NONE;
    return rows->index[STAND[square] * LINE_CLASSES + line_class(rows->classes, word, position)];
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

/* Updates the line through square c in a direction. */
static ALWAYS_INLINE void update_line(const LineRows *rows, const Position *p, LineSlots *slots,
                                      Cell c, int direction, LineSquares *squares,
                                      Bitboard *changed) {
    const int index = line_index(c, direction), step = DIR_STEP[direction];
    const u64 word = p->pattern.line[index];
    if (word == squares->word[index]) return;
    u16 *old = squares->row[index];
    const u16 *new = rows_of(rows, slots, word);
    const int first = c - line_position(c, direction) * step;
    for (u32 set = differing(old, new); set; set &= set - 1) {
        const int k = __builtin_ctz(set);
        const Cell at = (Cell)(first + k * step);
        add_row(&squares->at[at], &rows->row[new[k]], 1);
        add_row(&squares->at[at], &rows->row[old[k]], -1);
        bb_add(changed, at);
    }
    squares->word[index] = word;
    memcpy(old, new, sizeof squares->row[index]);
}

/* --- the interface ------------------------------------------------------------------------- */

void lines_refresh(const LineRows *rows, const Position *p, LineSquares *squares) {
    memset(squares->at, 0, sizeof squares->at);
    for (int i = 0; i < LINES; i++)
        for (int k = 0; k < LINE_POSITIONS; k++) squares->row[i][k] = LINE_NONE;
    for (Cell c = 0; c < CELLS; c++) {
        if (p->board.stone[c] == OFF_BOARD) continue;
        for (int d = 0; d < DIRECTIONS; d++) {
            const int index = line_index(c, d), position = line_position(c, d);
            const int row = row_at(rows, p->pattern.line[index], position);
            squares->word[index] = p->pattern.line[index];
            squares->row[index][position] = (u16)row;
            add_row(&squares->at[c], &rows->row[row], 1);
        }
    }
}

void lines_update(const LineRows *rows, const Position *p, LineSlots *slots, const Bitboard *stones,
                  LineSquares *squares, Bitboard *changed) {
    BB_FOR_EACH(c, stones) {
        update_line(rows, p, slots, c, 0, squares, changed);
        update_line(rows, p, slots, c, 1, squares, changed);
        update_line(rows, p, slots, c, 2, squares, changed);
        update_line(rows, p, slots, c, 3, squares, changed);
    }
}
