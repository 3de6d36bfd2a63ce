// The functions called from Python: many games over several threads. Compiled together with the translated rules.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <vector>
#ifndef __wasm__
#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#endif

#include "games.h"
#include "threads.h"

// The same as ai.random_player.play_out; with a policy, by its heuristics with noise.
template <bool HASHED> static void play_out(State* S, Shuffler* dice, Result* out, PositionSummary* policy = nullptr,
                                            int64_t noise = 0) {
  List<int32_t, 112> scratch;
  int64_t decisions = 0, forced = 0;
  while (S->options.n != 0 && !S->outgrown) {
    int64_t n = S->options.n, option = S->options.at[0];
    decisions++;
    forced += n == 1;
    if (n > 1 && policy != nullptr) option = scorer_noisy_option(S, policy, scratch, noise, dice);
    else if (n > 1) option = S->options.at[Shuffler_below(S, dice, n)];
    step<HASHED>(S, out, option);
  }
  out->decisions += decisions;
  out->forced += forced;
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

#include "ai_games.h"
#ifndef __wasm__
#include "selfplay.h"
#endif

extern "C" {

extern const char* const blackpoker_made_from;
const char* const blackpoker_made_from = MADE_FROM;
extern const int64_t* const blackpoker_layout;
const int64_t* const blackpoker_layout = LAYOUT;

void blackpoker_sizes(int64_t* out) {
  out[0] = sizeof(LAYOUT) / sizeof(int64_t);
  out[1] = sizeof(Result);
  out[2] = sizeof(Level);
  out[3] = PLANS;
}

// Benchmark: copy a game ``n`` times, back and forth.
void blackpoker_copies(State* one, State* other, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    memcpy(i % 2 ? one : other, i % 2 ? other : one, sizeof(State));
    asm volatile("" : : "r"(one), "r"(other) : "memory");
  }
}

// Play random games from the start. ``starts`` is one game for all seeds (stride 0) or one each (stride 1).
void blackpoker_games(const Tables* tables, const State* starts, int64_t stride, const int64_t* seeds, int64_t n,
                      int64_t stream, int64_t threads, int64_t hashed, Result* out, uint32_t* uses) {
  over_threads(n, threads, [=](int64_t i) {
    alignas(64) State S;
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

// Play out one game ``n`` times, at random or (``noise``) by noisy heuristics; the i-th with the seed ``seed + i``.
void blackpoker_playouts(const Tables* tables, const State* start, int64_t n, int64_t seed, int64_t threads,
                         int64_t noise, const PositionSummary* policy, Result* out) {
  over_threads(n, threads, [=](int64_t i) {
    alignas(64) State S;
    memcpy(&S, start, sizeof(State));
    S.tables = tables;
    S.uses = nullptr;
    Shuffler dice = {seeded((uint64_t)(seed + i))};
    out[i] = Result{};
    out[i].first = S.turn;
    if (noise) {
      PositionSummary mine = *policy;
      play_out<false>(&S, &dice, &out[i], &mine, noise);
    } else {
      play_out<false>(&S, &dice, &out[i]);
    }
  });
}
}

#include "batch.h"
#include "stepper.h"
