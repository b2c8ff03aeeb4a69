// Numbers of csrc/include/tengen.h. build_constants.py writes this file.

export const MATE_SCORE = 30000;
export const MAX_CAPTURED = 24;
export const MAX_LEVEL = 10;
export const MAX_MEMORY_KIB = 1073741824;
export const MAX_PV = 64;
export const MAX_SIZE = 22;
export const MAX_THREADS = 64;
export const MIN_LEVEL = 1;
export const MIN_MEMORY_KIB = 64;
export const MIN_SIZE = 5;
export const PROVEN_SCORE = 29488;
export const RULE_CARO = 8;
export const RULE_CARO_STANDARD = 9;
export const RULE_FREESTYLE = 0;
export const RULE_KERYO = 64;
export const RULE_NINUKI = 16;
export const RULE_PENTE = 32;
export const RULE_RENJU = 4;
export const RULE_STANDARD = 1;
export const WIN_PAIRS = 5;
export const WIN_STONES = 15;
