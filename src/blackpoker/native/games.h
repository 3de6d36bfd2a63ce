// One game, on a CPU or a GPU: its lists, the rules, a step, and its result.
#pragma once

template <class T, int N> struct List {
  uint8_t n;
  T at[N];
};

template <class T> struct Grown {
  T** at;
  int32_t n, room;
};

#include "rules.h"

// One finished game; the same fields, in this order, are in native/library.py.
struct Result {
  int64_t winner, first, turns, decisions, forced, outgrown;
  uint64_t hash;
};

// The level of one seat's player; the same fields, in this order, are in native/library.py.
struct Level {
  int64_t random, noise, overlook, playouts, chunk, seated;
};

static int64_t seeded(uint64_t seed) {
  uint64_t m = seed * 0x9E3779B97F4A7C15ull + 0x632BE59BD9B4E019ull;
  m = (m ^ (m >> 31)) * 0xBF58476D1CE4E5B9ull;
  m ^= m >> 29;
  return (int64_t)((m % (uint64_t)(FACTOR - 2) + 1) << 32 | ((m >> 7) & 0xFFFFFFFFull));
}

static inline uint64_t mixed(uint64_t h, int64_t x) { return (h ^ (uint8_t)x) * 0x100000001b3ull; }

template <bool HASHED> static inline void step(State* S, Result* out, int64_t option) {
  if (HASHED) {
    uint64_t h = mixed(mixed(mixed(out->hash, S->kind), S->asked), S->options.n);
    for (int i = 0; i < S->options.n; i++) h = mixed(h, S->options.at[i]);
    out->hash = mixed(h, option);
  }
  State_push(S, option);
}
