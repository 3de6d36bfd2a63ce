// Games stepped together, for environments. The same fields, in this order, are in native/batch.py.
#pragma once

#if defined(__x86_64__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

constexpr int64_t HISTORY = 8192;
constexpr int64_t MOST_OPTIONS = 112;
constexpr int64_t MASK = 256;
constexpr int64_t TOGETHER = 16;  // rows a thread steps before it looks for more
// State of a row.
constexpr uint8_t GOES_ON = 0, TO_PYTHON = 1, TO_START = 2;

struct Row {
  State S;
  Shuffler dice;  // of the opponent
  int64_t seed, number;  // of the row, and which of its games is played
  int64_t length;  // of the history
  uint8_t seat;  // the seat of the caller
  uint8_t history[HISTORY];  // every option since the start of the game, so that Python can replay it
};

struct Batch {
  const Tables* tables;
  const State* start;
  Row* rows;
  int64_t n, fixed, forced, opponent, restart, seat;
  int64_t game_stream, dice_stream;
  const uint8_t *chosen, *waits;
  uint8_t *observations, *masks, *options, *counts, *asked, *acted, *ended, *winners, *where, *finals;
  float* rewards;
  int32_t *lengths, *turns;
};

// A byte of an observation: a distinct type, so that the compiler knows that it does not alias the game.
struct Byte {
  enum Value : uint8_t {} value;
  void operator=(int64_t v) { value = (Value)v; }
};
struct Bytes {
  Byte at[OBSERVATION];
};

// The eight bits of every byte value, as bytes.
struct Spread {
  uint8_t at[256][8];
  constexpr Spread() : at() {
    for (int byte = 0; byte < 256; byte++)
      for (int bit = 0; bit < 8; bit++) at[byte][bit] = byte >> bit & 1 ? 255 : 0;
  }
};
static constexpr Spread SPREAD;

// The same as observation.fingerprint, eight cards at a time; two bytes after the last card are rewritten unchanged.
static inline void mark_cards(int64_t cards, int64_t start, int64_t where, Bytes& out) {
  if (cards == 0) return;
  uint64_t fill = (uint64_t)where * 0x0101010101010101ull, mask, old;
  for (uint8_t *to = (uint8_t*)(out.at + start), *end = to + 56; to < end; to += 8, cards >>= 8) {
    memcpy(&mask, SPREAD.at[(uint8_t)cards], 8);
    memcpy(&old, to, 8);
    old = (old & ~mask) | (fill & mask);
    memcpy(to, &old, 8);
  }
}

// With AVX-512 a single masked store writes the bytes of a set; disabled by -DPLAIN.
#if defined(__x86_64__) && !defined(__CUDACC__) && !defined(PLAIN)
#define WIDE __attribute__((target("avx512f,avx512bw")))
struct WideBytes : Bytes {};
WIDE static inline void mark_cards(int64_t cards, int64_t start, int64_t where, WideBytes& out) {
  _mm512_mask_storeu_epi8(out.at + start, (uint64_t)cards, _mm512_set1_epi8((char)where));
}
WIDE __attribute__((flatten)) static void observe_wide(State* S, int64_t seat, uint8_t* out) {
  memset(out, 0, OBSERVATION);
  observation_encode(S, seat, *(WideBytes*)out);
}
static const bool IS_WIDE = (__builtin_cpu_init(), __builtin_cpu_supports("avx512bw"));
#else
static void observe_wide(State*, int64_t, uint8_t*) {}
constexpr bool IS_WIDE = false;
#endif

static inline void observe(State* S, int64_t seat, uint8_t* out) {
  if (IS_WIDE) return observe_wide(S, seat, out);
  memset(out, 0, OBSERVATION);
  observation_encode(S, seat, *(Bytes*)out);
}

static inline bool too_large(const Batch* b, int64_t i) {
  if (!b->rows[i].S.outgrown && b->rows[i].length < HISTORY) return false;
  b->where[i] = TO_PYTHON;
  return true;
}

static inline void push(Row* row, int64_t option) {
  row->history[row->length++] = (uint8_t)option;
  State_push(&row->S, option);
}

// Play forced decisions and those of the opponent, up to a decision of the caller.
static inline void settle(const Batch* b, int64_t i) {
  Row* row = &b->rows[i];
  State* S = &row->S;
  while (S->options.n != 0) {
    if (too_large(b, i)) return;
    if (S->options.n == 1 && b->forced) push(row, S->options.at[0]);
    else if (b->opponent && S->asked != row->seat) push(row, S->options.at[Shuffler_below(S, &row->dice, S->options.n)]);
    else return;
  }
  too_large(b, i);
}

static void deal(const Batch* b, int64_t i, const State* start) {
  Row* row = &b->rows[i];
  int64_t seed = row->seed + row->number * b->game_stream;
  memcpy(&row->S, start, sizeof(State));
  row->S.tables = b->tables;
  row->S.uses = nullptr;
  if (b->fixed) row->S.source.state = seeded((uint64_t)seed);
  row->dice.state = seeded((uint64_t)(seed + b->dice_stream));
  row->seat = (uint8_t)(b->seat >= 0 ? b->seat : (seed & 1) ^ (row->number & 1));
  row->length = 0;
  b->where[i] = GOES_ON;
  State_advance(&row->S);
  settle(b, i);
}

// Start the next game of the row that has a decision.
static void start_row(const Batch* b, int64_t i, const State* start) {
  Row* row = &b->rows[i];
  deal(b, i, start);
  while (b->where[i] == GOES_ON && row->S.options.n == 0) {  // over before the first decision
    row->number++;
    if (!b->fixed) {
      b->where[i] = TO_START;
      return;
    }
    deal(b, i, start);
  }
}

// Update the columns of a row.
static inline void show(const Batch* b, int64_t i) {
  State* S = &b->rows[i].S;
  uint8_t* mask = b->masks + i * MASK;
  uint8_t* options = b->options + i * MOST_OPTIONS;
  int n = S->options.n, before = b->counts[i];
  for (int j = 0; j < before; j++) mask[options[j]] = 0;
  for (int j = 0; j < n; j++) mask[options[j] = S->options.at[j]] = 1;
  b->counts[i] = (uint8_t)n;
  int64_t seat = b->opponent ? b->rows[i].seat : n ? S->asked : b->acted[i];
  b->asked[i] = (uint8_t)seat;
  observe(S, seat, b->observations + i * OBSERVATION);
}

// Step a row; return whether it needs Python.
static inline bool step_row(const Batch* b, int64_t i) {
  Row* row = &b->rows[i];
  b->ended[i] = 0;
  b->rewards[i] = 0;
  if (b->waits[i]) return false;
  if (b->where[i] != GOES_ON) return true;
  State* S = &row->S;
  if (S->options.n == 0) return false;  // over
  int64_t acted = b->acted[i] = (uint8_t)S->asked;
  push(row, b->chosen[i]);
  settle(b, i);
  if (b->where[i] != GOES_ON) return true;
  if (S->options.n == 0) {
    b->ended[i] = 1;
    b->winners[i] = (uint8_t)S->winner;
    b->rewards[i] = S->winner == DRAW ? 0.0f : S->winner == acted ? 1.0f : -1.0f;
    b->lengths[i] = (int32_t)row->length;
    b->turns[i] = S->turn_number;
    if (b->restart) {
      observe(S, acted, b->finals + i * OBSERVATION);
      row->number++;
      if (b->fixed) start_row(b, i, b->start);
      else b->where[i] = TO_START;
      if (b->where[i] != GOES_ON) return true;
    }
  }
  show(b, i);
  return false;
}

extern "C" {

int64_t blackpoker_row_size() { return sizeof(Row); }

// Write the number of the row's game and its history.
void blackpoker_row(const Batch* b, int64_t i, int64_t* out, uint8_t* history) {
  Row* row = &b->rows[i];
  out[0] = row->number;
  out[1] = row->length;
  memcpy(history, row->history, (size_t)row->length);
}

const State* blackpoker_row_state(const Batch* b, int64_t i) { return &b->rows[i].S; }

// Start the ``number``-th game of a row; return its state.
int64_t blackpoker_row_start(const Batch* b, int64_t i, int64_t seed, int64_t number, const State* start) {
  Row* row = &b->rows[i];
  row->seed = seed;
  row->number = number;
  start_row(b, i, start);
  if (b->where[i] == GOES_ON) show(b, i);
  return b->where[i];
}

void blackpoker_row_observe(const Batch* b, int64_t i, int64_t seat, uint8_t* out) {
  observe(&b->rows[i].S, seat, out);
}

// Step every row; return the number of rows that need Python, or -1 - i if the option of row i is not offered.
int64_t blackpoker_step_many(const Batch* b, int64_t threads) {
  for (int64_t i = 0; i < b->n; i++)
    if (!b->masks[i * MASK + b->chosen[i]] && b->counts[i] && !b->waits[i]) return -1 - i;
  std::atomic<int64_t> away{0};
  over_threads((b->n + TOGETHER - 1) / TOGETHER, threads, [=, &away](int64_t part) {
    int64_t here = 0, end = std::min(b->n, (part + 1) * TOGETHER);
    for (int64_t i = part * TOGETHER; i < end; i++) here += step_row(b, i);
    if (here) away += here;
  });
  return away;
}
}
