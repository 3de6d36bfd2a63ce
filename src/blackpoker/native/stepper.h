// One game, option by option, with every shuffle decided by the caller. native/stepper.py reads ``offered``.
#pragma once

struct Walk {
  uint8_t offered[112];  // in ascending order: options, or the cards of a pile
  int64_t option;  // the option being played; -1: the start of the game
  Orders orders;  // orders of its shuffles
  State S;
};

// Result of a step: a decision is 256 * asked player + number of options, the end 256 * winner, a shuffle minus the
// number of cards.
constexpr int64_t TOO_LARGE = -1;

// Write the bytes in ascending order.
template <int N> static void sorted(const List<uint8_t, N>& from, uint8_t* to) {
  for (int i = 0; i < from.n; i++) {
    int j = i;
    for (; j > 0 && to[j - 1] > from.at[i]; j--) to[j] = to[j - 1];
    to[j] = from.at[i];
  }
}

// Play the option and forced decisions after it, up to a decision; play nothing if the order of a shuffle is missing.
static int64_t walk_on(Walk* walk, bool forced) {
  State* S = &walk->S;
  Orders* orders = &walk->orders;
  State before;
  memcpy(&before, S, sizeof(State));
  orders->used = orders->wanted = 0;
  S->orders = orders;
  if (walk->option < 0) State_advance(S);
  else State_push(S, walk->option);
  while (S->options.n == 1 && forced && !S->outgrown && !orders->wanted) State_push(S, S->options.at[0]);
  S->orders = nullptr;
  if (orders->wanted || S->outgrown) {
    bool asks = orders->wanted && orders->given < Orders::MOST;
    memcpy(S, &before, sizeof(State));
    if (asks) sorted(orders->pile, walk->offered);
    return asks ? -orders->pile.n : TOO_LARGE;
  }
  orders->given = 0;
  sorted(S->options, walk->offered);
  return 256 * (S->options.n ? S->asked : S->winner) + S->options.n;
}

extern "C" {

int64_t blackpoker_walk_size() { return sizeof(Walk); }

int64_t blackpoker_walk_begin(Walk* walk, const State* start, int64_t forced) {
  memset(walk, 0, sizeof(Walk) - sizeof(State));
  memcpy(&walk->S, start, sizeof(State));
  walk->option = -1;
  return walk_on(walk, forced);
}

int64_t blackpoker_walk_choose(Walk* walk, int64_t option, int64_t forced) {
  walk->option = option;
  return walk_on(walk, forced);
}

// Set the order of the requested pile, from the top.
int64_t blackpoker_walk_order(Walk* walk, const uint8_t* cards, int64_t n, int64_t forced) {
  List<uint8_t, 54>& order = walk->orders.order[walk->orders.given++];
  order.n = (uint8_t)n;
  memcpy(order.at, cards, (size_t)n);
  return walk_on(walk, forced);
}

void blackpoker_walk_observe(Walk* walk, int64_t seat, float* out) {
  uint8_t row[OBSERVATION];
  observe(&walk->S, seat, row);
  for (int i = 0; i < OBSERVATION; i++) out[i] = row[i];
}
}
