/* weights.h - the numbers of the evaluation, a set per rule, in one file that the fit writes. */
#ifndef EVAL_WEIGHTS_H
#define EVAL_WEIGHTS_H

#include "shape/shape.h"

typedef struct {
    u16 value[COLORS][SQUARE_CODES];       /* an empty square's worth to a colour; from 0 */
    int16_t attack[COLORS][SQUARE_CODES];  /* how good a move looks for what it makes, ... */
    int16_t defence[COLORS][SQUARE_CODES]; /* ... and for what it denies that colour */
    int16_t threat_us[SQUARE_CLASSES];     /* the side to move's best square */
    int16_t threat_them[SQUARE_CLASSES];   /* the other side's; subtracted */
    int16_t tempo;                         /* being to move */
} EvalWeights;

extern const EvalWeights WEIGHTS_FREESTYLE, WEIGHTS_STANDARD, WEIGHTS_RENJU, WEIGHTS_CARO,
    WEIGHTS_CARO_STANDARD, WEIGHTS_NINUKI;

#endif
