#include "shape/shape.h"

#include <string.h>

#include "base/platform.h"
#include "rules/traits.h"

enum { SPAN = 2 * MAX_REACH + 1, UNKNOWN = 255, SIDE_BITS = MAX_REACH + 2 };
enum { EDGE_BIT = 1 << (SIDE_BITS - 1), VIEWS = 1 << (2 * SIDE_BITS) };

/* One colour's view of a side: bits outwards, 1 = own stone, 0 = empty, with a leading one at the
 * first blocker or at the reach. EDGE_BIT: the blocker is not a stone, which matters only to closed
 * fives. X X . O reads 0b1011. */
typedef u32 View;

/* The content of the squares of a window from one colour's view. */
typedef enum { W_EMPTY, W_OWN, W_STONE, W_EDGE } WindowSquare;

/* The window of squares around the middle one, which holds an own stone. */
typedef struct {
    const RuleTraits *traits;
    Color color;
    int reach;
    u8 at[SPAN];
} Window;

/* A five lies within four squares of its stone. The squares at its ends, whose content can spoil
 * it, lie within five. */
static int reach_of(const RuleTraits *t) {
    const bool any_ends = t->closed_five_wins && t->overline[BLACK] == OVERLINE_WINS &&
                          t->overline[WHITE] == OVERLINE_WINS;
    return any_ends ? 4 : 5;
}

static int middle(const Window *w) {
    return w->reach;
}

static int span(const Window *w) {
    return 2 * w->reach + 1;
}

/* --- views <-> windows ------------------------------------------------------------------- */

static View side_view(const Window *w, int step) {
    View view = 0;
    for (int i = 0; i < w->reach; i++) {
        const u8 s = w->at[middle(w) + step * (i + 1)];
        if (s == W_STONE || s == W_EDGE)
            return view | 1u << i | (!w->traits->closed_five_wins && s == W_EDGE ? EDGE_BIT : 0);
        view |= (u32)(s == W_OWN) << i;
    }
    return view | 1u << w->reach;
}

static void read_side(Window *w, View view, int step) {
    const WindowSquare end = view & EDGE_BIT ? W_EDGE : W_STONE;
    const u32 bits = view & ~(u32)EDGE_BIT;
    const int length = 31 - __builtin_clz(bits);
    for (int i = 0; i < w->reach; i++)
        w->at[middle(w) + step * (i + 1)] = (u8)(i >= length       ? (int)end
                                                 : (bits >> i) & 1 ? W_OWN
                                                                   : W_EMPTY);
}

static u32 window_index(const Window *w) {
    return side_view(w, -1) << SIDE_BITS | side_view(w, 1);
}

/* --- what a window holds ----------------------------------------------------------------- */

/* The first square after the run of own stones from the middle. */
static int run_end(const Window *w, int step) {
    int i = middle(w) + step;
    while (i >= 0 && i < span(w) && w->at[i] == W_OWN) i += step;
    return i;
}

static bool is_stone(const Window *w, int i) {
    return i >= 0 && i < span(w) && w->at[i] == W_STONE;
}

static bool exactly_five(const Window *w) {
    return w->traits->overline[w->color] != OVERLINE_WINS;
}

static bool has_overline(const Window *w) {
    return run_end(w, 1) - run_end(w, -1) - 1 > 5;
}

static bool has_five(const Window *w) {
    const int left = run_end(w, -1), right = run_end(w, 1);
    const int length = right - left - 1;
    if (length < 5) return false;
    if (length > 5) return !exactly_five(w);
    return w->traits->closed_five_wins || !is_stone(w, left) || !is_stone(w, right);
}

/* The squares, as a bit set, on which one more own stone makes a five. */
static u32 completions(Window *w) {
    u32 found = 0;
    for (int i = 0; i < span(w); i++) {
        if (w->at[i] != W_EMPTY) continue;
        w->at[i] = W_OWN;
        if (has_five(w)) found |= 1u << i;
        w->at[i] = W_EMPTY;
    }
    return found;
}

/* The own stones, without the one on `at`, of the five that it completes. */
static u32 four_stones(Window *w, int at) {
    w->at[at] = W_OWN;
    u32 stones = 0;
    for (int i = run_end(w, -1) + 1; i < run_end(w, 1); i++) stones |= 1u << i;
    w->at[at] = W_EMPTY;
    return stones & ~(1u << at);
}

/* Whether a single stone of the opponent leaves no completion. */
static bool can_be_stopped(Window *w) {
    for (int i = 0; i < span(w); i++) {
        if (w->at[i] != W_EMPTY) continue;
        w->at[i] = W_STONE;
        const bool stopped = completions(w) == 0;
        w->at[i] = W_EMPTY;
        if (stopped) return true;
    }
    return false;
}

/* Fours differ by their stones: .XXXX. is one four with two ends, X.XXX.X is two. */
static Shape renju_black_four(Window *w, u32 squares) {
    const u32 first = four_stones(w, __builtin_ctz(squares));
    int ends = 0;
    for (u32 rest = squares; rest; rest &= rest - 1, ends++)
        if (four_stones(w, __builtin_ctz(rest)) != first) return SHAPE_DOUBLE_FOUR;
    return ends == 2 ? SHAPE_OPEN_FOUR : SHAPE_FOUR;
}

static Shape four_shape(Window *w, u32 squares) {
    if (w->traits->forbids[w->color] == FORBIDS_RENJU) return renju_black_four(w, squares);
    return can_be_stopped(w) ? SHAPE_FOUR : SHAPE_OPEN_FOUR;
}

static Shape shape_of(Window *w, u8 *memo);

/* Below a four, a shape is one step below the best shape that one more stone makes. */
static Shape step_down(Window *w, u8 *memo) {
    int count[SHAPES] = {0};
    for (int i = 0; i < span(w); i++) {
        if (w->at[i] != W_EMPTY) continue;
        w->at[i] = W_OWN;
        count[shape_of(w, memo)]++;
        w->at[i] = W_EMPTY;
    }
    if (count[SHAPE_OPEN_FOUR]) return count[SHAPE_OPEN_FOUR] > 1 ? SHAPE_THREE : SHAPE_THREE_WEAK;
    if (count[SHAPE_FOUR] || count[SHAPE_DOUBLE_FOUR]) return SHAPE_THREE_CLOSED;
    if (count[SHAPE_THREE]) return SHAPE_TWO;
    if (count[SHAPE_THREE_WEAK]) return SHAPE_TWO_WEAK;
    if (count[SHAPE_THREE_CLOSED]) return SHAPE_TWO_CLOSED;
    if (count[SHAPE_TWO] || count[SHAPE_TWO_WEAK]) return SHAPE_ONE;
    if (count[SHAPE_TWO_CLOSED]) return SHAPE_ONE_CLOSED;
    return SHAPE_DEAD;
}

static Shape shape_of(Window *w, u8 *memo) {
    u8 *known = &memo[window_index(w)];
    if (*known != UNKNOWN) return (Shape)*known;
    Shape s;
    u32 squares;
    if (has_five(w))
        s = SHAPE_FIVE;
    else if (exactly_five(w) && has_overline(w))
        s = w->traits->overline[w->color] == OVERLINE_FORBIDDEN ? SHAPE_OVERLINE : SHAPE_DEAD;
    else if ((squares = completions(w)) != 0)
        s = four_shape(w, squares);
    else
        s = step_down(w, memo);
    *known = (u8)s;
    return s;
}

/* --- keys, their classes, and the shapes of every pair of classes -------------------------- */

/* The views of both colours of each class of sides found so far. */
typedef struct {
    int count;
    View view[MAX_SIDES][COLORS];
} Sides;

static int key_square(u32 key, int distance) {
    return (int)(key >> (2 * distance)) & 3;
}

static View key_view(u32 key, Color color, const RuleTraits *traits) {
    const int reach = reach_of(traits);
    View view = 0;
    for (int i = 0; i < reach; i++) {
        const int s = key_square(key, i);
        if (s != 0 && s != (int)color + 1)
            return view | 1u << i | (!traits->closed_five_wins && s == 3 ? EDGE_BIT : 0);
        view |= (u32)(s != 0) << i;
    }
    return view | 1u << reach;
}

static int side_class(Sides *sides, View black, View white) {
    int i = 0;
    while (i < sides->count && (sides->view[i][BLACK] != black || sides->view[i][WHITE] != white))
        i++;
    if (i < sides->count) return i;
    ASSERT(i < MAX_SIDES);
    sides->view[i][BLACK] = black;
    sides->view[i][WHITE] = white;
    return sides->count++;
}

static u32 reversed_key(u32 key, int reach) {
    u32 r = 0;
    for (int i = 0; i < reach; i++) r |= (u32)key_square(key, i) << (2 * (reach - 1 - i));
    return r;
}

static u8 seen_squares(u32 key, int reach) {
    u8 seen = 0;
    int stones[4] = {0};
    for (int i = 0; i < reach; i++) {
        const int s = key_square(key, i);
        stones[s]++;
        if (stones[3] || (stones[1] && stones[2])) break;
        if (s == 0) seen |= (u8)(1 << i);
    }
    return seen;
}

static void fill_sides(ShapeTable *t, const RuleTraits *traits, Sides *sides) {
    for (u32 key = 0; key < 1u << (2 * t->reach); key++) {
        const u32 mirror = reversed_key(key, t->reach);
        const int c = side_class(sides, key_view(key, BLACK, traits), key_view(key, WHITE, traits));
        t->ahead[key] = t->behind[mirror] = (u8)c;
        t->seen_ahead[key] = t->seen_behind[mirror] = seen_squares(key, t->reach);
    }
}

static Shape view_shape(const RuleTraits *traits, Color color, View behind, View ahead, u8 *memo) {
    Window w = {.traits = traits, .color = color, .reach = reach_of(traits)};
    w.at[middle(&w)] = W_OWN;
    read_side(&w, behind, -1);
    read_side(&w, ahead, 1);
    return shape_of(&w, memo);
}

static void fill_shapes(ShapeTable *t, const RuleTraits *traits, const Sides *sides, Color color,
                        u8 *memo) {
    memset(memo, UNKNOWN, VIEWS);
    for (int b = 0; b < sides->count; b++)
        for (int a = 0; a < sides->count; a++) {
            const Shape s =
                view_shape(traits, color, sides->view[b][color], sides->view[a][color], memo);
            t->shape[b * MAX_SIDES + a] |= (u8)(s << (4 * color));
        }
}

/* --- the four lines together ------------------------------------------------------------- */

static SquareClass class_of(const int n[SHAPES], Forbids forbids) {
    const int threes = n[SHAPE_THREE] + n[SHAPE_THREE_WEAK];
    const int fours = n[SHAPE_FOUR] + n[SHAPE_OPEN_FOUR];
    if (n[SHAPE_FIVE]) return SQUARE_FIVE;
    if (forbids == FORBIDS_RENJU && (n[SHAPE_OVERLINE] || n[SHAPE_DOUBLE_FOUR] || fours > 1))
        return SQUARE_FORBIDDEN;
    if (n[SHAPE_OPEN_FOUR]) return SQUARE_OPEN_FOUR;
    if (fours > 1) return SQUARE_FOURS;
    if (fours) return threes ? SQUARE_FOUR_THREE : SQUARE_FOUR;
    if (threes) return threes > 1 ? SQUARE_THREES : SQUARE_THREE;
    return SQUARE_QUIET;
}

/* Renju's threes are at most these shapes. The free threes of ninuki need only their two ends empty
 * and may be closed behind them, so a closed three counts as a possible one. */
static bool is_suspect(const int n[SHAPES], Forbids forbids) {
    const int threes = n[SHAPE_THREE] + n[SHAPE_THREE_WEAK];
    if (forbids == FORBIDS_RENJU) return threes > 1 && !n[SHAPE_FIVE];
    if (forbids == FORBIDS_DOUBLE_THREES) return threes + n[SHAPE_THREE_CLOSED] > 1;
    return false;
}

static void fill_square(ShapeTable *t, const RuleTraits *traits, int code) {
    const u8 *m = t->members[code];
    int n[SHAPES] = {0};
    for (int d = 0; d < DIRECTIONS; d++) n[m[d]]++;
    for (int c = 0; c < COLORS; c++) {
        t->class[c][code] = (u8)class_of(n, traits->forbids[c]);
        t->suspect[c][code] = is_suspect(n, traits->forbids[c]);
    }
    for (int i = 0; i < 256; i++) { /* all orders of the four members */
        const int a = i & 3, b = i >> 2 & 3, x = i >> 4 & 3, y = i >> 6;
        if ((1 << a | 1 << b | 1 << x | 1 << y) != 15) continue;
        t->code[t->pair[m[a] | m[b] << 4] * PAIR_CODES + t->pair[m[x] | m[y] << 4]] = (u16)code;
    }
}

static void fill_squares(ShapeTable *t, const RuleTraits *traits) {
    int pairs = 0, code = 0;
    for (int a = 0; a < 16; a++)
        for (int b = a; b < 16; b++, pairs++) {
            t->pair[a | b << 4] = (u8)pairs;
            t->pair[b | a << 4] = (u8)pairs;
        }
    ASSERT(pairs == PAIR_CODES);
    for (u8 a = 0; a < SHAPES; a++)
        for (u8 b = a; b < SHAPES; b++)
            for (u8 c = b; c < SHAPES; c++)
                for (u8 d = c; d < SHAPES; d++, code++) {
                    const u8 members[DIRECTIONS] = {a, b, c, d};
                    memcpy(t->members[code], members, sizeof members);
                    fill_square(t, traits, code);
                }
    ASSERT(code == SQUARE_CODES);
}

static void fill_table(ShapeTable *t, const RuleTraits *traits) {
    Sides sides = {0};
    u8 memo[VIEWS]; /* shapes by pair of views, found so far */
    t->reach = reach_of(traits);
    fill_sides(t, traits, &sides);
    fill_shapes(t, traits, &sides, BLACK, memo);
    fill_shapes(t, traits, &sides, WHITE, memo);
    fill_squares(t, traits);
}

/* --- one table per rule, made once ------------------------------------------------------- */

#define DEFINE(name)                                                                               \
    static ShapeTable table_##name;                                                                \
    static Once once_##name = ONCE_INIT;                                                           \
    static void make_##name(void) {                                                                \
        fill_table(&table_##name, rules_traits(RULE_##name));                                      \
    }
FOR_EACH_RULE(DEFINE)

const ShapeTable *shape_table(Rule rule) {
    switch (rule) {
#define CASE(name)                                                                                 \
    case RULE_##name:                                                                              \
        platform_once(&once_##name, make_##name);                                                  \
        return &table_##name;
        FOR_EACH_RULE(CASE)
    }
    ASSERT(false);
    return NULL;
}
