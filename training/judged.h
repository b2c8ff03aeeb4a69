/* judged.h - networks against deep searches: the figures of the yardstick.
 */
#ifndef TRAINING_JUDGED_H
#define TRAINING_JUDGED_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { JUDGED_SCALE = 220 }; /* of the yardstick; a score of this multiplies the odds by e */

/* The values of one position. */
typedef struct {
    int rule, score, deep;
    double loss; /* of the order of moves; < 0: none */
    bool first;
} Judged;

static inline double judged_chance(double score) {
    return 1 / (1 + exp(-score / JUDGED_SCALE));
}

/* rule < 0: any. */
static inline bool judged_is_of(const Judged *v, int rule) {
    return rule < 0 || v->rule == rule;
}

static inline double judged_squared(const Judged *v, double factor) {
    const double by = judged_chance(factor * v->score) - judged_chance(v->deep);
    return by * by;
}

/* The mean of the squared errors; *error: its standard error. */
static inline double judged_mean(const Judged *v, int count, int rule, double factor,
                                 double *error) {
    double sum = 0, squares = 0, n = 0;
    for (int i = 0; i < count; i++) {
        if (!judged_is_of(&v[i], rule)) continue;
        const double e = judged_squared(&v[i], factor);
        sum += e;
        squares += e * e;
        n++;
    }
    *error = sqrt(fmax(0, squares / n - sum / n * sum / n) / n);
    return sum / n;
}

/* The factor of the static scores with the smallest error, from 1/8 to 8, by a golden-section
 * search of its logarithm. */
static inline double judged_factor(const Judged *v, int count, int rule) {
    static const double GOLDEN = 0.6180339887;
    double low = log(0.125), high = log(8), unused;
    for (int i = 0; i < 30; i++) {
        const double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
        if (judged_mean(v, count, rule, exp(a), &unused) <
            judged_mean(v, count, rule, exp(b), &unused))
            high = b;
        else
            low = a;
    }
    return exp((low + high) / 2);
}

/* Prints the figures without a line end. */
static inline void judged_print(const Judged *v, int count, int rule) {
    double error, unused;
    const double value = sqrt(judged_mean(v, count, rule, 1, &error));
    const double factor = judged_factor(v, count, rule);
    printf("value %.4f +- %.4f  scaled %.4f by %.2f", value, error / (2 * value),
           sqrt(judged_mean(v, count, rule, factor, &unused)), factor);
}

/* Prints the figures of the order without a line end; nothing if no position has a loss. */
static inline void judged_print_order(const Judged *v, int count, int rule) {
    int ordered = 0, first = 0;
    double loss = 0;
    for (int i = 0; i < count; i++) {
        if (!judged_is_of(&v[i], rule) || v[i].loss < 0) continue;
        ordered++;
        first += v[i].first;
        loss += v[i].loss;
    }
    if (ordered)
        printf("  order %5d loss %.4f first %.3f", ordered, loss / ordered,
               (double)first / ordered);
}

#endif
