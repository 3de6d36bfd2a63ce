// The door to Python: many games at a time, over several threads. Built together with the translated rules.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <thread>
#include <vector>

template <class T, int N> struct List {
  uint8_t n;
  T at[N];
};

template <class T> struct Grown {
  T** at;
  int32_t n, room;
};

#include "rules.h"

// One finished game; the same fields, in this order, are in native/door.py.
struct Result {
  int64_t winner, first, turns, decisions, forced, outgrown;
  uint64_t hash;
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

// As players.random.play_out.
template <bool HASHED> static void play_out(State* S, Shuffler* dice, Result* out) {
  while (S->options.n != 0 && !S->outgrown) {
    int64_t n = S->options.n;
    out->decisions++;
    out->forced += n == 1;
    step<HASHED>(S, out, S->options.at[n == 1 ? 0 : Shuffler_below(S, dice, n)]);
  }
  out->winner = S->winner;
  out->turns = S->turn_number;
  out->outgrown = S->outgrown;
}

template <bool HASHED> static void whole_game(State* S, Shuffler* dice, Result* out) {
  State_advance(S);
  while (S->winner == UNDECIDED && S->point < CHANCE && !S->outgrown)  // choices of the set-up
    step<HASHED>(S, out, S->options.at[Shuffler_below(S, dice, S->options.n)]);
  out->first = S->turn;
  play_out<HASHED>(S, dice, out);
}

template <class F> static void over_threads(int64_t n, int64_t threads, F each) {
  std::atomic<int64_t> next{0};
  auto work = [&] {
    for (int64_t i; (i = next.fetch_add(1)) < n;) each(i);
  };
  std::vector<std::thread> others;
  for (int64_t t = 1; t < threads && t < n; t++) others.emplace_back(work);
  work();
  for (auto& other : others) other.join();
}

#include "players.h"

extern "C" {

extern const char* const blackpoker_made_from;
const char* const blackpoker_made_from = MADE_FROM;

void blackpoker_sizes(int64_t* out) {
  out[0] = sizeof(State);
  out[1] = sizeof(Tables);
  out[2] = sizeof(Result);
  out[3] = PLANS;
  out[4] = sizeof(Search);
  out[5] = sizeof(Node);
  out[6] = sizeof(Level);
}

// Random games from the beginning. ``starts`` is one game for all seeds (stride 0) or one each (stride 1).
void blackpoker_games(const Tables* tables, const State* starts, int64_t stride, const int64_t* seeds, int64_t n,
                      int64_t stream, int64_t threads, int64_t hashed, Result* out, uint32_t* uses) {
  over_threads(n, threads, [=](int64_t i) {
    State S;
    memcpy(&S, starts + stride * i, sizeof(State));
    S.tables = tables;
    S.uses = uses == nullptr ? nullptr : uses + i * 2 * PLANS;
    if (stride == 0) S.source.state = seeded((uint64_t)seeds[i]);
    Shuffler dice = {seeded((uint64_t)seeds[i] + (uint64_t)stream)};
    out[i] = Result{};
    out[i].hash = 0xcbf29ce484222325ull;
    if (hashed) whole_game<true>(&S, &dice, &out[i]);
    else whole_game<false>(&S, &dice, &out[i]);
  });
}

// Random play-outs of one game; the i-th with the seed ``seed + i``.
void blackpoker_playouts(const Tables* tables, const State* start, int64_t n, int64_t seed, int64_t threads,
                         Result* out) {
  over_threads(n, threads, [=](int64_t i) {
    State S;
    memcpy(&S, start, sizeof(State));
    S.tables = tables;
    S.uses = nullptr;
    Shuffler dice = {seeded((uint64_t)(seed + i))};
    out[i] = Result{};
    out[i].first = S.turn;
    play_out<false>(&S, &dice, &out[i]);
  });
}
}

#include "batch.h"
