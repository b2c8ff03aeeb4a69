/* tengen.h - the public interface of the Tengen search core.
 *
 * One opaque handle, results by value into the caller's structs. Ownership in
 * one sentence: tg_new() gives a handle that the caller owns until tg_free();
 * everything else passed in or out belongs to the caller and is never kept.
 *
 * Threads: tg_stop(), tg_arm() and tg_progress() may be called from any thread
 * at any time between tg_new() and tg_free(). All other calls on one handle
 * come from one thread at a time; handles do not know of each other.
 *
 * Squares are (x, y) from 0: x = column from the left, y = row from the top.
 * (-1, -1) is "no square". Scores are integers from the side to move's view.
 * The text between the two marks is what the Python binding parses.
 */
#ifndef TENGEN_H
#define TENGEN_H

#include <stdint.h>

/* Everything declared here is exported; the build hides the rest. */
#pragma GCC visibility push(default)

/* cffi: begin */
enum { TG_ABI_VERSION = 8 };
/* layout: begin */
/* The one source of these numbers: build_constants.py hands them on to Python and the board. */
enum { TG_MIN_SIZE = 5, TG_MAX_SIZE = 22, TG_MAX_CAPTURED = 16, TG_MAX_PV = 64 };
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
    TG_RULE_PENTE = 32
} TgRule;
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
    TG_ERR_OCCUPIED = 6,  /* a square that holds a stone, or is named twice */
    TG_ERR_FORBIDDEN = 7, /* the square is forbidden for the side to move */
    TG_ERR_GAME_OVER = 8, /* the game has ended */
    TG_ERR_NO_UNDO = 9,   /* nothing to take back */
    TG_ERR_NO_MOVE = 10,  /* the side to move has no legal square */
    TG_ERR_OPTION = 11,   /* no option of that name, or a value it does not take */
    TG_ERR_WEIGHTS = 12   /* no weights for the rule, or bytes that are no weights file */
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
/* Why a square is forbidden, the first of these that holds. */
typedef enum {
    TG_FORBIDDEN_NONE = 0,
    TG_FORBIDDEN_OVERLINE = 1,
    TG_FORBIDDEN_DOUBLE_FOUR = 2,
    TG_FORBIDDEN_DOUBLE_THREE = 3
} TgForbidden;
/* What decided a move. */
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

/* What a stone on an empty square makes, all its lines together. */
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
    int32_t threads;    /* search threads wanted, 1..TG_MAX_THREADS */
    int32_t memory_kib; /* for the transposition table, TG_MIN_MEMORY_KIB.. */
} TgConfig;

/* One option, under one rule. */
typedef struct {
    const char *name; /* lives as long as the library */
    int32_t standard; /* the value that an engine begins with */
    int32_t low, high;
    int32_t value;
    int32_t per_rule; /* 0: the same for every rule */
} TgOption;

/* An old name of an option, which still sets it. */
typedef struct {
    const char *old, *name; /* live as long as the library */
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
    int32_t soft_ms;  /* what the move should take, more up to time_ms when it is unclear and
                         less when it is clear; -1, or time_ms: all of that is used */
    int32_t depth;    /* plies; -1 = none */
    int32_t lines;    /* multi-PV, >= 1 */
    int64_t nodes;    /* -1 = none */
    int32_t analysis; /* 1: the score is what counts, so that a single legal answer is searched
                         like any other position; 0: it is played at once, after a short look */
    const TgSquare *excluded; /* root moves not to be played; may be NULL */
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
    int32_t asked; /* 0: the search did not come to this stage, or goes without it */
    int32_t found; /* 1: what it looks for is there, such as a win or a threat to answer */
    int64_t nodes; /* that it took */
} TgStageNote;

typedef struct {
    TgSquare move;
    int32_t stage;             /* TgStage */
    int32_t table_permille;    /* part of the table filled by this search */
    int32_t threads;           /* that searched; 1 when the move was found without a search */
    int32_t threads_refused;   /* that should have searched too, and that the system did not give */
    int32_t table_refused_kib; /* of the tables (of positions, of proofs), likewise */
    TgLine line;               /* of the move; nodes of all threads */
    TgStageNote notes[TG_STAGE_COUNT]; /* by TgStage; that of TG_STAGE_STATIC is empty */
} TgResult;

/* What came of a move at the root in one look at it, or why it was left out. */
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
/* TgCpu: what this library was built for, and the best that this machine can run. Both may be
 * asked of a library that was built for a better machine. */
int32_t tg_cpu_built(void);
int32_t tg_cpu_best(void);

/* The weights file of a rule that is built into this library; size 0: built without. */
TgStatus tg_builtin_weights(int32_t rule, const uint8_t **bytes, int64_t *size);
/* Gives a library that was built without weights those of another one: the bytes that its
 * tg_builtin_weights tells, which must stay where they are. One file per rule, before the first
 * engine, from one thread. */
TgStatus tg_lend_weights(int32_t rule, const uint8_t *bytes, int64_t size);
/* TG_OK if the bytes are a weights file that this library can use, and *rule the rule that it is
 * for; else TG_ERR_WEIGHTS, and `reason` says in a clause what is wrong. */
TgStatus tg_check_weights(const uint8_t *bytes, int64_t size, int32_t *rule, char *reason,
                          int32_t capacity);

TgStatus tg_new(const TgConfig *config, TgEngine **out);
void tg_free(TgEngine *e);
/* Empties the board; size and rule may change. The table is emptied; once it was
 * filled its memory stays. TG_ERR_WEIGHTS: the engine has own weights, of another rule. */
TgStatus tg_reset(TgEngine *e, int32_t size, int32_t rule);
/* As tg_reset, to the rule of a weights file, which the engine copies and plays with from now on.
 * On an error it stays as it was. */
TgStatus tg_load_weights(TgEngine *e, int32_t size, const uint8_t *bytes, int64_t count);
/* The checksum of the weights file that the engine plays with. */
uint32_t tg_weights_checksum(const TgEngine *e);
/* Frees the table; the next search allocates the new size. */
TgStatus tg_resize_table(TgEngine *e, int32_t memory_kib);
/* Frees the table, and forgets all that was searched. */
TgStatus tg_clear_table(TgEngine *e);
/* Options by name: "prune.NAME" 0|1, "threads" 1..64, "level" 1..10 (10: full strength; the lower
 * ones bound depth, nodes and more of every search), and the numbers of the search
 * (base/params.h). "threads" and "level" are the same for every rule. Every other option has a
 * value per rule: tg_set_option sets that of the rule that is played, and the other rules keep
 * theirs. */
TgStatus tg_set_option(TgEngine *e, const char *name, int64_t value);
TgStatus tg_set_rule_option(TgEngine *e, int32_t rule, const char *name, int64_t value);
/* Option number index under a rule; TG_ERR_ARGUMENT after the last. */
TgStatus tg_option(const TgEngine *e, int32_t rule, int32_t index, TgOption *out);
/* Old name number index; TG_ERR_ARGUMENT after the last. */
TgStatus tg_option_alias(int32_t index, TgOptionAlias *out);

/* Replaces the position; on an error the old one stays. Neutral stones belong to nobody:
 * not counted, never captured, close nothing under caro. Pairs are those taken BY each side. */
TgStatus tg_set_position(TgEngine *e, const TgSquare *black, int32_t black_count,
                         const TgSquare *white, int32_t white_count, const TgSquare *neutral,
                         int32_t neutral_count, int32_t black_pairs, int32_t white_pairs,
                         int32_t to_move);
/* TG_OK: the side to move may play there; else the status says why not. */
TgStatus tg_legal(const TgEngine *e, TgSquare at);
/* The empty squares that are forbidden for the side to move, sorted by (x, y); out holds size*size
 * at most. */
TgStatus tg_forbidden(const TgEngine *e, TgSquare *out, int32_t capacity, int32_t *count);
/* TgForbidden: why an empty square is forbidden for the side to move; TG_FORBIDDEN_NONE where it is
 * not. */
TgStatus tg_why_forbidden(const TgEngine *e, TgSquare at, int32_t *out);
/* TgThreat of every square for a colour that need not be to move, row by row from the top;
 * TG_THREAT_NONE where it may not play. capacity is size*size. */
TgStatus tg_threats(const TgEngine *e, int32_t color, int32_t *out, int32_t capacity);
TgStatus tg_play(TgEngine *e, TgSquare at, TgOutcome *out);
/* Puts a stone of the side to move as a manager reports it: forbidden moves and the end of the game
 * are not looked at, captures are made. Only an empty square on the board is asked for. */
TgStatus tg_place(TgEngine *e, TgSquare at, TgOutcome *out);
TgStatus tg_undo(TgEngine *e);
/* Where the game stands now, as tg_play would have said; nothing captured. */
TgStatus tg_outcome(const TgEngine *e, TgOutcome *out);
TgStatus tg_evaluate(const TgEngine *e, int32_t *score);

/* Clears the stop flag, and what an earlier search has told. Whoever asks for a search arms it
 * first, then starts it, on whichever thread; so a stop that comes in between is not lost. */
TgStatus tg_arm(TgEngine *e);
void tg_stop(TgEngine *e);
/* Blocks until a limit, a stop or a proof ends it, or nothing more can come out. The position is as
 * before afterwards. */
TgStatus tg_search(TgEngine *e, const TgLimits *limits, TgResult *out);
/* Begins or ends the tracing of the root; off at first. For those who debug an engine: a trace
 * takes memory and no time to speak of. TG_ERR_MEMORY: it stays off. */
TgStatus tg_set_trace(TgEngine *e, int32_t on);
/* The trace of the last search, oldest first, at most its newest TG_TRACE_ROWS rows: those moves
 * that were left out, and each look at a move of the root. Empty for a move that needed no
 * iteration. */
TgStatus tg_trace(TgEngine *e, TgTraceRow *out, int32_t capacity, int32_t *count);
/* Finished iterations of the running or last search with seq > after, oldest first. A search for
 * several lines tells all of them at once, best first, whenever one has changed: as many as were
 * asked for, or as there are legal moves. What was told long ago may be gone; the last lines are
 * always there. */
TgStatus tg_progress(TgEngine *e, int32_t after, TgLine *out, int32_t capacity, int32_t *count);
/* What a proof search has found out. TG_PROOF_NO_WIN is proved: no line of such moves wins.
 * TG_PROOF_NOT_FOUND: the limit or a stop came first. */
typedef enum { TG_PROOF_NOT_FOUND, TG_PROOF_NO_WIN, TG_PROOF_WIN } TgProof;

/* A win by continuous fours (VCF) for the side to move: both sides' moves with the longest defence;
 * count 0 without a win. answer: TgProof. */
TgStatus tg_vcf(TgEngine *e, int64_t max_nodes, TgSquare *out, int32_t capacity, int32_t *count,
                int32_t *answer);
/* A win by continuous threats (VCT), in the same form: fours, threes, and quiet moves that threaten
 * a win by fours. time_ms: -1 = no limit. */
TgStatus tg_vct(TgEngine *e, int64_t max_nodes, int32_t time_ms, TgSquare *out, int32_t capacity,
                int32_t *count, int32_t *answer);

/* Bench position number index at its fixed depth; TG_ERR_ARGUMENT after the last. */
TgStatus tg_bench(int32_t index, TgBenchRow *out);
/* Resident memory of this process in bytes; 0 when the system does not say. */
int64_t tg_resident_bytes(void);
/* For a program that is a brain and nothing else, and plays for a long time. Without glibc they do
 * nothing. tg_one_heap: from now on all threads of this process, whoever's they are, allocate from
 * one heap; it takes less memory, but they wait for each other. Call it before starting any.
 * tg_fill_cache: what libc keeps of freed blocks for the calling thread, a few of each small size,
 * is there from the beginning, and not by and by in pieces all over the heap. tg_trim_heap: what is
 * free in the heap goes back to the system. */
void tg_one_heap(void);
void tg_fill_cache(void);
void tg_trim_heap(void);
/* cffi: end */

#pragma GCC visibility pop
#endif
