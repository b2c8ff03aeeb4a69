/* tengen.h - the public interface of the Tengen search core.
 *
 * One opaque handle; results by value into the caller's structs. Ownership in one sentence:
 * tg_new() gives a handle that the caller owns until tg_free(); everything else passed in or out
 * belongs to the caller and is never kept.
 *
 * Threads: any thread may call tg_stop(), tg_arm() and tg_progress() at any time between tg_new()
 * and tg_free(). All other calls on one handle come from one thread at a time. Handles are
 * independent of each other.
 *
 * Squares are (x, y) from 0: x = column from the left, y = row from the top. (-1, -1) is "no
 * square". Scores are integers from the side to move's view. The Python binding parses the text
 * between the two marks.
 */
#ifndef TENGEN_H
#define TENGEN_H

#include <stdint.h>

/* Everything declared here is exported; the build hides the rest. */
#pragma GCC visibility push(default)

/* cffi: begin */
enum { TG_ABI_VERSION = 9 };
/* layout: begin */
/* The only source of these numbers: build_constants.py copies them to Python and the board. */
enum { TG_MIN_SIZE = 5, TG_MAX_SIZE = 22, TG_MAX_CAPTURED = 24, TG_MAX_PV = 64 };
/* The captures that win: of pairs, or of stones under rules that count stones. */
enum { TG_WIN_PAIRS = 5, TG_WIN_STONES = 15 };
enum { TG_MIN_MEMORY_KIB = 64, TG_MAX_MEMORY_KIB = 1 << 30 };
enum { TG_MAX_THREADS = 64 };
/* The option "level"; the highest is full strength. */
enum { TG_MIN_LEVEL = 1, TG_MAX_LEVEL = 10 };
/* A win in n plies has the score TG_MATE_SCORE - n. A score beyond TG_PROVEN_SCORE, on either side,
 * is a proven end. */
enum { TG_MATE_SCORE = 30000, TG_PROVEN_SCORE = TG_MATE_SCORE - 512 };

typedef enum {
    TG_RULE_FREESTYLE = 0,
    TG_RULE_STANDARD = 1,
    TG_RULE_RENJU = 4,
    TG_RULE_CARO = 8,
    TG_RULE_CARO_STANDARD = 9,
    TG_RULE_NINUKI = 16,
    TG_RULE_PENTE = 32,
    TG_RULE_KERYO = 64
} TgRule;

/* The traits that the build, Python and the board need, as bits, and those of each rule.
 * rules/traits.h has all traits. */
enum {
    TG_TRAIT_CAPTURES = 1,
    TG_TRAIT_TWO_LAWS = 2, /* the colours have different shapes or forbidden moves */
    TG_TRAIT_FORBIDDEN_BLACK_MOVES = 4,
    TG_TRAIT_FORBIDDEN_WHITE_MOVES = 8,
    TG_TRAIT_TRIPLES = 16,       /* rows of three stones are captured, too */
    TG_TRAIT_COUNTED_STONES = 32 /* captures are counted in stones, not in pairs */
};
enum {
    TG_TRAITS_FREESTYLE = 0,
    TG_TRAITS_STANDARD = 0,
    TG_TRAITS_RENJU = TG_TRAIT_TWO_LAWS | TG_TRAIT_FORBIDDEN_BLACK_MOVES,
    TG_TRAITS_CARO = 0,
    TG_TRAITS_CARO_STANDARD = 0,
    TG_TRAITS_NINUKI = TG_TRAIT_CAPTURES | TG_TRAIT_FORBIDDEN_BLACK_MOVES |
        TG_TRAIT_FORBIDDEN_WHITE_MOVES,
    TG_TRAITS_PENTE = TG_TRAIT_CAPTURES,
    TG_TRAITS_KERYO = TG_TRAIT_CAPTURES | TG_TRAIT_TRIPLES | TG_TRAIT_COUNTED_STONES
};
/* layout: end */
/* Memory that the first search takes for its proof searches, beside the table; at most. */
enum { TG_PROOF_KIB = 12288 };

typedef enum {
    TG_OK = 0,
    TG_ERR_ARGUMENT = 1,  /* a null pointer, or a number out of its range */
    TG_ERR_SIZE = 2,      /* board size outside TG_MIN_SIZE..TG_MAX_SIZE */
    TG_ERR_RULE = 3,      /* not one of TgRule */
    TG_ERR_MEMORY = 4,    /* an allocation failed */
    TG_ERR_OFF_BOARD = 5, /* a square outside the board */
    TG_ERR_OCCUPIED = 6,  /* a square that holds a stone, or occurs twice */
    TG_ERR_FORBIDDEN = 7, /* the square is forbidden for the side to move */
    TG_ERR_GAME_OVER = 8, /* the game has ended */
    TG_ERR_NO_UNDO = 9,   /* no move to take back */
    TG_ERR_NO_MOVE = 10,  /* the side to move has no legal square */
    TG_ERR_OPTION = 11,   /* no option of that name, or a value out of its bounds */
    TG_ERR_WEIGHTS = 12   /* no weights for the rule, or bytes that are not a weights file */
} TgStatus;

typedef enum { TG_NONE = 0, TG_BLACK = 1, TG_WHITE = 2 } TgColor;
typedef enum { TG_ONGOING = 0, TG_PENDING = 1, TG_WIN = 2, TG_DRAW = 3 } TgGameStatus;
typedef enum {
    TG_REASON_NONE = 0,
    TG_REASON_FIVE = 1,
    TG_REASON_CAPTURES = 2,
    TG_REASON_FIVE_NOT_BROKEN = 3,
    TG_REASON_BOARD_FULL = 4,
    TG_REASON_NO_LEGAL_MOVE = 5
} TgReason;
/* Why a square is forbidden: the first reason that applies. */
typedef enum {
    TG_FORBIDDEN_NONE = 0,
    TG_FORBIDDEN_OVERLINE = 1,
    TG_FORBIDDEN_DOUBLE_FOUR = 2,
    TG_FORBIDDEN_DOUBLE_THREE = 3
} TgForbidden;
/* The stage that decided a move. */
typedef enum {
    TG_STAGE_STATIC = 0,      /* no time: the best candidate by static move score */
    TG_STAGE_ANSWER_FIVE = 1, /* ninuki: a standing five is broken */
    TG_STAGE_WIN = 2,         /* a move that wins at once */
    TG_STAGE_BLOCK = 3,       /* searched among the moves that stop such a win */
    TG_STAGE_VCF = 4,         /* a proven win by continuous fours */
    TG_STAGE_VCT = 5,         /* a proven win by continuous fours and threes */
    TG_STAGE_ANSWER_VCF = 6,  /* searched among the moves that stop the other side's VCF */
    TG_STAGE_SEARCH = 7
} TgStage;
enum { TG_STAGE_COUNT = 8 };

/* The class of a stone on an empty square, over all its lines. */
typedef enum {
    TG_THREAT_NONE = 0,
    TG_THREAT_THREE = 1,  /* one open three */
    TG_THREAT_THREES = 2, /* two or more */
    TG_THREAT_FOUR = 3,
    TG_THREAT_FOUR_THREE = 4,
    TG_THREAT_FOURS = 5, /* in two lines or more */
    TG_THREAT_OPEN_FOUR = 6,
    TG_THREAT_FIVE = 7
} TgThreat;

/* The processors that a library can be built for. */
typedef enum { TG_CPU_BASELINE = 0, TG_CPU_AVX2 = 1 } TgCpu;

typedef struct TgEngine TgEngine;
typedef struct {
    int8_t x, y;
} TgSquare;

typedef struct {
    int32_t size;       /* TG_MIN_SIZE..TG_MAX_SIZE */
    int32_t rule;       /* TgRule */
    int32_t threads;    /* wanted search threads, 1..TG_MAX_THREADS */
    int32_t memory_kib; /* for the transposition table, TG_MIN_MEMORY_KIB.. */
} TgConfig;

/* One option under one rule. */
typedef struct {
    const char *name; /* valid as long as the library */
    int32_t standard; /* the value of a new engine */
    int32_t low, high;
    int32_t value;
    int32_t per_rule; /* 0: the same for every rule */
} TgOption;

/* An old name of an option, which still sets it. */
typedef struct {
    const char *old, *name; /* valid as long as the library */
} TgOptionAlias;

typedef struct {
    int32_t status;                     /* TgGameStatus after the move */
    int32_t winner;                     /* TgColor */
    int32_t reason;                     /* TgReason */
    int32_t captured_count;             /* stones */
    TgSquare captured[TG_MAX_CAPTURED]; /* sorted by (x, y) */
} TgOutcome;

typedef struct {
    int32_t time_ms;  /* hard limit; -1 = none, 0 = at once */
    int32_t soft_ms;  /* planned time, exceeded up to time_ms in an unclear position and not used up
                         in a clear one; -1 or time_ms: the search uses all of it */
    int32_t depth;    /* plies; -1 = none */
    int32_t lines;    /* multi-PV, >= 1 */
    int64_t nodes;    /* -1 = none */
    int32_t analysis; /* 1: the score matters, so a single legal answer is searched like any other
                         position; 0: it is played at once, after a short search */
    const TgSquare *excluded; /* excluded root moves; may be NULL */
    int32_t excluded_count;
} TgLimits;

typedef struct {
    int32_t seq;      /* 1, 2, ... within one search */
    int32_t line;     /* 0 = best; < lines */
    int32_t depth;    /* plies */
    int32_t seldepth; /* plies */
    int32_t score;
    int32_t mate; /* plies to the end, negative when losing, 0 = none seen */
    int32_t time_ms;
    int32_t pv_count;
    int64_t nodes;
    TgSquare pv[TG_MAX_PV];
} TgLine;

typedef struct {
    int32_t ran;   /* 0: the search did not reach this stage, or the stage is switched off */
    int32_t found; /* 1: what it looks for is there, such as a win or a threat to answer */
    int64_t nodes; /* that it took */
} TgStageNote;

typedef struct {
    TgSquare move;
    int32_t stage;             /* TgStage */
    int32_t table_permille;    /* share of the table that this search filled */
    int32_t threads;           /* threads that searched; 1 if the move was found without a search */
    int32_t threads_refused;   /* wanted threads that the system refused */
    int32_t table_refused_kib; /* the same for the tables (of positions, of proofs) */
    TgLine line;               /* of the move; nodes of all threads */
    TgStageNote notes[TG_STAGE_COUNT]; /* by TgStage; that of TG_STAGE_STATIC is empty */
} TgResult;

/* The result of one search of a root move, or the reason why the move was left out. */
typedef enum {
    TG_TRACED_EXACT = 0,
    TG_TRACED_AT_LEAST = 1, /* the score is a lower bound: beta was reached */
    TG_TRACED_AT_MOST = 2,  /* the score is an upper bound: alpha was not passed */
    TG_TRACED_ABORTED = 3,  /* no score: the search was over */
    TG_TRACED_FORBIDDEN = 4,
    TG_TRACED_EXCLUDED = 5,     /* by the limits */
    TG_TRACED_NO_CANDIDATE = 6, /* too far from all stones */
    TG_TRACED_NO_ANSWER = 7,    /* does not answer a threat to win at once */
    TG_TRACED_LOSES_TO_VCF = 8, /* does not stop the other side's VCF */
    TG_TRACED_HIDDEN = 9        /* by the level */
} TgTraced;

typedef struct {
    TgSquare move;
    int32_t outcome; /* TgTraced; from TG_TRACED_FORBIDDEN on the other fields are 0 */
    int32_t depth;   /* plies of the iteration */
    int32_t place;   /* in the order of the root, from 0 */
    int32_t alpha, beta;
    int32_t reduction; /* hundredths of a ply, of the first look */
    int32_t score;
    int64_t nodes;
} TgTraceRow;
enum { TG_TRACE_ROWS = 16384 };

typedef struct {
    int32_t size, rule, depth;
    TgSquare move;
    int32_t score;
    int64_t nodes;
    int64_t time_us;
} TgBenchRow;

int32_t tg_abi_version(void);
/* TgCpu: the processor of this build, and the best one that this machine can run. A library for a
 * better machine can answer both, too. */
int32_t tg_cpu_built(void);
int32_t tg_cpu_best(void);

/* The built-in weights file of a rule; size 0: built without. */
TgStatus tg_builtin_weights(int32_t rule, const uint8_t **bytes, int64_t *size);
/* Lends a library without weights those of another library: the bytes from its tg_builtin_weights,
 * which must stay valid. One file per rule, from one thread, before the first engine. */
TgStatus tg_lend_weights(int32_t rule, const uint8_t *bytes, int64_t size);
/* TG_OK if the bytes are a weights file that this library can use; *rule is then its rule.
 * Otherwise TG_ERR_WEIGHTS, and `reason` names the fault in a clause. */
TgStatus tg_check_weights(const uint8_t *bytes, int64_t size, int32_t *rule, char *reason,
                          int32_t capacity);

TgStatus tg_new(const TgConfig *config, TgEngine **out);
void tg_free(TgEngine *e);
/* Empties the board; size and rule may change. Empties the table; its memory stays if it was
 * filled. TG_ERR_WEIGHTS: the engine has own weights of another rule. */
TgStatus tg_reset(TgEngine *e, int32_t size, int32_t rule);
/* Like tg_reset, with the rule of a weights file. The engine copies the file and plays with it from
 * now on. On an error nothing changes. */
TgStatus tg_load_weights(TgEngine *e, int32_t size, const uint8_t *bytes, int64_t count);
/* The checksum of the engine's weights file. */
uint32_t tg_weights_checksum(const TgEngine *e);
/* Frees the table; the next search allocates the new size. */
TgStatus tg_resize_table(TgEngine *e, int32_t memory_kib);
/* Frees the table and clears everything that searches have learned. */
TgStatus tg_clear_table(TgEngine *e);
/* Options by name: "prune.NAME" 0|1, "threads" 1..64, "level" 1..10 (10: full strength; lower
 * levels bound depth, nodes and more of every search), and the parameters of the search
 * (base/params.h). "threads" and "level" are the same for every rule. Every other option has a
 * value per rule: tg_set_option sets that of the current rule only. */
TgStatus tg_set_option(TgEngine *e, const char *name, int64_t value);
TgStatus tg_set_rule_option(TgEngine *e, int32_t rule, const char *name, int64_t value);
/* The option with this index under a rule; TG_ERR_ARGUMENT after the last. */
TgStatus tg_option(const TgEngine *e, int32_t rule, int32_t index, TgOption *out);
/* The old name with this index; TG_ERR_ARGUMENT after the last. */
TgStatus tg_option_alias(int32_t index, TgOptionAlias *out);

/* Replaces the position; on an error the old one stays. Neutral stones belong to nobody: they are
 * not counted, never captured, and close nothing under caro. The captures are those BY each side:
 * pairs, or stones if the rule counts stones. */
TgStatus tg_set_position(TgEngine *e, const TgSquare *black, int32_t black_count,
                         const TgSquare *white, int32_t white_count, const TgSquare *neutral,
                         int32_t neutral_count, int32_t black_captures, int32_t white_captures,
                         int32_t to_move);
/* TG_OK: the side to move may play there; otherwise the status is the reason. */
TgStatus tg_legal(const TgEngine *e, TgSquare at);
/* The forbidden squares of the side to move, sorted by (x, y); out has size*size elements at most.
 */
TgStatus tg_forbidden(const TgEngine *e, TgSquare *out, int32_t capacity, int32_t *count);
/* TgForbidden: why an empty square is forbidden for the side to move; TG_FORBIDDEN_NONE if it is
 * allowed. */
TgStatus tg_why_forbidden(const TgEngine *e, TgSquare at, int32_t *out);
/* TgThreat of every square for either colour, row by row from the top; TG_THREAT_NONE on a square
 * where it may not play. capacity is size*size. */
TgStatus tg_threats(const TgEngine *e, int32_t color, int32_t *out, int32_t capacity);
TgStatus tg_play(TgEngine *e, TgSquare at, TgOutcome *out);
/* Puts a stone of the side to move, as a manager reports it. It makes captures, but does not check
 * for forbidden moves and the end of the game. The square must be on the board and empty. */
TgStatus tg_place(TgEngine *e, TgSquare at, TgOutcome *out);
/* Takes the last move back. TG_ERR_NO_UNDO at the base, and where a game that continues hundreds of
 * moves after its end has made the engine forget its first moves. */
TgStatus tg_undo(TgEngine *e);
/* The current state of the game as tg_play would report it; no captures. */
TgStatus tg_outcome(const TgEngine *e, TgOutcome *out);
TgStatus tg_evaluate(const TgEngine *e, int32_t *score);

/* Clears the stop flag and the reports of an earlier search. Call it from any thread before a
 * search is started, so that a stop in between is not lost. */
TgStatus tg_arm(TgEngine *e);
void tg_stop(TgEngine *e);
/* Blocks until a limit, a stop or a proof ends the search, or until it cannot improve any more. The
 * position stays the same. */
TgStatus tg_search(TgEngine *e, const TgLimits *limits, TgResult *out);
/* Begins or ends the tracing of the root; off at first. For those who debug an engine: a trace
 * takes memory and no time to speak of. TG_ERR_MEMORY: it stays off. */
TgStatus tg_set_trace(TgEngine *e, int32_t on);
/* The trace of the last search, oldest first, at most its newest TG_TRACE_ROWS rows: those moves
 * that were left out, and each look at a move of the root. Empty for a move that needed no
 * iteration. */
TgStatus tg_trace(TgEngine *e, TgTraceRow *out, int32_t capacity, int32_t *count);
/* Finished iterations of the running or last search with seq > after, oldest first. A search for
 * several lines reports all of them at once, best first, whenever one changes: as many as
 * requested, or as there are legal moves. Old reports may be lost; the last lines are always there.
 */
TgStatus tg_progress(TgEngine *e, int32_t after, TgLine *out, int32_t capacity, int32_t *count);
/* The result of a proof search. TG_PROOF_NO_WIN is proved: no line of such moves wins.
 * TG_PROOF_NOT_FOUND: the limit or a stop came first. */
typedef enum { TG_PROOF_NOT_FOUND, TG_PROOF_NO_WIN, TG_PROOF_WIN } TgProof;

/* A win by continuous fours (VCF) for the side to move: both sides' moves with the longest defence;
 * count 0 without a win. answer: TgProof. */
TgStatus tg_vcf(TgEngine *e, int64_t max_nodes, TgSquare *out, int32_t capacity, int32_t *count,
                int32_t *answer);
/* A win by continuous threats (VCT), in the same form: fours, threes, and quiet moves that leave a
 * closed three or two twos and threaten a win by fours. time_ms: -1 = no limit. */
TgStatus tg_vct(TgEngine *e, int64_t max_nodes, int32_t time_ms, TgSquare *out, int32_t capacity,
                int32_t *count, int32_t *answer);

/* The bench position with this index at its fixed depth; TG_ERR_ARGUMENT after the last. */
TgStatus tg_bench(int32_t index, TgBenchRow *out);
/* Resident memory of this process in bytes; 0 if the system does not report it. */
int64_t tg_resident_bytes(void);
/* For a program that is only a brain and plays for a long time. Without glibc they do nothing.
 * tg_one_heap: all threads of this process allocate from one heap from now on. It needs less
 * memory, but they wait for each other. Call it before starting any thread. tg_fill_cache: fills
 * libc's cache of freed blocks for the calling thread, a few of each small size. Otherwise the
 * cache grows in pieces all over the heap. tg_trim_heap: returns the free memory of the heap to the
 * system. */
void tg_one_heap(void);
void tg_fill_cache(void);
void tg_trim_heap(void);
/* cffi: end */

#pragma GCC visibility pop
#endif
