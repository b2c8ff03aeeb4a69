/* traits.h - the properties in which the rules differ, one row for each rule.
 *
 * The code tests a trait, never a rule number. A new rule is a new row; it needs code only for a
 * new trait.
 */
#ifndef RULES_TRAITS_H
#define RULES_TRAITS_H

#include "base/base.h"

/* The effect of six or more stones in a row for their colour. */
typedef enum { OVERLINE_WINS, OVERLINE_DEAD, OVERLINE_FORBIDDEN } Overline;

/* The moves that are forbidden for a colour. */
typedef enum {
    FORBIDS_NOTHING,
    FORBIDS_RENJU,        /* overlines, double fours and double threes, unless a five results */
    FORBIDS_DOUBLE_THREES /* two free threes, also with a five, unless the move captures */
} Forbids;

typedef struct {
    bool captures;         /* pairs are captured, and enough captures win */
    bool triples;          /* rows of three are captured as well; not with five_must_stand */
    bool counts_stones;    /* captures are counted in stones, not in pairs */
    bool five_must_stand;  /* a five wins once the other side cannot break it; needs captures */
    bool closed_five_wins; /* a row of exactly five with an opponent stone at each end */
    Overline overline[COLORS];
    Forbids forbids[COLORS];
} RuleTraits;

/* The traits of a rule. */
const RuleTraits *rules_traits(Rule rule);

/* The captures that so many captured stones are, in the rule's count. */
static inline int traits_count(const RuleTraits *t, int stones) {
    return t->counts_stones ? stones : stones / 2;
}

/* The count of captures that wins. */
static inline int traits_to_win(const RuleTraits *t) {
    return t->counts_stones ? WIN_STONES : WIN_PAIRS;
}

/* The highest count that is stored: one less than wins, and what the last move takes. */
static inline int traits_most_captures(const RuleTraits *t) {
    return t->counts_stones ? MAX_CAPTURES : MAX_PAIRS;
}

/* The number of laws under a rule: 1 if both colours have the same traits, else 2. */
static inline int traits_laws(const RuleTraits *t) {
    const bool same =
        t->overline[BLACK] == t->overline[WHITE] && t->forbids[BLACK] == t->forbids[WHITE];
    return same ? 1 : 2;
}

/* The number of a colour's law: 0 for Black, and for both colours if they have one law. */
static inline int traits_law(const RuleTraits *t, Color c) {
    return traits_laws(t) == 2 && c == WHITE ? 1 : 0;
}

#endif
